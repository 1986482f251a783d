import { domainToUnicode } from 'node:url';
import { normalizeAddress } from './vocabulary/parsers/address.js';

/** Returns whether a mailbox matches a pattern, in which `*` matches any text. Compares spellings as mailboxes do. */
export function matchesRecipient(pattern: string, mailbox: string): boolean {
  const text = normalizeAddress(mailbox);
  if (!pattern.includes('*')) return text === normalizeAddress(pattern);
  // A part of a domain has no ASCII form, so such a pattern may match the mailbox in ASCII or in Unicode.
  const parts = pattern.toLowerCase().normalize('NFC').split('*');
  return matchesParts(parts, text) || (text.includes('xn--') && matchesParts(parts, inUnicode(text)));
}

/** Returns a mailbox with the Unicode form of its domain. */
export function inUnicode(mailbox: string): string {
  const at = mailbox.lastIndexOf('@') + 1;
  return mailbox.slice(0, at) + domainToUnicode(mailbox.slice(at));
}

/** Returns whether a text consists of the parts in their order, with any text between them. */
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
