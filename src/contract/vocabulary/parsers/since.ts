import { readDuration } from './duration.js';
import { DATE_FORM, readInstant } from './instant.js';

/**
 * The first email that a search considers: the one after a cursor, or the first that the machine captured at or after a
 * time. `ago` counts back from the machine's time. `now` considers only emails that arrive after the request.
 */
export type Since = 'now' | { cursor: number } | { at: number } | { ago: number };

export const SINCE_FORM = `start, now, a cursor, a duration such as 90s or 2h, ${DATE_FORM}`;

const CURSOR = /^\d{1,15}$/;

/** Reads `start`, `now`, a cursor such as `41`, a duration such as `90s`, or a time; undefined if it is invalid. */
export function readSince(text: string): Since | undefined {
  if (text === 'start') return { cursor: 0 };
  if (text === 'now') return 'now';
  if (CURSOR.test(text)) return { cursor: Number(text) };
  const ago = readDuration(text);
  if (ago !== undefined) return { ago };
  const instant = readInstant(text);
  return instant && { at: instant.at };
}
