import { Flags } from '@oclif/core';
import { bounceTypes, complaintTypes } from '../../contract/vocabulary/outcome.js';
import { incompatibleDetails, type OutcomeDetails } from '../../contract/vocabulary/outcome-details.js';
import { UsageError } from '../errors/exit-codes.js';
import { flagsOf } from '../errors/field-to-flag.js';
import { durationFlag } from './value-types.js';

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
  const found = incompatibleDetails(details).map(({ path, message }) => `--${flagsOf(path)[0]} ${message}`);
  if (found.length > 0) throw new UsageError(`${found.join('; ')}.`);
}
