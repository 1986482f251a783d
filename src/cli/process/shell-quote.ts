/** Returns a value as one word of a POSIX shell, in single quotes. A single quote in the value is escaped. */
export function shellQuote(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}

/** Completes a command line for a server; undefined if only its address leads to it. */
export type CommandLine = (line: string) => string | undefined;
