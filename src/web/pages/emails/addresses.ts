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
  const [first = mailboxOf(to), ...others] = mailboxesOf(to);
  return `${first || '(no recipient)'}${others.length > 0 ? ` +${others.length}` : ''}`;
}

/** Returns the addresses of recipients that are joined by ", ", which a quoted name may contain, too. */
export function mailboxesOf(to: string): string[] {
  return to
    .split(', ')
    .filter((part) => part.includes('@'))
    .map(mailboxOf);
}
