/**
 * Defines how PostgreSQL stores texts. It cannot store U+0000, but messages can contain it. So U+0000 and the character
 * that marks it are stored as two characters each.
 */

const MARK = '\uf8ff';
const NUL = `${MARK}0`;
const MARKED = `${MARK}1`;

/** Returns a text in the form in which it is stored. */
export function toStored(text: string): string {
  if (!text.includes('\0') && !text.includes(MARK)) return text;
  return text.replaceAll(MARK, MARKED).replaceAll('\0', NUL);
}

/** Returns a text from the form in which it is stored. A mark without its second character is cut off. */
export function fromStored(stored: string): string {
  if (!stored.includes(MARK)) return stored;
  const text = stored.endsWith(MARK) ? stored.slice(0, -1) : stored;
  return text.replaceAll(NUL, '\0').replaceAll(MARKED, MARK);
}
