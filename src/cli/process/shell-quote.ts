/** A value as one word of a POSIX shell. Within single quotes it takes every character as it is, but the quote itself. */
export function shellQuote(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}
