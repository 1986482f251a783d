import { MAILBOX_CHARACTERS } from '../contract/vocabulary/limits.js';
import { normalizeAddress } from '../contract/vocabulary/parsers/address.js';

/** Returns a mailbox as `Name <address>`, the name quoted where it has to be. */
export function shownMailbox({ name: given, address }: { name: string; address?: string | undefined }): string {
  const name = given.trim();
  if (!name || !address) return address || name || '';
  const phrase = /[<>@,;:"\\[\]().]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name;
  return `${phrase} <${address}>`;
}

/** Returns a sender as filters compare it; empty if it is too long to be an address. */
export function comparedMailbox(address: string): string {
  const mailbox = normalizeAddress(address);
  return mailbox.length > MAILBOX_CHARACTERS ? '' : mailbox;
}
