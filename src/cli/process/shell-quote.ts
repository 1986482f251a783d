/** Returns a value as one word of a POSIX shell. Single quotes keep every character except the quote itself. */
export function shellQuote(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}
