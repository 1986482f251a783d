/** Whether a mailbox matches a pattern in which `*` stands for any text. Case does not matter. */
export function matchesRecipient(pattern: string, mailbox: string): boolean {
  const [first = '', ...others] = pattern.toLowerCase().split('*');
  const text = mailbox.toLowerCase();
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  // The leftmost place for each part leaves the most room for those after it.
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}
