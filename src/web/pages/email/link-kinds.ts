/** Names of the kinds of links. */
export const LINK_KINDS = {
  verify: 'Verify',
  reset: 'Reset password',
  magic: 'Sign in',
  invite: 'Accept invitation',
  unsubscribe: 'Unsubscribe',
  other: 'Link',
} as const;
