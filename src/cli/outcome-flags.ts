import { Flags } from '@oclif/core';
import { DURATION_FORM, readDuration } from '../contract/duration.js';
import { bounceTypes, complaintTypes } from '../contract/outcome.js';
import { UsageError } from './exit-codes.js';

/** What an outcome's events say, where the usual is not wanted. */
export const outcomeFlags = {
  'bounce-type': Flags.option({ options: bounceTypes, description: 'Of a bounce; hard unless said otherwise.' })(),
  'complaint-type': Flags.option({
    options: complaintTypes,
    description: 'Of a complaint; abuse unless said otherwise.',
  })(),
  reason: Flags.string({
    description: 'Of a bounce: what the recipient’s server says, as in "550 5.1.1 No such user".',
    helpValue: 'TEXT',
  }),
  delay: Flags.string({ description: 'How long until it happens: 30s, 2h, PT5M.', helpValue: 'DURATION' }),
};

/** The text, once it is known to be a duration. */
export function checkDuration(name: string, value: string): string {
  if (readDuration(value) !== undefined) return value;
  throw new UsageError(`${name} must be ${DURATION_FORM}, not ${JSON.stringify(value)}.`);
}
