import { DISPLAY_NAME_CHARACTERS, MAILBOX_CHARACTERS } from '../contract/vocabulary/limits.js';
import { normalizeAddress } from '../contract/vocabulary/parsers/address.js';

/** Returns a sender as filters compare it; empty if it is too long to be an address. */
export function comparedMailbox(address: string): string {
  const mailbox = normalizeAddress(address);
  return mailbox.length > MAILBOX_CHARACTERS ? '' : mailbox;
}

const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Returns the display name of each mailbox that has one; the first, if it has several. */
export function namesOf(mailboxes: readonly { name: string; address?: string | undefined }[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { name: given, address } of mailboxes) {
    const name = given.replace(CONTROL, '').trim();
    if (!name || !address || name.length > DISPLAY_NAME_CHARACTERS) continue;
    const mailbox = normalizeAddress(address);
    if (!names.has(mailbox)) names.set(mailbox, name);
  }
  return names;
}
