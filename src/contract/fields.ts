import * as z from 'zod';
import { DURATION_FORM, readDuration } from './vocabulary/durations.js';
import {
  DATE_FORM,
  DATE_PATTERN,
  DATE_TIME_FORM,
  DATE_TIME_PATTERN,
  readDateBound,
  readDateTime,
} from './vocabulary/instants.js';
import { OFFSET_MAX, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from './vocabulary/limits.js';
import {
  isUpToCharacters,
  linePattern,
  NO_CONTROL_CHARACTER,
  TRIMMED,
  utf8Length,
  VISIBLE_CHARACTER,
} from './vocabulary/text.js';

/** Defines field types that several resources share. */

/**
 * Returns a schema for text of at most this many characters (code points, as JSON Schema counts them). `problem` is the
 * message about a longer one.
 */
function textUpToCharacters(max: number, min = 0, problem = `must be at most ${max} characters`) {
  return (
    z
      .string()
      .min(min, min === 1 ? 'must not be empty' : undefined)
      // Stops at a value that is too long: with some patterns, the stack or the time of a check grows with the value.
      .refine((value) => isUpToCharacters(value, max), { error: problem, abort: true })
      .meta({ maxLength: max })
  );
}

/** Returns a schema for text without line breaks and other control characters. */
export function singleLineText(max: number, min = 0, problem?: string) {
  return textUpToCharacters(max, min, problem).regex(
    NO_CONTROL_CHARACTER,
    'must not contain a line break or another control character',
  );
}

const CHARACTER = NO_CONTROL_CHARACTER.source.slice(1, -2);

/** A pattern of recipients. Without a `*`, only an address can match. */
export const RecipientPattern = singleLineText(320, 1)
  .regex(/\*|.@./, 'must be an address, or a pattern with * such as *@corp.test')
  .meta({ pattern: `^(?:${CHARACTER}*\\*${CHARACTER}*|${CHARACTER}+@${CHARACTER}+)$` });

/** Adds to a schema for text that it contains a visible character (gap 43). */
export function withVisibleText(text: z.ZodString) {
  return text.regex(VISIBLE_CHARACTER, {
    error: ({ input }) => (input === '' ? 'must not be empty' : 'must contain a visible character'),
    abort: true,
  });
}

/** Returns a schema for one line with a visible character. */
export function visibleLine(max: number) {
  return withVisibleText(singleLineText(max)).meta({ pattern: linePattern() });
}

/** Returns a schema for a name: one line with a visible character, and without white space around it. */
export function nameText(max: number) {
  return withVisibleText(singleLineText(max))
    .regex(TRIMMED, 'must not start or end with white space')
    .meta({ pattern: linePattern({ trimmed: true }) });
}

/** Returns a schema for any text, limited in UTF-8 bytes. */
export function textUpToBytes(bytes: number) {
  return z
    .string()
    .refine((value) => value.length * 3 <= bytes || (value.length <= bytes && utf8Length(value) <= bytes), {
      error: `must be at most ${bytes} bytes in UTF-8`,
      abort: true,
    })
    .meta({ maxLength: bytes });
}

/** A timestamp of a response: ISO 8601 in UTC with milliseconds. */
export const Timestamp = z.iso.datetime({ precision: 3 }).meta({ description: 'ISO 8601, UTC.' });

const idBody = '[0-9A-Za-z]{1,64}';

/** Returns a schema for IDs with a prefix, such as `msg_<id>`. Specification: Resources and their fields. */
export function prefixedId(prefix: IdPrefix) {
  return z
    .string()
    .regex(new RegExp(`^${prefix}_${idBody}$`), `must be a ${prefix}_ ID`)
    .meta({ examples: [`${prefix}_01k9m3v5w7x9y1z3a5b7c9d1e3`] });
}
export type IdPrefix = 'msg' | 'tpl' | 'key' | 'whk' | 'evt' | 'req' | 'smtp';

/** Returns a schema for a query parameter that is an integer of at most fifteen digits. */
export function integerParameter(min: number, max = OFFSET_MAX) {
  return z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`)
    .meta({ override: { type: 'integer', minimum: min, maximum: max } });
}

export const PageQuery = z.object({
  limit: integerParameter(1, PAGE_SIZE_MAX).default(PAGE_SIZE_DEFAULT),
  offset: integerParameter(0).default(0),
});
export type PageQuery = z.infer<typeof PageQuery>;

export const Pagination = z.object({
  total: z.int().min(0),
  limit: z.int().min(1).max(PAGE_SIZE_MAX),
  offset: z.int().min(0),
  has_more: z.boolean(),
});
export type Pagination = z.infer<typeof Pagination>;

/** Returns a schema for text that `read` can parse. For other text, the message is `must be` and the form. */
export function parsedText<T>(read: (text: string) => T | undefined, form: string) {
  return z.string().transform((text, context) => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: `must be ${form}` });
    return z.NEVER;
  });
}

/** Parses a date-time to milliseconds since 1970. */
export const DateTime = parsedText(readDateTime, DATE_TIME_FORM).meta({
  override: { type: 'string', format: 'date-time', pattern: DATE_TIME_PATTERN },
  examples: ['2026-03-02T09:30:00Z', '2026-03-02T09:30:00+02:00'],
});

/**
 * Returns a schema for an inclusive date bound. A date without a time covers the whole UTC day (gap 29). `rules` are
 * further rules for the API description.
 */
export function dateBound(side: 'first' | 'last', rules = {}) {
  return parsedText((text) => readDateBound(text, side), DATE_FORM).meta({
    override: { type: 'string', pattern: DATE_PATTERN, ...rules },
    examples: ['2026-01-31', '2026-01-31T12:00:00Z'],
  });
}

/** Parses a duration such as `90s`, `2h`, `1d12h` or `PT2H` to milliseconds. */
export const Duration = parsedText(readDuration, DURATION_FORM).meta({
  override: { type: 'string' },
  examples: ['90s', '1d12h', 'PT2H'],
});

/** The workspace that a request changes. */
export const ChangedWorkspace = z
  .string()
  .optional()
  .meta({ description: 'The workspace, for a key that changes all (default: that of the key).' });
