import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenedStore, openStore } from '../../../src/app/base.js';
import { createIds } from '../../../src/clock/ids.js';
import { type PostgresServer, startPostgres, withoutPostgres } from '../../support/postgres.js';
import { eventOf, insertEmail, NOON, templateOf } from '../records.js';

describe.skipIf(withoutPostgres)(`writes that share statements on PostgreSQL${withoutPostgres}`, () => {
  let server: PostgresServer;
  let store: OpenedStore;

  beforeAll(async () => {
    server = await startPostgres();
    const options = { storage: { postgres: await server.createDatabase() } };
    store = await openStore(options, createIds(), () => {});
  });
  afterAll(async () => {
    await store.close();
    await server.remove();
  });

  it('keep the order of rows, and see their own', async () => {
    const count = 150;
    const seen = await Promise.all(
      Array.from({ length: count }, (_, n) =>
        store.write(async (tx) => {
          await tx.events.append(eventOf(`evt_order_${n}`), 'sent');
          await insertEmail(tx, `msg_order_${n}`);
          // Every seventh write reads what it inserted, among rows that were not sent yet.
          return n % 7 === 0 ? (await tx.events.find(`evt_order_${n}`))?.id : undefined;
        }),
      ),
    );
    expect(seen.filter((id) => id !== undefined)).toHaveLength(Math.ceil(count / 7));
    const events = await store.read.events.after(0, 1_000);
    expect(events.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, n) => `evt_order_${n}`));
    expect(await store.read.emails.recipients('msg_order_149')).toHaveLength(1);
  });

  it('are all undone or all done, wherever one of them fails', async () => {
    const { seq: before } = await store.write((tx) => tx.events.append(eventOf('evt_start'), undefined));
    const failing = [
      // Adds rows.
      store.write(async (tx) => {
        await tx.events.append(eventOf('evt_failing_1'), 'sent');
        throw new Error('after rows');
      }),
      // Sends them, because it reads them.
      store.write(async (tx) => {
        await tx.events.append(eventOf('evt_failing_2'), 'sent');
        await tx.events.find('evt_failing_2');
        throw new Error('after a read');
      }),
      // Changes rows by another statement than an insert.
      store.write(async (tx) => {
        await tx.templates.insert(templateOf('tpl_failing'));
        throw new Error('after a change');
      }),
      // Breaks a constraint only when its rows are sent.
      store.write((tx) => tx.events.append(eventOf('evt_start'), 'sent')),
    ];
    const others = Array.from({ length: 20 }, (_, n) =>
      store.write((tx) => tx.events.append(eventOf(`evt_other_${n}`), 'sent')),
    );
    const results = await Promise.allSettled(failing);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected']);
    expect(String((results[1] as PromiseRejectedResult).reason)).toBe('Error: after a read');
    const appended = await Promise.all(others);
    expect(appended.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, n) => before + 1 + n));
    expect(await store.read.templates.find('tpl_failing')).toBeUndefined();
    expect((await store.read.events.after(before, 99)).map(({ id }) => id)).toEqual(
      Array.from({ length: 20 }, (_, n) => `evt_other_${n}`),
    );
  });

  it('read what another of them changed', async () => {
    const setting = (tx: Parameters<Parameters<OpenedStore['write']>[0]>[0]) => tx.settings.get('turn', String);
    const read = await Promise.all([
      store.write(setting),
      store.write((tx) => tx.settings.set('turn', 'one')),
      store.write(setting),
      store.write((tx) => tx.settings.set('turn', 'two')),
      store.write((tx) => tx.settings.set('turn', 'three')),
      store.write(setting),
    ]);
    expect([read[0], read[2], read[5]]).toEqual([undefined, 'one', 'three']);
  });

  it('delete the rows of an email with it', async () => {
    await store.write((tx) => insertEmail(tx, 'msg_gone'));
    const deleted = await store.write(async (tx) => {
      await insertEmail(tx, 'msg_gone_at_once');
      return tx.emails.delete(['msg_gone', 'msg_gone_at_once']);
    });
    expect(deleted).toBe(2);
    expect(await store.read.emails.recipients('msg_gone')).toEqual([]);
    const left = await server.query(
      'SELECT count(*)::int AS rows FROM recipients WHERE email_seq NOT IN (SELECT seq FROM emails)',
      'test_1',
    );
    expect(left).toEqual([{ rows: 0 }]);
    expect((await store.read.events.count(NOON, NOON)).sent).toBeGreaterThan(0);
  });
});
