import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrate, migrations } from '../../src/storage/sqlite/migrations.js';
import { temporaryDirectory } from '../support/cli/binary.js';
import { startApp, type TestApp } from '../support/servers/app.js';

/** Tests migration 11 with mailboxes that the version before it wrote: in lower case, and spelled as in the request. */

const SCHEMA_BEFORE = 10;
const NOW = 1_780_315_200_000;

let directory: ReturnType<typeof temporaryDirectory>;
let db: Database.Database;
let app: TestApp;

beforeEach(() => {
  directory = temporaryDirectory();
  db = new Database(join(directory.path, 'mail.db'));
  migrate(db, migrations.slice(0, SCHEMA_BEFORE));
});
afterEach(async () => {
  await app.closeClean();
  directory.remove();
});

async function start(): Promise<void> {
  db.close();
  app = await startApp({ storage: { file: join(directory.path, 'mail.db') } });
}

function suppress(...mailboxes: string[]): void {
  const insert = db.prepare('INSERT INTO suppressions (mailbox, reason, created_at) VALUES (?, ?, ?)');
  for (const mailbox of mailboxes) insert.run(mailbox, 'manual', NOW);
}

/** Inserts an email that was sent to the mailboxes and not delivered yet. */
function email(id: string, sender: string, ...mailboxes: string[]): void {
  const values = {
    id,
    origin: 'rest',
    status: 'sent',
    sender,
    sender_mailbox: sender,
    recipients: mailboxes.join(', '),
    subject: 's',
    tags: '[]',
    track_opens: 1,
    track_clicks: 1,
    created_at: NOW,
    sent_at: NOW,
    opens_count: 0,
    clicks_count: 0,
    text: '',
    html: 'h',
    pending: mailboxes.length,
  };
  const columns = Object.keys(values);
  const names = columns.map((name) => `@${name}`);
  db.prepare(`INSERT INTO emails (${columns.join(', ')}) VALUES (${names.join(', ')})`).run(values);
  for (const [position, mailbox] of mailboxes.entries()) {
    db.prepare(
      `INSERT INTO recipients (email_seq, mailbox, position, kind, address, status)
       VALUES ((SELECT max(seq) FROM emails), ?, ?, 'to', ?, 'sent')`,
    ).run(mailbox, position, mailbox);
    db.prepare(
      "INSERT INTO events (id, type, created_at, email_id, recipient, payload) VALUES (?, ?, ?, ?, ?, '{}')",
    ).run(`evt_${id}_${position}`, 'email.sent', NOW, id, mailbox);
    const payload = { emailId: id, mailbox, steps: [{ name: 'deliver', afterMs: 0 }] };
    db.prepare("INSERT INTO jobs (kind, run_at, payload) VALUES ('email.outcome', ?, ?)").run(
      NOW,
      JSON.stringify(payload),
    );
  }
}

const totalOf = async (query: string) => (await app.call('GET', `/v1/emails?${query}`)).json.data.pagination.total;

it('suppresses a mailbox with an international domain in every spelling, also if several were suppressed', async () => {
  suppress(
    'gone@münchen.test',
    'zoe\u0308@x.test',
    'a@bücher.test',
    'a@xn--bcher-kva.test',
    'ä@ok.test',
    'plain@x.test',
  );
  await start();
  const { suppressions } = (await app.call('GET', '/_svc/suppressions')).json.data;
  expect(suppressions.map(({ address }: { address: string }) => address).toSorted()).toEqual([
    'a@xn--bcher-kva.test',
    'gone@xn--mnchen-3ya.test',
    'plain@x.test',
    'zoë@x.test',
    'ä@ok.test',
  ]);
  const to = 'gone@münchen.test';
  const { id } = (await app.call('POST', '/v1/emails', { to, from: 'a@x.test', subject: 's', html: 'h' })).json.data;
  await app.drain();
  expect((await app.call('GET', `/_svc/emails/${id}`)).json.data.recipients[0].status).toBe('dropped');
  expect((await app.call('DELETE', `/_svc/suppressions/${encodeURIComponent(to)}`)).status).toBe(204);
});

it('finds the email of an international mailbox, and takes the steps of its outcome', async () => {
  email('msg_01m81hz5b1wwx04cebzjn52cz1', 'shop@bücher.test', 'ada@münchen.test');
  await start();
  await app.drain();
  expect(await totalOf(`to=${encodeURIComponent('ada@münchen.test')}&status=delivered`)).toBe(1);
  expect(await totalOf('from=shop@xn--bcher-kva.test')).toBe(1);
  const file = new Database(join(directory.path, 'mail.db'), { readonly: true });
  expect(file.prepare('SELECT DISTINCT recipient FROM events').pluck().all()).toEqual(['ada@xn--mnchen-3ya.test']);
  file.close();
});

it('delivers both spellings of a mailbox that an email was sent to twice', async () => {
  email('msg_01m81hz5b1wwx04cebzjn52cz2', 'shop@x.test', 'ada@münchen.test', 'ada@xn--mnchen-3ya.test');
  await start();
  await app.drain();
  expect(await totalOf('status=delivered')).toBe(1);
});
