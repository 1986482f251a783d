/** Returns the number of bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // A surrogate pair takes four bytes, two for each of its units. A lone surrogate is encoded as U+FFFD in three bytes.
    bytes += unit < 0x800 || isPaired(text, index) ? 1 : 2;
  }
  return bytes;
}

function isPaired(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  if (unit < 0xd800 || unit > 0xdfff) return false;
  const [first, second] = unit < 0xdc00 ? [unit, text.charCodeAt(index + 1)] : [text.charCodeAt(index - 1), unit];
  return first >= 0xd800 && first < 0xdc00 && second >= 0xdc00 && second <= 0xdfff;
}
