import { Args, Errors, Flags } from '@oclif/core';
import { WORKSPACE_NAME, WORKSPACE_NAME_FORM } from '../../../contract/vocabulary/access.js';
import { BYTE_SIZE_FORM, readByteSize } from '../../../contract/vocabulary/byte-size.js';
import { DURATION_FORM, readDuration } from '../../../contract/vocabulary/durations.js';
import { DATE_FORM, DATE_TIME_FORM, readDateTime, readInstant } from '../../../contract/vocabulary/instants.js';
import { readStatusRange, STATUS_RANGE_FORM } from '../../../contract/vocabulary/ranges.js';
import { exitCodes, UsageError } from '../../errors/exit-codes.js';
import { quoted } from '../../output/text.js';

/**
 * Flags and arguments whose values must have a certain form, checked by the same parsers that the server uses. An
 * invalid value is a usage error. The text itself is sent unchanged.
 */

export const durationFlag = Flags.custom<string>({ parse: inFlag(readDuration, DURATION_FORM), helpValue: 'DURATION' });

/** A time in the past: a duration before now, a date or a date-time. `timeBefore` converts it for a request. */
export const pastTimeFlag = Flags.custom<string>({
  parse: inFlag((text) => readDuration(text) ?? readInstant(text), `${DURATION_FORM}, or ${DATE_FORM}`),
  helpValue: 'DURATION|TIME',
});

/** A time in the future: a duration from now, or a date-time. `timeAfter` converts it for a request. */
export const futureTimeFlag = Flags.custom<string>({
  parse: inFlag((text) => readDuration(text) ?? readDateTime(text), `${DURATION_FORM}, or ${DATE_TIME_FORM}`),
  helpValue: 'DURATION|TIME',
});

/** Returns the time of a flag in ISO 8601. A duration counts back from `now`, the time of the service’s clock. */
export function timeBefore(time: string, now: number): string {
  const duration = readDuration(time);
  return duration === undefined ? time : new Date(now - duration).toISOString();
}

/** Returns the time of a flag in ISO 8601. A duration counts from `now`, the time of the service’s clock. */
export function timeAfter(time: string, now: number): string {
  const duration = readDuration(time);
  return duration === undefined ? time : new Date(now + duration).toISOString();
}

export const byteSizeFlag = Flags.custom<number>({
  parse: async (text) => {
    check(text, readByteSize, `must be ${BYTE_SIZE_FORM}`);
    return readByteSize(text);
  },
  helpValue: 'SIZE',
});
/** A percentage, with decimals if needed. */
export const percentFlag = Flags.custom<number>({
  parse: async (text) => {
    check(text, readPercentage, 'must be a number from 0 to 100, such as 0.5');
    return readPercentage(text);
  },
  helpValue: 'PERCENT',
});
export const statusRangeFlag = Flags.custom<string>({
  parse: inFlag(readStatusRange, STATUS_RANGE_FORM),
  helpValue: 'STATUS',
});

export const dateTimeArg = Args.custom<string>({ parse: inArgument(readDateTime, DATE_TIME_FORM) });
export const durationArg = Args.custom<string>({ parse: inArgument(readDuration, DURATION_FORM) });

function readPercentage(text: string): number | undefined {
  return /^\d{1,3}(?:\.\d{1,9})?$/.test(text) && Number(text) <= 100 ? Number(text) : undefined;
}

type Reader = (text: string) => unknown;

/** Returns a parser for a flag. oclif adds the name of the flag to the error. */
function inFlag(read: Reader, form: string) {
  return async (text: string): Promise<string> => check(text, read, `must be ${form}`);
}

function inArgument(read: Reader, form: string) {
  return async (text: string, _context: unknown, { name = '' }: { name?: string }): Promise<string> =>
    check(text, read, `${name.toUpperCase()} must be ${form}`);
}

function check(text: string, read: Reader, rule: string): string {
  if (read(text) !== undefined) return text;
  throw new Errors.CLIError(`${rule}, not ${quoted(text)}.`, { exit: exitCodes.usage });
}

/** Returns the name of a workspace. @throws UsageError for any other text. */
export async function readWorkspaceName(value: string): Promise<string> {
  if (WORKSPACE_NAME.test(value)) return value;
  throw new UsageError(`NAME must be ${WORKSPACE_NAME_FORM}, not ${quoted(value)}.`);
}
