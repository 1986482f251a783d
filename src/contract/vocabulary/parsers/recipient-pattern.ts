import { normalizeAddress } from './address.js';

/** Returns whether a mailbox matches a pattern, in which `*` matches any text. Compares spellings as mailboxes do. */
export function matchesRecipient(pattern: string, mailbox: string): boolean {
  const [first = '', ...others] = normalizeAddress(pattern).split('*');
  const text = normalizeAddress(mailbox);
  const last = others.pop();
  if (last === undefined) return text === first;
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
