import { DURATION_FORM, readDuration } from './durations.js';
import { DATE_FORM, readInstant } from './instants.js';

/** Parses the start of the window in which a wait looks for emails. All of its times are on the machine's clock. */

export type Since =
  /** The start of the server. */
  | { kind: 'start' }
  /** The time of the request. */
  | { kind: 'now' }
  /** Milliseconds before the request. */
  | { kind: 'duration'; milliseconds: number }
  /** Milliseconds since 1970. */
  | { kind: 'time'; at: number }
  /** The number of an email: the window begins after it. */
  | { kind: 'cursor'; seq: number };

export const SINCE_FORM = `start, now, a cursor such as c42, ${DATE_FORM}, or ${DURATION_FORM}`;

/** The prefix tells a cursor from a number of seconds that lacks its unit. */
const CURSOR = /^c(\d{1,15})$/;

/** Returns undefined for a text of another form. */
export function readSince(text: string): Since | undefined {
  if (text === 'start' || text === 'now') return { kind: text };
  const seq = readCursor(text);
  if (seq !== undefined) return { kind: 'cursor', seq };
  const milliseconds = readDuration(text);
  if (milliseconds !== undefined) return { kind: 'duration', milliseconds };
  const instant = readInstant(text);
  return instant && { kind: 'time', at: instant.at };
}

/** Returns the cursor of an email, by its number in the order of acceptance. */
export function formatCursor(seq: number): string {
  return `c${seq}`;
}

/** Returns the number of a cursor's email; undefined if the text is not a cursor. */
export function readCursor(text: string): number | undefined {
  const digits = CURSOR.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
