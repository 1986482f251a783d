import { z } from 'zod';

/**
 * Values for a template's placeholders. What each value may be is decided where they are used, because a wrong one is
 * `invalid_variables` and not `validation_error`. Decision 8.
 */
export const Variables = z
  .record(z.string(), z.unknown(), { error: 'must be an object of variable name to value' })
  .meta({
    description: 'Values for the template’s placeholders: strings, finite numbers or booleans.',
  });
export type Variables = z.infer<typeof Variables>;
