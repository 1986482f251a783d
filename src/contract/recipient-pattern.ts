import { domainToUnicode } from 'node:url';
import { normalizeAddress } from './vocabulary/addresses.js';
import { matchesParts } from './vocabulary/text.js';

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
