import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AppOptions } from '../../../src/app/app.js';
import type { Store } from '../../../src/core/store.js';
import { openPostgresStore } from '../../../src/storage/postgres/store.js';
import { openSqliteStore } from '../../../src/storage/sqlite/store.js';
import { type PostgresServer, startPostgres, withoutPostgres } from '../../support/postgres.js';
import { startApp } from '../../support/servers/app.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { EMAIL, everythingOf, exportFrom, fillServer, importInto, post } from '../../support/state.js';
import { announcementsOf } from '../../support/storage/announcements.js';
import { bytesOf, insertLarge } from '../conformance/contents.js';
import * as records from '../records.js';

/** Tables that an import makes again. */
const MADE_AGAIN = ['unindexed', 'sqlite_sequence'];

async function bytesFrom(store: Store): Promise<Buffer> {
  const snapshot = await store.snapshot();
  try {
    return Buffer.concat(await Readable.from(snapshot.read()).toArray());
  } finally {
    await snapshot.discard();
  }
}

async function replaceWith(store: Store, bytes: Buffer): Promise<number> {
  const staged = await store.stage(Readable.from([bytes]));
  try {
    await store.write((tx) => tx.replace(staged));
    return staged.setAside;
  } finally {
    await staged.discard();
  }
}

/** Returns the rows of all tables of an archive. Jobs get new numbers in every import. */
function rowsOf(bytes: Buffer): Record<string, unknown[]> {
  const db = new Database(bytes);
  const tables = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'search%'")
    .pluck()
    .all() as string[];
  const rows = tables
    .filter((table) => !MADE_AGAIN.includes(table))
    .map((table) => {
      const columns = (db.pragma(`table_info(${table})`) as { name: string }[])
        .map(({ name }) => name)
        .filter((name) => table !== 'jobs' || (name !== 'seq' && name !== 'lease_until'));
      const names = columns.join(', ');
      const found = db.prepare(`SELECT ${names} FROM ${table} ORDER BY ${names}`).raw().all() as unknown[][];
      return [table, found.map((row) => row.map(shortened))] as const;
    });
  db.close();
  return Object.fromEntries(rows);
}

/** Compares large values by their hashes, which is fast. */
function shortened(value: unknown): unknown {
  if (typeof value !== 'string' && !Buffer.isBuffer(value)) return value;
  return value.length < 1_000 ? value : createHash('sha1').update(value).digest('hex');
}

function countersOf(bytes: Buffer): Record<string, number> {
  const db = new Database(bytes);
  const rows = db.prepare('SELECT name, seq FROM sqlite_sequence').raw().all() as [string, number][];
  db.close();
  return Object.fromEntries(rows);
}

/** Writes records of every kind, with texts that PostgreSQL cannot store as they are. */
async function fillStore(store: Store): Promise<void> {
  await insertLarge(store, 'msg_large', bytesOf(3_000_000));
  await store.write(async (tx) => {
    await records.insertEmail(tx, 'msg_1', { subject: '\0 \uf8ff \uf8ff0 {"a","b"} \\ " \' NULL', variables: null });
    await records.insertEmail(tx, 'msg_2', { html: '', text: '', tags: [], workspace: null, templateId: null });
    await tx.emails.insert(records.emailOf('msg_3'), [], [{ ...records.attachment, contentId: null }]);
    await records.setExtracts(tx, 'msg_2', {
      htmlText: 'é\0',
      links: [],
      codes: [],
      headers: [['X-A', '\0']],
    });
    await tx.emails.warn('msg_1', { code: 'content_cut', path: 'html', message: 'cut' });
    await tx.releases.insert('msg_1', {
      releasedAt: records.NOON,
      relay: 'mail.test:25',
      mailFrom: '',
      recipients: ['a@b.test'],
      reply: '250 ok\0',
      error: null,
      rejected: [{ address: 'c@b.test', reply: '550 no' }],
    });
    const received = { mailFrom: 'a@x.test', recipients: ['b@x.test'], bytes: Buffer.from([0, 255, 13, 10]) };
    const seq = await tx.received.insert({ ...received, importKey: 'k' });
    await tx.emails.insertReceived(seq, records.emailOf('msg_unparsed'), [], []);
    await tx.received.addUnparsed(seq, { sentTo: 1, attempts: 1 });
    for (const n of [1, 2, 3]) await tx.events.append(records.eventOf(`evt_${n}`), n === 1 ? 'sent' : undefined);
    const steps = [{ name: 'open' as const, afterMs: 1.5 }];
    await tx.jobs.add({
      kind: 'email.outcome',
      runAt: records.NOON,
      payload: { emailId: 'msg_1', mailbox: 'b@x.test', steps },
    });
    await tx.templates.insert(records.templateOf('tpl_1'));
    await tx.domains.insert(records.domainOf('example.test'));
    await tx.apiKeys.insert(records.apiKeyOf('key_1'));
    await tx.webhooks.insert(records.webhookOf('whk_1'));
    await tx.deliveries.insert(records.deliveryOf('dlv_1'));
    await tx.deliveries.recordAttempt(records.attemptOf('dlv_1', 1), 'pending', records.NOON + 9);
    await tx.settings.set('clock', 'a\0b');
    await tx.workspaces.insert({
      name: 'worker-1',
      addresses: ['*@a.test'],
      expiresAt: 1,
      keep: 5,
      maxAgeMs: 6,
      monthlyQuota: 7,
      createdAt: records.NOON,
    });
    await tx.workspaces.countSent('worker-1', 0);
    await tx.suppressions.insert(records.suppressionOf('gone@example.test'));
    await tx.faults.insert(records.faultOf('flt_1'));
    await tx.rules.insert(records.ruleOf('rul_1'));
    await tx.requests.append([records.requestOf('req_1', { ms: 0.1 }), records.requestOf('req_2', { keyId: null })]);
    await tx.smtpSessions.append([records.smtpSessionOf('smtp_1')]);
  });
}

describe.skipIf(withoutPostgres)(`a whole state${withoutPostgres}`, () => {
  let server: PostgresServer;
  const opened: Pick<Store, 'close'>[] = [];
  beforeAll(async () => {
    server = await startPostgres({ checksPasswords: false });
  });
  afterEach(async () => {
    for (const each of opened.splice(0).toReversed()) await each.close();
  });
  afterAll(() => server?.remove());

  function keep<T extends Pick<Store, 'close'>>(each: T): T {
    opened.push(each);
    return each;
  }
  const sqlite = () => keep(openSqliteStore('memory'));
  const postgres = async (url: string, process = 'test') => keep(await openPostgresStore(url, { process }));

  it('has the same rows in every table after it moved to PostgreSQL and back', async () => {
    const [source, moved, back] = [sqlite(), await postgres(await server.createDatabase()), sqlite()];
    await fillStore(source);
    const before = await bytesFrom(source);
    const empty = Object.entries(rowsOf(before)).flatMap(([table, rows]) => (rows.length === 0 ? [table] : []));
    expect(empty, 'tables without a record').toEqual([
      // Emails whose deletion can be undone are not exported.
      ...['deletions', 'deleted_emails', 'deleted_contents'],
      'quarantine',
      // It belongs to its server.
      'audit',
    ]);

    expect(await replaceWith(moved, before)).toBe(0);
    const between = await bytesFrom(moved);
    expect(await replaceWith(back, between)).toBe(0);
    const after = await bytesFrom(back);

    expect(rowsOf(between)).toEqual(rowsOf(before));
    expect(rowsOf(after)).toEqual(rowsOf(before));
    // The last email has not been parsed yet: SQLite counts it later.
    expect(countersOf(after)).toMatchObject({ ...countersOf(before), emails: 5, jobs: expect.any(Number) });
  });

  it('brings no deleted emails, which only a foreign archive has', async () => {
    const source = sqlite();
    await fillStore(source);
    const db = new Database(await bytesFrom(source));
    db.exec(`INSERT INTO deletions VALUES ('foreign', 0);
      INSERT INTO deleted_emails VALUES (99, 'msg_x', 'foreign', NULL, '{"rows":{},"jobs":[]}');`);
    const archive = db.serialize();
    db.close();

    for (const target of [sqlite(), await postgres(await server.createDatabase())]) {
      await replaceWith(target, archive);
      expect(await target.read.emails.deletions()).toEqual([]);
      expect(await target.write((tx) => tx.emails.restore({ id: 'foreign', at: 0 }))).toEqual({ count: 0, jobs: [] });
    }
  });

  it('continues with higher numbers than either side has assigned', async () => {
    const [source, target] = [sqlite(), await postgres(await server.createDatabase())];
    await fillStore(source);
    await source.write((tx) => tx.emails.delete(['msg_3']).then(() => {}));
    await replaceWith(target, await bytesFrom(source));
    await target.write(async (tx) => {
      await records.insertEmail(tx, 'msg_next');
      await tx.events.append(records.eventOf('evt_next'), 'sent');
      await tx.requests.append([records.requestOf('req_next')]);
      await tx.jobs.add({ kind: 'email.deliver', runAt: records.NOON, payload: {} });
      await tx.templates.insert(records.templateOf('tpl_next'));
    });
    // The source's last email has not been parsed yet, and the target had no row.
    expect(countersOf(await bytesFrom(target))).toMatchObject({ emails: 6, events: 4, requests: 3 });
  });

  it('is announced to other processes on the database, which read it at once', async () => {
    const url = await server.createDatabase();
    const [one, other] = [await postgres(url, 'one'), await postgres(url, 'other')];
    await one.write((tx) => tx.apiKeys.insert(records.apiKeyOf('key_old')));
    const announced = announcementsOf(other);
    const source = sqlite();
    await fillStore(source);

    await replaceWith(one, await bytesFrom(source));

    await announced.until((heard) => heard.some(({ replaced }) => replaced));
    expect(announced.heard.find(({ replaced }) => replaced)).toMatchObject({ events: true, jobs: true, appended: [] });
    expect((await other.read.apiKeys.list()).map(({ id }) => id)).toEqual(['key_1']);
    await other.write((tx) => tx.events.append(records.eventOf('evt_next'), 'sent'));
    expect(await one.read.events.lastSeq()).toBe(4);
  });

  it('stays as it was when an upload ends early, and no file stays behind', async () => {
    const store = await postgres(await server.createDatabase());
    await fillStore(store);
    const bytes = await bytesFrom(store);
    const files = () => readdirSync(tmpdir()).filter((name) => name.startsWith('transfer-'));
    const before = files();
    const broken = async function* () {
      yield bytes.subarray(0, bytes.length >> 1);
      throw new Error('the client has disconnected');
    };
    await expect(store.stage(broken())).rejects.toThrow('disconnected');
    await expect(store.stage(Readable.from([bytes.subarray(0, bytes.length >> 1)]))).rejects.toThrow('damaged');
    expect(files()).toEqual(before);
    expect(rowsOf(await bytesFrom(store))).toEqual(rowsOf(bytes));
  });

  describe('of a server', () => {
    let receiver: Receiver;
    afterEach(() => receiver.close());

    it('shows the same on every endpoint after it moved to PostgreSQL and back', async () => {
      receiver = await startReceiver((response) => response.writeHead(500).end('no'));
      const start = async (storage: AppOptions['storage']) => keep(await startApp({ storage }));
      const url = await server.createDatabase();
      const filled = await startApp({ storage: { postgres: url } });
      await fillServer(filled, receiver.url);
      // While none of them listens, tracking links have the same base.
      await filled.close();
      const source = await start({ postgres: url });
      // Tracked forms create their secret on first use.
      await everythingOf(source);
      const archive = await exportFrom(source);
      const before = await everythingOf(source);
      const [moved, back] = [await start('memory'), await start({ postgres: await server.createDatabase() })];

      expect((await importInto(moved, archive)).status).toBe(200);
      expect((await importInto(back, await exportFrom(moved))).status).toBe(200);

      expect(await everythingOf(moved)).toEqual(before);
      expect(await everythingOf(back)).toEqual(before);
      await post(back, '/v1/emails', { ...EMAIL, subject: 'after the import' });
      const { emails } = await back.read('/_svc/emails?search=subject:import');
      expect(emails).toMatchObject([{ subject: 'after the import' }]);
    });
  });
});
