import { z } from 'zod';

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Values for a template's placeholders. What each value may be is decided where they are used, because a wrong one is
 * `invalid_variables` and not `validation_error`. Decision 8. Not a `z.record`: that drops `__proto__`, which is a name like
 * any other here.
 */
export const Variables = z
  .unknown()
  .refine(isObject, 'must be an object that maps variable names to values')
  .meta({
    override: { type: 'object', additionalProperties: true },
    description: 'Values for the template’s placeholders: strings, finite numbers or booleans.',
  }) as unknown as z.ZodType<Record<string, unknown>, Record<string, unknown>>;
export type Variables = z.infer<typeof Variables>;
