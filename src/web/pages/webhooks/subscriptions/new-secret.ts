const BYTES = 24;

/** Returns a new signing secret, of the same form as those of `svc webhooks create`. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return `whsec_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
