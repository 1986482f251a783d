/** Returns whether a text consists of the parts of a glob in their order, with any text between them. */
export function matchesParts([first = '', ...others]: readonly string[], text: string): boolean {
  const last = others.pop() ?? '';
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  // Matching each part as far left as possible leaves the most text for the parts after it.
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}
