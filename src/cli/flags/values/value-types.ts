import { Args, Errors, Flags } from '@oclif/core';
import { BYTE_SIZE_FORM, readByteSize } from '../../../contract/vocabulary/parsers/byte-size.js';
import { DURATION_FORM, readDuration } from '../../../contract/vocabulary/parsers/duration.js';
import { DATE_FORM, DATE_TIME_FORM, readDateTime, readInstant } from '../../../contract/vocabulary/parsers/instant.js';
import { readStatusRange, STATUS_RANGE_FORM } from '../../../contract/vocabulary/parsers/status-range.js';
import { exitCodes } from '../../errors/exit-codes.js';
import { quoted } from '../../output/text.js';

/**
 * Flags and arguments whose values must have a certain form, checked by the same parsers that the server uses. An
 * invalid value is a usage error. The text itself is sent unchanged.
 */

export const dateFlag = Flags.custom<string>({ parse: inFlag(readInstant, DATE_FORM), helpValue: 'DATE' });
export const durationFlag = Flags.custom<string>({ parse: inFlag(readDuration, DURATION_FORM), helpValue: 'DURATION' });

/** The time to send at: in milliseconds from now, or as it was typed. */
export type Schedule = { after: number } | { at: string };

export const scheduleFlag = Flags.custom<Schedule>({
  parse: async (text) => {
    const after = readDuration(text);
    if (after !== undefined) return { after };
    return { at: check(text, readDateTime, `must be ${DURATION_FORM}, or ${DATE_TIME_FORM}`) };
  },
  helpValue: 'DURATION|TIME',
});

/** Returns the instant to send at, for a service whose clock shows `now`. */
export function scheduledAt(schedule: Schedule, now: number): string {
  return 'at' in schedule ? schedule.at : new Date(now + schedule.after).toISOString();
}

export const byteSizeFlag = Flags.custom<number>({
  parse: async (text) => {
    check(text, readByteSize, `must be ${BYTE_SIZE_FORM}`);
    return readByteSize(text);
  },
  helpValue: 'SIZE',
});
export const statusRangeFlag = Flags.custom<string>({
  parse: inFlag(readStatusRange, STATUS_RANGE_FORM),
  helpValue: 'STATUS',
});

export const dateTimeArg = Args.custom<string>({ parse: inArgument(readDateTime, DATE_TIME_FORM) });
export const durationArg = Args.custom<string>({ parse: inArgument(readDuration, DURATION_FORM) });

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
