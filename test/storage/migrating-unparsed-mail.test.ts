import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrate, migrations } from '../../src/storage/sqlite/migrations.js';
import { temporaryDirectory } from '../support/cli/binary.js';
import { startApp } from '../support/servers/app.js';

/** Tests migration 5: what an older svc had accepted and not parsed, or sent and not delivered, when it stopped. */

const RAW = 'From: Shop <shop@example.test>\r\nTo: ada@example.test\r\nSubject: Accepted long ago\r\n\r\nHello\r\n';
const AT = Date.UTC(2026, 0, 1, 12);

let directory: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(() => directory.remove());

it('a message that was accepted before an upgrade is parsed, sent and delivered once after it', async () => {
  const file = join(directory.path, 'mail.db');
  const db = new Database(file);
  migrate(db, migrations.slice(0, 4));
  const insert = db.prepare(
    `INSERT INTO emails (seq, id, origin, indexed, status, sender, sender_mailbox, recipients, subject, tags, track_opens,
       track_clicks, created_at, sent_at, opens_count, clicks_count, text, html)
     VALUES (?, ?, ?, ?, 'sent', 'shop@example.test', 'shop@example.test', 'ada@example.test', ?, '[]', 0, 0, ?, ?, 0, 0, '', '')`,
  );
  insert.run(1, 'msg_rest', 'rest', 1, 'Sent long ago', AT, AT);
  insert.run(2, 'msg_smtp', 'smtp', 0, '', AT, AT);
  for (const seq of [1, 2]) {
    db.prepare("INSERT INTO recipients VALUES (?, 'ada@example.test', 0, 'to', 'ada@example.test', 'sent')").run(seq);
  }
  db.prepare("INSERT INTO received VALUES (2, 'shop@example.test', '[\"ada@example.test\"]', ?)").run(Buffer.from(RAW));
  const job = db.prepare('INSERT INTO jobs (kind, run_at, payload, lease_until) VALUES (?, ?, ?, ?)');
  job.run('email.deliver', AT, JSON.stringify({ emailId: 'msg_rest', mailbox: 'ada@example.test' }), 0);
  job.run('email.index', AT, JSON.stringify({ emailId: 'msg_smtp' }), 1);
  db.close();

  const app = await startApp({ storage: { file } });
  await app.drain();

  const emails = (await app.call('GET', '/v1/emails')).json.data.emails;
  expect(emails).toMatchObject([
    { id: 'msg_smtp', subject: 'Accepted long ago', from: 'Shop <shop@example.test>', status: 'delivered' },
    { id: 'msg_rest', subject: 'Sent long ago', status: 'delivered' },
  ]);
  for (const [id, types] of [
    ['msg_rest', ['email.delivered']],
    ['msg_smtp', ['email.sent', 'email.delivered']],
  ] as const) {
    const { events } = (await app.call('GET', `/_svc/emails/${id}`)).json.data;
    expect(events.map(({ type }: { type: string }) => type)).toEqual(types);
  }
  await app.closeClean();
  const after = new Database(file, { readonly: true });
  expect(after.prepare('SELECT bytes FROM received').pluck().all()).toEqual([Buffer.from(RAW)]);
  expect(after.prepare('SELECT kind FROM jobs').all()).toEqual([]);
  after.close();
});
