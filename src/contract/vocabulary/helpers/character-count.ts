/** Returns the number of characters of a text, in Unicode code points. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Returns whether a text has at most this many characters. Counts them only if its UTF-16 length leaves it open. */
export function isUpToCharacters(text: string, max: number): boolean {
  return text.length <= max || (text.length <= max * 2 && characterCount(text) <= max);
}
