/** Defines headers that restrict what browsers do with a response. */

/**
 * Headers of every response: browsers use the declared media type, and pages of other origins cannot load it or detect
 * that svc runs.
 */
export const SAFE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** Headers of routes that emails link to, because webmail clients load them from their own origin. */
export const SAFE_MAIL_HEADERS = { ...SAFE_HEADERS, 'cross-origin-resource-policy': 'cross-origin' } as const;

/** Headers of every response that may contain an email or a key. */
export const PRIVATE_HEADERS = { 'cache-control': 'no-store' } as const;
