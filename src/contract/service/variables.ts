import * as z from 'zod';
import { isJsonObject } from '../vocabulary/json.js';

/** Linters require items of an array, and openapi-generator misreads them without a keyword. */
const ANYTHING = { description: 'Any value.' };

/**
 * Values for a template's placeholders. Each value is checked when it is used, because an invalid one is
 * `invalid_variables` and not `validation_error`. Gap 8. Does not use `z.record`, which drops the key `__proto__`,
 * a valid name here.
 */
export const Variables = z
  .unknown()
  .refine(isJsonObject, {
    error: ({ input }) =>
      input === undefined ? 'is required' : 'must be an object that maps variable names to values',
  })
  .meta({
    // Excludes types because generators make a class of several allowed types.
    override: { type: 'object', additionalProperties: { not: { type: ['object', 'array', 'null'], items: ANYTHING } } },
    description: 'Values for the template’s placeholders: strings, finite numbers or booleans.',
  }) as unknown as z.ZodType<Record<string, unknown>, Record<string, unknown>>;
export type Variables = z.infer<typeof Variables>;

/** Values of variables in a response, where generators fail to read null next to the excluded types. */
export const StoredVariables = Variables.meta({ override: { type: 'object', additionalProperties: true } }).nullable();
