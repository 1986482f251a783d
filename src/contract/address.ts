import { z } from 'zod';
import { ADDRESS_INPUT_CHARACTERS } from './vocabulary/limits.js';
import { readAddress } from './vocabulary/parsers/address.js';

export const AddressString = z
  .string()
  .superRefine((value, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', message });
    if (value.length > ADDRESS_INPUT_CHARACTERS) {
      return refuse(`must be at most ${ADDRESS_INPUT_CHARACTERS} characters`);
    }
    const read = readAddress(value);
    if ('problem' in read) refuse(read.problem);
  })
  .meta({ description: 'An address, as user@host or Name <user@host>.', examples: ['Ada <ada@example.test>'] });
