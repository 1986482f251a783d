import type { Client } from '../../../client/client.js';
import { displayWidth, shorten } from '../../output/display-width.js';
import { oneLine } from '../../output/text.js';

/** A pane of the dashboard: a list, newest first, of what the server holds of one kind. */

export interface Pane {
  title: string;
  /** What to say while there is nothing. */
  empty: string;
  /** The command that shows what the pane has no room for. */
  elsewhere: string;
  /** The newest rows. @throws as the client does. */
  read(client: Client, limit: number): Promise<RowPage>;
}

export interface RowPage {
  rows: Row[];
  /** How many there are in all, where the server counts them. */
  total: number | undefined;
  /** Whether there are older ones. */
  more: boolean;
}

export interface Row {
  /** The same whenever it is read again. */
  id: string;
  tone: Tone;
  /** What a filter looks in, in lower case. */
  words: string;
  /** One line; what a narrow pane has no room for is left out. Safe to print. */
  line(width: number): string;
  /** All there is to know, safe to print. @throws as the client does. */
  open(client: Client): Promise<string>;
  /** The email that it is, whose outcome can be simulated, and how a question names it. */
  email?: { id: string; about: string };
  /** What can be sent again. */
  replay?: { delivery_id: string } | { event_id: string };
}

export type Tone = 'plain' | 'good' | 'waiting' | 'bad';

/** The most rows that a pane holds. */
export const ROWS_MAX = 1_000;
/** How many it reads at a time. */
export const ROWS_STEP = 100;

/** Returns text in a column of the given width. */
export function column(text: string, width: number): string {
  const shown = shorten(oneLine(text), width);
  return shown + ' '.repeat(Math.max(0, width - displayWidth(shown)));
}

/** The time of day, in UTC as everything that svc prints. */
export function timeOf(timestamp: string): string {
  return timestamp.slice(11, 19);
}

export function wordsOf(...values: (string | number | null | undefined)[]): string {
  return oneLine(values.filter((value) => value !== null && value !== undefined).join(' ')).toLowerCase();
}
