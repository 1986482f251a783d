/** Why a link is in an email. */
export const linkKinds = ['verify', 'reset', 'magic', 'invite', 'unsubscribe', 'other'] as const;
export type LinkKind = (typeof linkKinds)[number];
