import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { compileText } from '../../../src/core/search/compile-query.js';
import { type WaitEnd, Waits } from '../../../src/core/search/waits/waits.js';
import type { Store } from '../../../src/core/store.js';
import { openSqliteStore } from '../../../src/storage/sqlite/store.js';
import { emailOf } from '../../storage/records.js';
import { ManualTimers } from '../../support/servers/manual-timers.js';

const TIMEOUT_MS = 1_000;
const ANY_LIMIT_MS = 60_000;

let store: Store;
let timers: ManualTimers;
let waits: Waits;
let stop: AbortController;

beforeEach(() => {
  store = openSqliteStore('memory');
  timers = new ManualTimers();
  stop = new AbortController();
  waits = new Waits({ store, clock: timers, parsePending: async () => {}, extractPending: async () => {} });
});
afterEach(async () => {
  stop.abort();
  vi.restoreAllMocks();
  await store.close();
});

/** Replaces the search for existing emails by one that never reaches the end of the window. */
function searchWithoutEnd() {
  return vi.spyOn(store.read.emails, 'search').mockImplementation(async () => {
    await setImmediate();
    return { emails: [], total: 0, isTotalExact: false, next: 1 };
  });
}

async function waitFor(query: string, max?: number): Promise<WaitEnd> {
  const matcher = await compileText({ path: 'query', in: 'body' }, query, 0);
  const window = { after: 0, from: Number.NEGATIVE_INFINITY, workspace: undefined };
  return waits.wait({ matcher, window, count: { min: 1, max } }, { timeoutMs: TIMEOUT_MS, signal: stop.signal });
}

const insert = (id: string) => store.write((tx) => tx.emails.insert(emailOf(id, { subject: 'Reset' }), [], []));

describe('a wait whose existing emails take long to search', () => {
  it('fails after its time-out, instead of reporting that none matches', async () => {
    searchWithoutEnd();
    const waiting = expect(waitFor('subject:reset')).rejects.toThrow('could not be searched in time');
    await expect.poll(() => timers.size).toBe(1);
    timers.fire(TIMEOUT_MS);
    // The limits of parsing and of the last search.
    await expect.poll(() => timers.size).toBe(2);
    timers.fire(ANY_LIMIT_MS);
    await waiting;
  });

  it('ends when its client disconnects', async () => {
    const search = searchWithoutEnd();
    const waiting = waitFor('subject:reset');
    await expect.poll(() => search.mock.calls.length).toBeGreaterThan(3);
    stop.abort();
    expect(await waiting).toMatchObject({ isDone: false, matches: [] });
    const { length } = search.mock.calls;
    await setImmediate();
    expect(search.mock.calls).toHaveLength(length);
  });

  it('ends with an email that arrives meanwhile', async () => {
    const search = searchWithoutEnd();
    const waiting = waitFor('subject:reset');
    await expect.poll(() => search.mock.calls.length).toBeGreaterThan(3);
    await insert('msg_new');
    expect(await waiting).toMatchObject({ isDone: true, matches: [{ id: 'msg_new' }] });
  });

  it('does not find an email that is deleted meanwhile', async () => {
    await insert('msg_old');
    const { search } = store.read.emails;
    let isDeleted = false;
    vi.spyOn(store.read.emails, 'search').mockImplementationOnce(async (...args) => {
      const found = await search.apply(store.read.emails, args);
      await store.write((tx) => tx.emails.delete(['msg_old']));
      isDeleted = true;
      return found;
    });
    const waiting = waitFor('subject:reset', 1);
    await expect.poll(() => isDeleted).toBe(true);
    await insert('msg_new');
    expect((await waiting).matches.map(({ id }) => id)).toEqual(['msg_new']);
  });

  it('does not find emails that a reset deletes meanwhile', async () => {
    await insert('msg_old');
    const { search } = store.read.emails;
    let isReset = false;
    vi.spyOn(store.read.emails, 'search').mockImplementationOnce(async (...args) => {
      const found = await search.apply(store.read.emails, args);
      await store.write((tx) => tx.reset());
      isReset = true;
      return found;
    });
    const waiting = waitFor('subject:reset', 1);
    await expect.poll(() => isReset).toBe(true);
    await insert('msg_new');
    expect((await waiting).matches.map(({ id }) => id)).toEqual(['msg_new']);
  });
});
