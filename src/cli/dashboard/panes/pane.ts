import type { Client } from '../../../client/client.js';
import { allPages, type Page } from '../../command/all-pages.js';
import { type CommandLine, oneLine } from '../../output/text.js';

/** A pane of the dashboard: a list of one kind of resource, newest first. */

export interface Pane {
  title: string;
  /** The name of one of its rows, as the title of the preview. */
  item: string;
  columns: readonly Column[];
  /** The text to show in an empty pane. */
  empty: string;
  /** The command that fills the pane, without `svc`. */
  fill?: string;
  /** The command that lists the rows that a pane omits, without `svc`. */
  elsewhere: string;
  /** Reads the newest rows. @throws as the client does. */
  read(client: Client, limit: number): Promise<RowPage>;
}

/** A column of a pane's list. */
export interface Column {
  title: string;
  /** Minimum width. */
  width: number;
  /** Share of the width that remains; 0 by default. */
  grow?: number;
  /** Minimum width of the pane to show the column. */
  from?: number;
  /** Whether rows can be sorted by it. */
  sort?: boolean;
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
  /** One cell per column of the pane, in untrusted text. */
  cells: readonly Cell[];
  /** The text to filter by, in lower case. */
  words: string;
  /** Returns all details as text that is safe to print. @throws as the client does. */
  open(client: Client, command: CommandLine): Promise<string>;
  /** Returns what can be copied besides the id. @throws as the client does. */
  copies?(client: Client): Promise<Copy[]>;
  /** The email to simulate an outcome for, to open, save and delete, and its name in prompts. */
  email?: { id: string; about: string };
  /** The delivery or event to replay. */
  replay?: { delivery_id: string } | { event_id: string };
}

/** A cell; only the one with the status has a color. */
export type Cell = string | { text: string; tone: Tone };

export type Tone = 'plain' | 'good' | 'waiting' | 'bad';

export interface Copy {
  name: string;
  value: string;
}

/** The maximum number of rows of a pane. */
export const ROWS_MAX = 1_000;
/** The number of rows of one read. */
export const ROWS_STEP = 100;

export function wordsOf(...values: (string | number | null | undefined)[]): string {
  return oneLine(values.filter((value) => value !== null && value !== undefined).join(' ')).toLowerCase();
}

export function textOf(cell: Cell | undefined): string {
  return typeof cell === 'object' ? cell.text : (cell ?? '');
}

/** Reads the newest rows of a list that has pages. */
export function newestOf<Item extends { id: string }>(
  readPage: (client: Client, query: { limit: number; offset: number }) => Promise<Page<Item>>,
  rowOf: (item: Item) => Row,
): Pane['read'] {
  return async (client, limit) => {
    const rows: Row[] = [];
    let page: Page<Item> | undefined;
    for await (page of allPages((query) => readPage(client, query))) {
      rows.push(...page.items.map(rowOf));
      if (rows.length >= limit) break;
    }
    return { rows: rows.slice(0, limit), total: page?.pagination.total, more: page?.pagination.has_more ?? false };
  };
}
