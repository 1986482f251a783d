/** Headers that keep a browser from doing with an answer what it is not for. */

/** On every answer: its type is what it says, and no page of another origin can load it, not even to learn that svc runs. */
export const SAFE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** On the answers of routes that mail leads to, which a mail program on the web loads from its own origin. */
export const SAFE_MAIL_HEADERS = { ...SAFE_HEADERS, 'cross-origin-resource-policy': 'cross-origin' } as const;

/** On every answer that may contain email or a key. */
export const PRIVATE_HEADERS = { 'cache-control': 'no-store' } as const;
