/** Reads `/SOURCE/` or `/SOURCE/i`, the form of a regular expression in a flag; undefined for another text. */
export function readRegex(text: string): { source: string; ignoreCase: boolean } | undefined {
  const [, source, flags] = /^\/(.+)\/(i?)$/s.exec(text) ?? [];
  return source === undefined ? undefined : { source, ignoreCase: flags === 'i' };
}
