import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../src/core/store.js';
import type { Transaction } from '../../../src/core/transaction.js';
import { openPostgresStore } from '../../../src/storage/postgres/store.js';
import { type PostgresServer, startPostgres, withoutPostgres } from '../../support/postgres.js';
import { emailOf, eventOf, insertEmail, recipientOf, ruleOf, suppressionOf, webhookOf } from '../records.js';

const ROUNDS = 30;

describe.skipIf(withoutPostgres)(`a commit that is prepared while another process commits${withoutPostgres}`, () => {
  let server: PostgresServer;
  let one: Store;
  let other: Store;

  beforeAll(async () => {
    server = await startPostgres();
  });
  beforeEach(async () => {
    const url = await server.createDatabase();
    one = await openPostgresStore(url, { process: 'one' });
    other = await openPostgresStore(url, { process: 'other' });
    return async () => {
      await one.close();
      await other.close();
    };
  });
  afterAll(() => server.remove());

  /** Inserts an email with what the transaction reads about its recipient. Counts the runs. */
  function sending(runs: { count: number }, mailbox: string) {
    return async (tx: Transaction) => {
      runs.count += 1;
      const suppressed = (await tx.suppressions.find(mailbox, null)) !== undefined;
      await insertEmail(tx, `msg_${mailbox}_${runs.count}`);
      return suppressed;
    };
  }

  it('finds a suppression that was added after it was read for the last time', async () => {
    const runs = { count: 0 };
    const send = () => one.write(sending(runs, 'ada@example.test'));
    expect(await send()).toBe(false);
    await other.write((tx) => tx.suppressions.insert(suppressionOf('ada@example.test', { workspace: null })));
    expect(await send()).toBe(true);
    // The second send ran again, because what it had read was no longer true.
    expect(runs.count).toBe(3);
    await other.write((tx) => tx.suppressions.delete('ada@example.test', null));
    expect(await send()).toBe(false);
    expect((await one.read.emails.list({}, { limit: 9, offset: 0 })).total).toBe(3);
  });

  it('does not run again after a change that does not concern it', async () => {
    const runs = { count: 0 };
    const send = () => one.write(sending(runs, 'ada@example.test'));
    await send();
    await other.write((tx) => tx.suppressions.insert(suppressionOf('bob@example.test')));
    expect(await send()).toBe(false);
    expect(runs.count).toBe(2);
  });

  it('finds what an earlier write of the same commit has changed', async () => {
    const found = await Promise.all([
      one.write((tx) => tx.suppressions.find('ada@example.test', null)),
      one.write((tx) => tx.suppressions.insert(suppressionOf('ada@example.test', { workspace: null }))),
      one.write((tx) => tx.suppressions.find('ada@example.test', null)),
    ]);
    expect(found.map((each) => each?.mailbox)).toEqual([undefined, undefined, 'ada@example.test']);
    const find = () => one.write((tx) => tx.suppressions.find('ada@example.test', null));
    const removed = await Promise.all([
      find(),
      one.write((tx) => tx.suppressions.delete('ada@example.test', null)),
      find(),
    ]);
    expect([removed[0]?.mailbox, removed[1], removed[2]]).toEqual(['ada@example.test', true, undefined]);
  });

  it('uses a rule as often as it allows, together with the other process', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await one.write((tx) => tx.rules.insert(ruleOf(`rule_${round}`, { workspace: null, times: 1, used: 0 })));
      const use = async (tx: Transaction) => {
        const [active] = await tx.rules.listActive(null);
        if (active) await tx.rules.use(active.id);
        return active !== undefined;
      };
      const used = await Promise.all([one, other, one, other].map((store) => store.write(use)));
      expect(used.filter(Boolean)).toHaveLength(1);
    }
  });

  it('begins to deliver events in the commit after a subscription was added', async () => {
    const isFollowed = (store: Store) => store.write((tx) => tx.webhooks.hasActive());
    expect(await isFollowed(one)).toBe(false);
    await other.write((tx) => tx.webhooks.insert(webhookOf('whk_1', { active: true })));
    expect(await isFollowed(one)).toBe(true);
    await other.write((tx) => tx.webhooks.update(webhookOf('whk_1', { active: false })));
    expect(await isFollowed(one)).toBe(false);
  });

  it('numbers emails and events without gaps, also those of writes that failed or ran again', async () => {
    const append = async (tx: Transaction, id: string) => {
      await tx.suppressions.find('ada@example.test', null);
      await tx.emails.insert(emailOf(`msg_${id}`), [recipientOf('ada@example.test')], []);
      return tx.events.append(eventOf(`evt_${id}`), 'sent');
    };
    const writes: Promise<unknown>[] = [];
    for (let n = 0; n < ROUNDS; n += 1) {
      for (const [name, store] of Object.entries({ one, other })) {
        writes.push(store.write((tx) => append(tx, `${name}_${n}`)));
        const failing = store.write(async (tx) => {
          await append(tx, `failed_${name}_${n}`);
          throw new Error('as asked for');
        });
        writes.push(failing.catch(() => {}));
        const change = (tx: Transaction) =>
          tx.suppressions.insert(suppressionOf('ada@example.test', { workspace: `${name} ${n}` }));
        writes.push(store.write(change));
      }
      if (n % 3 === 0) await new Promise(setImmediate);
    }
    await Promise.all(writes);
    const events = await one.read.events.after(0, 1_000);
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 2 * ROUNDS }, (_, index) => index + 1));
    expect(await one.read.emails.lastSeq()).toBe(2 * ROUNDS);
  });

  it('returns events with their final numbers, and refuses a provisional number of an earlier one', async () => {
    const event = await one.write((tx) => tx.events.append(eventOf('evt_1'), 'sent'));
    expect(event.seq).toBe(1);
    const bytes = Buffer.from('x');
    const leaked = await one.write((tx) => tx.received.insert({ mailFrom: '', recipients: [], bytes }));
    await expect(one.write((tx) => tx.received.addUnparsed(leaked, { sentTo: 1, attempts: 0 }))).rejects.toThrow(
      'a number of another transaction',
    );
    await one.write((tx) => insertEmail(tx, 'msg_1'));
    expect(await one.read.emails.lastSeq()).toBe(2);
  });
});
