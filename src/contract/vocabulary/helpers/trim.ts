/**
 * Returns a text without the characters of `unwanted` at its end. A regular expression such as /x+$/ would take
 * quadratic time.
 */
export function trimEndOf(text: string, unwanted: string): string {
  let end = text.length;
  while (end > 0 && unwanted.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Returns a text without the characters of `unwanted` at its start and at its end. */
export function trimOf(text: string, unwanted: string): string {
  let start = 0;
  while (start < text.length && unwanted.includes(text.charAt(start))) start += 1;
  return trimEndOf(text.slice(start), unwanted);
}
