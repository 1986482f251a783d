import { NEAR_MISSES_MAX } from '../../../contract/vocabulary/limits.js';
import type { Since } from '../../../contract/vocabulary/since.js';
import type { Clock } from '../../ports.js';
import type { Store } from '../../store.js';
import { compileQuery } from '../compile-query.js';
import { type Miss, nearMisses } from '../near-misses.js';
import type { EmailRef, WaitCondition, WaitWindow } from './waiter.js';

/** Reads the emails in the window of a wait. */

type EmailReads = Pick<Store, 'read'>;

export interface WindowDeps {
  store: EmailReads;
  clock: Pick<Clock, 'systemNow'>;
  /** When the server started, on the machine's clock. */
  startedAt: number;
}

/** Returns the window that begins at `since`. */
export async function windowOf(
  since: Since,
  workspace: string | undefined,
  { store, clock, startedAt }: WindowDeps,
): Promise<WaitWindow> {
  const { emails } = store.read;
  const after = (seq: number): WaitWindow => ({ after: seq, from: Number.NEGATIVE_INFINITY, workspace });
  const from = async (at: number): Promise<WaitWindow> => ({ after: await emails.seqSince(at), from: at, workspace });
  switch (since.kind) {
    case 'now':
      return after(await emails.lastSeq());
    case 'cursor':
      return after(since.seq);
    case 'start':
      return from(startedAt);
    case 'duration':
      return from(clock.systemNow() - since.milliseconds);
    case 'time':
      return from(since.at);
  }
}

export interface FindOptions {
  limit: number;
  /** Includes messages that are not parsed yet, with what is known from their envelope. */
  unparsed: boolean;
  /** Called between two steps. The search ends when it returns true. */
  isOver(): boolean;
}

/** Returns the emails in a window that match, newest first; undefined if the search was ended early. */
export async function findInWindow(
  { read }: EmailReads,
  { matcher, window }: WaitCondition,
  { limit, unparsed, isOver }: FindOptions,
): Promise<EmailRef[] | undefined> {
  const found: EmailRef[] = [];
  let before: number | undefined;
  while (found.length < limit) {
    const { after, workspace } = window;
    const page = await read.emails.search(matcher, { limit: limit - found.length, after, before, workspace });
    for (const { id, seq, origin, capturedAt } of page.emails) {
      const isUnparsed = !unparsed && origin === 'smtp' && (await read.emails.isParsing(id));
      if (capturedAt >= window.from && !isUnparsed) found.push({ id, seq });
    }
    if (page.next === null) break;
    if (isOver()) return undefined;
    before = page.next;
  }
  return found;
}

/** Number of emails of a window, the newest, that are compared with a query that they do not match. */
const COMPARED_MAX = 200;
const BATCH = 50;

/** Returns the emails in a window that do not match, the closest first. */
export async function missesInWindow({ read }: EmailReads, { matcher, window }: WaitCondition): Promise<Miss[]> {
  const { after, workspace } = window;
  const every = await compileQuery({ kind: 'and', terms: [] }, matcher);
  const { emails } = await read.emails.search(every, { limit: COMPARED_MAX, after, workspace });
  const ids = emails.filter(({ capturedAt }) => capturedAt >= window.from).map(({ id }) => id);
  let misses: Miss[] = [];
  for (let start = 0; start < ids.length; start += BATCH) {
    const documents = await read.emails.documents(ids.slice(start, start + BATCH));
    // Keeps the closest only, because a document has the whole content of its email.
    misses = nearMisses(matcher, [...misses.map(({ document }) => document), ...documents], NEAR_MISSES_MAX);
  }
  return misses;
}
