import { Flags } from '@oclif/core';
import { bounceTypes, complaintTypes } from '../contract/outcome.js';
import { misfits, type OutcomeDetails } from '../contract/outcome-details.js';
import { UsageError } from './exit-codes.js';
import { flagsOf } from './refusal-words.js';
import { durationFlag } from './value-forms.js';

/** What an outcome's events say, where the usual is not wanted. */
export const outcomeFlags = {
  'bounce-type': Flags.option({ options: bounceTypes, description: 'Bounce type (default: hard).' })(),
  'complaint-type': Flags.option({
    options: complaintTypes,
    description: 'Complaint type (default: abuse).',
  })(),
  reason: Flags.string({
    description: 'Bounce reason, as the recipient’s server states it, such as "550 5.1.1 No such user".',
    helpValue: 'TEXT',
  }),
  delay: durationFlag({ description: 'Delay before the outcome, such as 30s, 2h or PT5M.' }),
};

/** @throws UsageError when the outcome has no use for a detail. */
export function checkDetails(details: OutcomeDetails): void {
  const found = misfits(details).map(({ path, message }) => `--${flagsOf(path)[0]} ${message}`);
  if (found.length > 0) throw new UsageError(`${found.join('; ')}.`);
}
