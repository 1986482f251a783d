import type { Client } from '../../../client/client.js';
import { displayWidth, shorten } from '../../output/display-width.js';
import { oneLine } from '../../output/text.js';

/** A pane of the dashboard: a list of one kind of resource, newest first. */

export interface Pane {
  title: string;
  /** The text to show in an empty pane. */
  empty: string;
  /** The command that lists the rows that a pane omits. */
  elsewhere: string;
  /** Reads the newest rows. @throws as the client does. */
  read(client: Client, limit: number): Promise<RowPage>;
}

export interface RowPage {
  rows: Row[];
  /** The total number, where the server counts them. */
  total: number | undefined;
  /** Whether older rows exist. */
  more: boolean;
}

export interface Row {
  /** The id of the resource, the same on every read. */
  id: string;
  tone: Tone;
  /** The text to filter by, in lower case. */
  words: string;
  /** Returns the row as one line that is safe to print; a narrow pane omits columns. */
  line(width: number): string;
  /** Returns all details as text that is safe to print. @throws as the client does. */
  open(client: Client): Promise<string>;
  /** The email to simulate an outcome for, and its name in prompts. */
  email?: { id: string; about: string };
  /** The delivery or event to replay. */
  replay?: { delivery_id: string } | { event_id: string };
}

export type Tone = 'plain' | 'good' | 'waiting' | 'bad';

/** The maximum number of rows of a pane. */
export const ROWS_MAX = 1_000;
/** The number of rows of one read. */
export const ROWS_STEP = 100;

/** Returns text in a column of the given width. */
export function column(text: string, width: number): string {
  const shown = shorten(oneLine(text), width);
  return shown + ' '.repeat(Math.max(0, width - displayWidth(shown)));
}

export function wordsOf(...values: (string | number | null | undefined)[]): string {
  return oneLine(values.filter((value) => value !== null && value !== undefined).join(' ')).toLowerCase();
}
