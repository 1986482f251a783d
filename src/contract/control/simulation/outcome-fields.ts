import * as z from 'zod';
import { Duration, singleLineText } from '../../fields.js';
import { bounceTypes, complaintTypes, dropReasons, outcomes } from '../../vocabulary/outcome.js';
import { incompatibleDetails, type OutcomeDetails } from '../../vocabulary/outcome-details.js';

/** Defines the fields of a simulated outcome, which rules and the simulation of a sent email share. */

const REASON_CHARACTERS = 512;

/** An outcome, and values that replace the defaults in its events. */
export const OutcomeFields = z.object({
  outcome: z.enum(outcomes),
  bounce_type: z.enum(bounceTypes).optional().meta({ description: 'Bounce type. Default: hard.' }),
  complaint_type: z.enum(complaintTypes).optional().meta({ description: 'Complaint type. Default: abuse.' }),
  drop_reason: z.enum(dropReasons).optional().meta({ description: 'Drop reason. Default: invalid_address.' }),
  reason: singleLineText(REASON_CHARACTERS, 1)
    .optional()
    .meta({
      description: 'Bounce reason, as the recipient’s server states it.',
      examples: ['550 5.1.1 The mailbox does not exist'],
    }),
  delay: Duration.optional().meta({ description: 'Delay between sending and the first event of the outcome.' }),
});

/** Rejects details that do not apply to the outcome, such as a bounce type for a delivery. */
export function rejectIncompatibleDetails(value: OutcomeDetails, context: z.RefinementCtx): void {
  for (const { path, message } of incompatibleDetails(value))
    context.addIssue({ code: 'custom', path: [path], message });
}
