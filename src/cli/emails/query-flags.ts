import { Errors, Flags } from '@oclif/core';
import type { CapturedEmail } from '../../contract/control/emails/captured-email.js';
import { emailStatuses } from '../../contract/vocabulary/emails.js';
import { eventTypes } from '../../contract/vocabulary/event-types.js';
import type { FieldName } from '../../contract/vocabulary/query/fields.js';
import { allOf, formatCondition } from '../../contract/vocabulary/query/format-query.js';
import type { Pattern } from '../../contract/vocabulary/query/query.js';
import { readRegex } from '../../contract/vocabulary/query/regex.js';
import { COUNT_MAX, COUNT_RANGE_FORM, type CountRange, readCountRange } from '../../contract/vocabulary/ranges.js';
import { readSince, SINCE_FORM } from '../../contract/vocabulary/since.js';
import { exitCodes, UsageError } from '../errors/exit-codes.js';
import { checkQuery } from '../flags/values/query.js';
import { relativeTime } from '../output/local-time.js';
import { oneLine, quoted } from '../output/text.js';

/** Declares the flags that select emails by a query, and builds the query of their values. */

const emailEvents = eventTypes.filter((type) => type.startsWith('email.'));

export function searchFlag(description: string) {
  return Flags.string({ description, helpValue: 'QUERY' });
}

/** Conditions of a query. An email must meet all of them. */
const queryFlags = {
  to: Flags.string({ description: 'Recipient address in To, Cc or Bcc; * matches any text.', helpValue: 'ADDRESS' }),
  from: Flags.string({ description: 'Sender address; * matches any text.', helpValue: 'ADDRESS' }),
  subject: Flags.string({ description: 'Text of the subject, or /REGEX/.', helpValue: 'TEXT' }),
  tag: Flags.string({
    description: 'Tag; repeatable, emails must have all of them.',
    helpValue: 'TAG',
    multiple: true,
  }),
  status: Flags.option({ options: emailStatuses, description: 'Status of the email.' })(),
  event: Flags.option({ options: emailEvents, description: 'Type of an event of the email.', helpValue: 'TYPE' })(),
  search: searchFlag('Query, such as: subject:reset has:link.'),
};

/** What is expected of the emails that match, and which are considered. */
export const selectionFlags = {
  ...queryFlags,
  count: Flags.custom<CountRange>({
    description: 'Number of matching emails: exactly N, N..M, or N.. for at least N.',
    helpValue: 'N|N..M',
    parse: async (text) => countRange(text),
  })(),
  since: Flags.string({
    description:
      'Oldest email to consider: start, now, a duration before now, a cursor or a time, on the machine’s clock ' +
      '(default: SVC_SINCE, or 60s).',
    helpValue: 'start|now|DURATION|CURSOR|TIME',
    parse: async (text) => since(text),
  }),
  absent: Flags.boolean({ description: 'Succeed if no email matches.', exclusive: ['count'] }),
};

export interface QueryValues {
  to?: string | undefined;
  from?: string | undefined;
  subject?: string | undefined;
  tag?: string[] | undefined;
  status?: string | undefined;
  event?: string | undefined;
  search?: string | undefined;
}

/** The flags that become a condition of the field with their name. */
const FIELDS = ['to', 'from', 'subject', 'tag', 'status', 'event'] as const;

/**
 * Returns the query of the flags, empty without any.
 * @throws UsageError for an empty value, and QueryUsageError for an invalid query.
 */
export async function queryOf(values: QueryValues): Promise<string> {
  const conditions = FIELDS.flatMap((field) => [values[field] ?? []].flat().map((value) => conditionOf(field, value)));
  const { search } = values;
  if (search !== undefined) await checkQuery('--search', search);
  const query = allOf([...conditions, search ?? '']);
  await checkQuery('the flags', query);
  return query;
}

/**
 * Returns the condition of the flag of a field. Its value is `/REGEX/`, a glob if it has a `*`, or the text itself.
 * @throws UsageError for an empty value.
 */
export function conditionOf(field: FieldName, value: string, flag = `--${field}`): string {
  if (value.trim() === '') throw new UsageError(`${flag} must not be empty.`);
  return formatCondition(field, patternOf(value, flag));
}

/** A regular expression with flags of JavaScript. */
const WITH_FLAGS = /^\/.+\/[dgimsuvy]{1,8}$/s;

function patternOf(value: string, flag: string): Pattern {
  const regex = readRegex(value);
  if (regex) return { kind: 'regex', ...regex };
  if (WITH_FLAGS.test(value)) {
    throw new UsageError(
      `${flag}: ${quoted(value)} has a flag that is not supported; the only one is i.`,
      `Write it as /REGEX/ or /REGEX/i. For this text itself, use --search with quotes: ${flag.replace(/^--/, '')}:"…".`,
    );
  }
  return value.includes('*') ? { kind: 'glob', parts: value.split('*') } : { kind: 'contains', text: value };
}

/** Names the variable with the default of --since, which "svc dev exec" sets. */
const SINCE_VARIABLE = 'SVC_SINCE';
const SINCE_DEFAULT = '60s';

/** Returns the value of --since or its default. @throws UsageError for an invalid SVC_SINCE. */
export function sinceOf(value: string | undefined, env: NodeJS.ProcessEnv): string {
  if (value !== undefined) return value;
  const set = env[SINCE_VARIABLE];
  if (!set) return SINCE_DEFAULT;
  if (readSince(set)) return set;
  throw new UsageError(`${SINCE_VARIABLE} must be ${SINCE_FORM}, not ${quoted(set)}.`);
}

function since(text: string): string {
  if (readSince(text)) return text;
  throw new Errors.CLIError(`must be ${SINCE_FORM}, not ${quoted(text)}.`, { exit: exitCodes.usage });
}

const ZERO = /^0+$/;
const RANGE = /^(\d+)\.\.(\d+)$/;

function countRange(text: string): CountRange {
  const range = readCountRange(text);
  if (range) return range;
  const [, first, last] = RANGE.exec(text) ?? [];
  const isUpsideDown = Number(first) > Number(last);
  const advice = ZERO.test(text)
    ? '; to expect no email, pass --absent'
    : isUpsideDown
      ? '; the smaller number comes first'
      : '';
  throw new Errors.CLIError(`must be ${COUNT_RANGE_FORM}, at most ${COUNT_MAX}, not ${quoted(text)}${advice}.`, {
    exit: exitCodes.usage,
  });
}

/** Returns how long ago an email was received, as a sentence. `now` is the machine's time in milliseconds. */
export function receivedInWords({ id, captured_at }: Pick<CapturedEmail, 'id' | 'captured_at'>, now: number): string {
  const received = relativeTime(captured_at, new Date(now).toISOString());
  return `${oneLine(id)} was received ${received === 'now' ? 'just now' : received}.`;
}
