import * as z from 'zod';
import {
  ADDRESS_PATTERN,
  ANY_ADDRESS_PATTERN,
  NOT_ADDRESS_PATTERN,
  readAddress,
  readAnyAddress,
} from './vocabulary/addresses.js';
import { ADDRESS_INPUT_CHARACTERS } from './vocabulary/limits.js';
import { isUpToCharacters } from './vocabulary/text.js';

/** Returns a schema for an address. A client may check the patterns; the parser also checks the domain. */
function addressString(read: typeof readAddress, pattern: string) {
  return z
    .string()
    .superRefine((value, context) => {
      const refuse = (message: string) => context.addIssue({ code: 'custom', message });
      if (!isUpToCharacters(value, ADDRESS_INPUT_CHARACTERS)) {
        return refuse(`must be at most ${ADDRESS_INPUT_CHARACTERS} characters`);
      }
      const found = read(value);
      if ('problem' in found) refuse(found.problem);
    })
    .meta({
      maxLength: ADDRESS_INPUT_CHARACTERS,
      pattern,
      not: { pattern: NOT_ADDRESS_PATTERN },
      description: 'An address, as user@host or Name <user@host>.',
      examples: ['Ada <ada@example.test>'],
    });
}

export const AddressString = addressString(readAddress, ADDRESS_PATTERN);
/** An address that may have a domain of one label, because SMTP accepts one. */
export const AnyAddressString = addressString(readAnyAddress, ANY_ADDRESS_PATTERN);
