import { Flags } from '@oclif/core';
import {
  bounceTypes,
  complaintTypes,
  incompatibleDetails,
  type OutcomeDetails,
} from '../../contract/vocabulary/outcomes.js';
import { UsageError } from '../errors/exit-codes.js';
import { fills, flagsFilling } from './request-field.js';
import { durationFlag } from './values/value-types.js';

/** Declares the flags with the details of a simulated outcome. */
export const outcomeFlags = {
  'bounce-type': fills(
    'bounce_type',
    Flags.option({ options: bounceTypes, description: 'Bounce type (default: hard).' })(),
  ),
  'complaint-type': fills(
    'complaint_type',
    Flags.option({ options: complaintTypes, description: 'Complaint type (default: abuse).' })(),
  ),
  reason: fills(
    'reason',
    Flags.string({
      description: 'Bounce reason, as the recipient’s server states it, such as "550 5.1.1 No such user".',
      helpValue: 'TEXT',
    }),
  ),
  delay: fills('delay', durationFlag({ description: 'Delay before the outcome, such as 30s, 2h or PT5M.' })),
};

/**
 * Checks the details of an outcome. `declared` are the flags of the command. @throws UsageError when a detail does not
 * apply.
 */
export function checkDetails(details: OutcomeDetails, declared: Record<string, { field?: string }>): void {
  const found = incompatibleDetails(details).map(
    ({ path, message }) => `--${flagsFilling(declared, path)[0]} ${message}`,
  );
  if (found.length > 0) throw new UsageError(`${found.join('; ')}.`);
}
