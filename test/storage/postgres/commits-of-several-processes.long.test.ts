import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Committed, Store } from '../../../src/core/store.js';
import { openPostgresStore } from '../../../src/storage/postgres/store.js';
import { type PostgresServer, startPostgres, withoutPostgres } from '../../support/postgres.js';
import { announcementsOf } from '../../support/storage/announcements.js';
import { eventOf, insertEmail, NOON } from '../records.js';

const WRITERS = 3;
const WRITES = 120;

describe.skipIf(withoutPostgres)(`commits of several processes on one database${withoutPostgres}`, () => {
  let server: PostgresServer;
  let url: string;
  const opened: Store[] = [];

  beforeAll(async () => {
    server = await startPostgres();
    url = await server.createDatabase();
  });
  afterAll(async () => {
    for (const store of opened) await store.close();
    await server.remove();
  });

  async function open(process: string): Promise<Store> {
    const store = await openPostgresStore(url, { process });
    opened.push(store);
    return store;
  }

  it('reach the listeners of every process once and in one order, and no reader skips an event', async () => {
    const stores = await Promise.all(Array.from({ length: WRITERS }, (_, n) => open(`writer ${n}`)));
    const first = (await stores[0]!.read.events.lastSeq()) + 1;
    const heard = stores.map(announcementsOf);
    // Each reads on from the last number that it saw, as readers of the event stream do.
    let isDone = false;
    const readers = stores.map(async ({ read }) => {
      const seqs: number[] = [];
      for (let last = first - 1; ; ) {
        const wasDone = isDone;
        const events = await read.events.after(last, 50);
        for (const { seq } of events) seqs.push(seq);
        last = seqs.at(-1) ?? last;
        if (wasDone && events.length === 0) return seqs;
      }
    });
    const failing = stores.map((store) =>
      store.write(async (tx) => {
        await tx.events.append(eventOf('evt_undone'), 'sent');
        throw new Error('as asked for');
      }),
    );
    const writes = stores.flatMap((store, writer) =>
      Array.from({ length: WRITES }, async (_, n) => {
        // Spreads the writes over several commits.
        for (let turn = 0; turn < (n * 7) % 40; turn += 1) await new Promise(setImmediate);
        await store.write((tx) => tx.events.append(eventOf(`evt_${writer}_${n}`), 'sent'));
      }),
    );
    await Promise.allSettled(failing);
    await Promise.all(writes);
    isDone = true;

    const all = Array.from({ length: WRITERS * WRITES }, (_, n) => first + n);
    for (const seqs of await Promise.all(readers)) expect(seqs).toEqual(all);
    const seqsOf = (commits: readonly Committed[]) => commits.flatMap(({ appended }) => appended.map(({ seq }) => seq));
    for (const announced of heard) {
      await announced.until((commits) => seqsOf(commits).length >= all.length);
      expect(seqsOf(announced.heard)).toEqual(all);
    }
    expect((await stores[0]!.read.events.count(NOON, NOON)).sent).toBe(WRITERS * WRITES);
  });

  it('have everything that the listeners of the own process receive', async () => {
    const [own, other] = [await open('own'), await open('other')];
    const [here, there] = [announcementsOf(own), announcementsOf(other)];
    await own.write((tx) => insertEmail(tx, 'msg_1'));
    await own.write((tx) => tx.events.append(eventOf('evt_own'), 'sent'));
    await own.write((tx) => tx.jobs.add({ kind: 'email.deliver', runAt: NOON, payload: {} }));
    await own.write((tx) => tx.emails.delete(['msg_1']));
    await own.write((tx) => tx.reset());
    await there.until(({ length }) => length >= 5);
    // A reset deletes events, which the other process may read only afterwards.
    const withoutEvents = (all: readonly Committed[]) => all.map(({ appended, foreign, ...rest }) => rest);
    expect(withoutEvents(there.heard)).toEqual(withoutEvents(here.heard));
    expect(here.heard.map(({ deleted }) => deleted)).toEqual([undefined, undefined, undefined, true, undefined]);
  });
});
