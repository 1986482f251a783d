import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inspectDatabase, repairDatabase } from '../../../src/storage/repair.js';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { deliver, queuedId } from '../../support/mail/smtp-session.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { exportFrom, importInto } from '../../support/state.js';
import { edit, fill, quarantineOf } from '../../support/storage/damage.js';

/** Tests row numbers, counters and leases beyond what svc writes: everything continues, and new emails are kept. */

const ANY_PORT = { http: { host: '127.0.0.1', port: 0 }, smtp: { host: '127.0.0.1', port: 0 } };
const EMAIL = { to: 'ada@example.test', from: 'app@example.test', subject: 'Hi', html: 'x' };
/** The first number that a double cannot represent, and the last of SQLite. */
const [TWO_53, LAST] = ['9007199254740993', '9223372036854775807'];
/** Gives this number to the first email, and to all rows that refer to it. */
const renumber = (seq: string) => `
  UPDATE emails SET seq = ${seq} WHERE seq = 1;
  ${['recipients', 'tags', 'attachments', 'email_warnings', 'bodies', 'email_extracts'].map((table) => `UPDATE ${table} SET email_seq = ${seq} WHERE email_seq = 1;`).join(' ')}
  UPDATE unindexed SET seq = ${seq} WHERE seq = 1;`;
const exhaust = (counter: string) => `UPDATE sqlite_sequence SET seq = ${counter} WHERE name = 'events'`;

describe('a database with numbers out of range', () => {
  let app: TestApp;
  let smtp: { host: string; port: number };
  let made: ReturnType<typeof temporaryDirectory>;
  let directory: ReturnType<typeof temporaryDirectory>;
  const file = () => join(directory.path, 'mail.db');

  // One of each kind of row, created once and copied for each test.
  beforeAll(async () => {
    made = temporaryDirectory();
    directory = made;
    await start();
    await fill(app, 'http://127.0.0.1:1/');
    const emails = (await app.call('GET', '/v1/emails')).json.data.emails;
    for (const { id, status } of emails) if (status === 'scheduled') await app.call('DELETE', `/v1/emails/${id}`);
    await app.close();
  });
  afterAll(() => made.remove());
  beforeEach(async () => {
    directory = temporaryDirectory();
    copyFileSync(join(made.path, 'mail.db'), file());
    await start();
  });
  afterEach(async () => {
    await app.close();
    directory.remove();
  });

  async function start() {
    app = await startApp({ storage: { file: file() }, plan: 'none' });
    smtp = (await app.listen(ANY_PORT)).smtp;
  }

  async function restartAfter(sql: string) {
    await app.close();
    edit(file(), sql);
    await start();
  }

  async function expectDelivered() {
    const { status, json } = await app.call('POST', '/v1/emails', EMAIL);
    expect({ status, json }).toMatchObject({ status: 201 });
    await app.drain();
    expect((await app.call('GET', `/v1/emails/${json.data.id}`)).json.data.status).toBe('delivered');
  }

  async function expectReceived() {
    const bytes = Buffer.from('From: a@b.test\r\nSubject: kept\r\n\r\nx\r\n');
    const reply = await deliver(smtp, bytes, { to: ['c@d.test'] });
    await app.drain();
    const { emails } = (await app.call('GET', '/v1/emails?limit=100')).json.data;
    expect(emails.map(({ id }: { id: string }) => id)).toContain(queuedId(reply) ?? reply);
  }

  const movedTables = () => [...new Set(quarantineOf(file()).map(({ table_name }) => table_name))].sort();

  describe.each([TWO_53, '0'])('an email numbered %s', (seq) => {
    const tables = ['attachments', 'bodies', 'email_warnings', 'emails', 'recipients', 'tags'];

    it('is found by an inspection, which ends', async () => {
      edit(file(), renumber(seq));

      const { rows } = await inspectDatabase(file());

      expect(rows).toContainEqual({ table: 'emails', key: seq, reason: 'seq is not a valid number' });
    });

    it('is moved by a repair', async () => {
      edit(file(), renumber(seq));

      await repairDatabase(file());

      expect(movedTables()).toEqual(tables);
      expect((await inspectDatabase(file())).rows).toEqual([]);
    });

    it('is set aside by an import, which ends', async () => {
      edit(file(), renumber(seq));
      const target = await startApp();
      try {
        const { status, json } = await importInto(target, await exportFrom(app));
        expect({ status, json }).toMatchObject({ status: 200, json: { data: { set_aside: 1 } } });
      } finally {
        await target.closeClean();
      }
    });

    it('does not lose email that arrives while the server runs', async () => {
      edit(file(), renumber(seq));

      await expectReceived();
      await expectReceived();
      await expectDelivered();
      expect(movedTables()).toEqual(tables);
    });

    it('is set aside at the next start, with its number and what refers to it', async () => {
      await restartAfter(renumber(seq));

      expect(movedTables()).toEqual(tables);
      const contents = quarantineOf(file()).map(({ table_name, content }) => [table_name, JSON.parse(content).seq]);
      const exact = Number.isSafeInteger(Number(seq)) ? Number(seq) : seq;
      expect(contents).toContainEqual(['emails', exact]);
      await expectReceived();
    });
  });

  it('an archive with a row whose successors could not be read is refused', async () => {
    edit(file(), renumber(String(2 ** 53 - 2)));
    const target = await startApp();
    try {
      const { json } = await importInto(target, await exportFrom(app));
      expect(json).toMatchObject({ data: { set_aside: 1 } });
    } finally {
      await target.closeClean();
    }
  });

  it('a template numbered beyond the range does not number later ones', async () => {
    await restartAfter(`UPDATE templates SET seq = ${LAST}`);

    await app.call('POST', '/v1/templates', { name: 'next', subject: 'Hi', html: 'x' });

    const db = new Database(file(), { readonly: true });
    expect(db.prepare('SELECT seq FROM templates').pluck().all()).toEqual([1]);
    db.close();
  });

  it('an inspection ends despite text keys that are not valid UTF-8', async () => {
    edit(file(), "UPDATE recipients SET mailbox = CAST(x'ff' AS TEXT)");

    expect((await inspectDatabase(file())).fileErrors).toEqual([]);
  });

  const counters = [LAST, String(2 ** 53 - 1)];

  it.each([...counters, "'x'", 'NULL'])(
    'a counter of events at %s is not imported with an archive',
    async (counter) => {
      edit(file(), exhaust(counter));
      const archive = await exportFrom(app);
      edit(file(), exhaust('100'));

      expect((await importInto(app, archive)).status).toBe(200);

      await expectDelivered();
      expect(counterOf('events')).toBeGreaterThan(100);
      expect(counterOf('events')).toBeLessThan(1_000);
    },
  );

  describe.each(counters)('a counter of events at %s', (counter) => {
    it('is repaired at the next start', async () => {
      const before = counterOf('events');
      await restartAfter(exhaust(counter));

      await expectDelivered();
      expect(counterOf('events')).toBeGreaterThan(before);
      expect(counterOf('events')).toBeLessThan(1_000);
    });

    it('is repaired by a reset', async () => {
      edit(file(), exhaust(counter));

      expect((await app.call('POST', '/_svc/reset')).status).toBeLessThan(300);

      await expectDelivered();
      expect(counterOf('events')).toBeLessThan(1_000);
    });
  });

  it('a counter of a table without one is ignored', async () => {
    edit(file(), `INSERT INTO sqlite_sequence VALUES ('settings', ${LAST}), ('none', ${LAST}), (NULL, ${LAST})`);

    expect((await importInto(app, await exportFrom(app))).status).toBe(200);
    await restartAfter('SELECT 1');
    await expectDelivered();
  });

  it('counts at the largest integer do not prevent events', async () => {
    edit(file(), `UPDATE counters SET sent = ${LAST}, delivered = ${LAST}`);

    await expectDelivered();
  });

  it('a job whose lease is too long counts as free, so that an advance of time ends', async () => {
    app.clock.freeze();
    const later = new Date(app.clock.now() + 3_600_000).toISOString();
    const { id } = (await app.call('POST', '/v1/emails', { ...EMAIL, scheduled_at: later })).json.data;
    edit(file(), "UPDATE jobs SET lease_until = 9000000000000000 WHERE kind = 'email.send'");

    const { status, json } = await app.call('POST', '/_svc/clock/advance', { by: '2h' });

    expect({ status, json }).toMatchObject({ status: 200 });
    expect((await app.call('GET', `/v1/emails/${id}`)).json.data.status).toBe('delivered');
  });

  it('an inspection reports a lease and a time of a job that svc never writes', async () => {
    const job = (lease: number, runAt: number) =>
      `INSERT INTO jobs (kind, run_at, payload, lease_until) VALUES ('email.parse', ${runAt}, '{}', ${lease});`;
    await app.close();
    edit(file(), `DELETE FROM jobs; ${job(-1, 9e14)} ${job(0, -1)}`);

    const { rows } = await inspectDatabase(file());

    expect(rows.map(({ table, reason }) => [table, reason])).toEqual([
      ['jobs', 'lease_until is not a valid number'],
      ['jobs', 'run_at is not a valid number'],
    ]);
  });

  it.each([
    ['clock', '{"offset":1e300,"frozenAt":null}'],
    ['dns.unpublished', '}'],
    ['tracking_secret', ''],
  ])('an inspection without a server reports a setting that is invalid: %s', async (name, value) => {
    await app.close();
    edit(file(), `INSERT OR REPLACE INTO settings VALUES ('${name}', '${value}'), ('of another version', '')`);

    const { rows } = await inspectDatabase(file());

    expect(rows).toEqual([{ table: 'settings', key: name, reason: 'value is not a valid setting' }]);
  });

  function counterOf(table: string): number {
    const db = new Database(file(), { readonly: true });
    try {
      return db.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck().get(table) as number;
    } finally {
      db.close();
    }
  }
});
