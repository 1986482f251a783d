import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { detailOf, recipientsOf, send } from '../../support/simulation.js';
import { edit, fill, quarantineOf, statusesOf } from '../../support/storage/damage.js';

/** Tests that a row that svc did not write has no effect beyond itself: on a running server, and at the next start. */

const EMAIL = { to: 'ada@example.test', from: 'app@example.test', subject: 'Hi', html: 'x' };
const ANY_PORT = { http: { host: '127.0.0.1', port: 0 }, smtp: { host: '127.0.0.1', port: 0 } };
const RECEIVED = `
  INSERT INTO received (email_seq, mail_from, recipients, bytes) VALUES (900, 'a@b.test', '["c@d.test"]', x'00');
  INSERT INTO unparsed (seq, id, created_at) VALUES (900, 'msg_900', 0);
  INSERT INTO jobs (kind, run_at, payload) VALUES ('email.index', 0, '{}');`;

const SESSION = `
  INSERT INTO smtp_sessions (id, created_at, captured_at, client, omitted, size, transactions, transcript)
  VALUES ('smtp_1', 0, 0, '{"address":"::1","port":1}', 0, 9, '[]', '[]');`;

/** Lists the edits, and the tables whose rows are set aside for them. */
const cases: [name: string, sql: string, setAside: string[]][] = [
  ['jobs.payload is not JSON', "UPDATE jobs SET payload = '}', run_at = 0", ['jobs']],
  ['jobs.payload of a later job is not JSON', "UPDATE jobs SET payload = '}'", []],
  ['jobs.payload is null', "UPDATE jobs SET payload = 'null', run_at = 0", []],
  ['jobs.payload has another shape', `UPDATE jobs SET payload = '{"emailId":{"a":1},"steps":"x"}', run_at = 0`, []],
  ['jobs.run_at is far away', 'UPDATE jobs SET run_at = 9000000000000000000', []],
  ['jobs.run_at is far in the past', 'UPDATE jobs SET run_at = -9000000000000000000', ['jobs']],
  ['jobs.kind is unknown', "UPDATE jobs SET kind = 'other', run_at = 0", []],
  ['webhooks.events is not JSON', "UPDATE webhooks SET events = '}{'", ['webhooks']],
  ['webhooks.events is null', "UPDATE webhooks SET events = 'null'", ['webhooks']],
  ['webhooks.events names an unknown type', `UPDATE webhooks SET events = '["a.b"]'`, ['webhooks']],
  ['webhooks.headers is not JSON', "UPDATE webhooks SET headers = 'nope'", ['webhooks']],
  ['webhooks.headers holds a number', `UPDATE webhooks SET headers = '{"a":1}'`, ['webhooks']],
  ['webhooks.url is not a URL', "UPDATE webhooks SET url = 'not a url'", ['webhooks']],
  ['webhooks.url is not a web URL', "UPDATE webhooks SET url = 'file:///etc/passwd'", ['webhooks']],
  ['deliveries.url is not a URL', "UPDATE deliveries SET url = 'x'", ['attempts', 'deliveries']],
  ['deliveries.state is unknown', "UPDATE deliveries SET state = 'x'", ['attempts', 'deliveries']],
  ['attempts.response_headers is not JSON', "UPDATE attempts SET response_headers = 'x'", ['attempts']],
  ['events.payload is not JSON', "UPDATE events SET payload = '}'", ['attempts', 'deliveries', 'events']],
  ['events.type is unknown', "UPDATE events SET type = 'x'", ['attempts', 'deliveries', 'events']],
  [
    'emails.created_at is out of range',
    'UPDATE emails SET created_at = 9000000000000000000',
    ['attachments', 'bodies', 'email_warnings', 'emails', 'recipients', 'tags'],
  ],
  [
    'emails.status is unknown',
    "UPDATE emails SET status = 'x'",
    ['attachments', 'bodies', 'email_warnings', 'emails', 'recipients', 'tags'],
  ],
  [
    'emails.tags is not a list',
    "UPDATE emails SET tags = '5'",
    ['attachments', 'bodies', 'email_warnings', 'emails', 'recipients', 'tags'],
  ],
  ['recipients.status is unknown', "UPDATE recipients SET status = 'x'", ['recipients']],
  [
    'recipients.steps holds an unknown step',
    `UPDATE recipients SET status = 'sent', due_at = 0, steps = '[{"name":"x","afterMs":0}]'`,
    ['recipients'],
  ],
  ['recipients.steps is empty', "UPDATE recipients SET status = 'sent', due_at = 0, steps = '[]'", ['recipients']],
  ['attachments.disposition is unknown', "UPDATE attachments SET disposition = 'x'", ['attachments']],
  ['received.recipients is not JSON', `${RECEIVED} UPDATE received SET recipients = '}'`, ['received', 'unparsed']],
  ['unparsed.created_at is out of range', `${RECEIVED} UPDATE unparsed SET created_at = -1`, ['received', 'unparsed']],
  ['faults.smtp is unknown', "UPDATE faults SET smtp = 'x'", ['faults']],
  ['rules.outcome is unknown', "UPDATE rules SET outcome = 'x'", ['rules']],
  ['suppressions.reason is unknown', "UPDATE suppressions SET reason = 'x'", ['suppressions']],
  ['templates.created_at is out of range', 'UPDATE templates SET created_at = -1', ['templates']],
  ['domains.status is unknown', "UPDATE domains SET status = 'x'", ['domains']],
  ['api_keys.environment is unknown', "UPDATE api_keys SET environment = 'x' WHERE name = 'ci'", ['api_keys']],
  ['requests.warnings is not JSON', "UPDATE requests SET warnings = 'x'", ['requests']],
  ['smtp_sessions.client is not JSON', `${SESSION} UPDATE smtp_sessions SET client = 'x'`, ['smtp_sessions']],
  [
    'smtp_sessions.transcript is not a JSON array of records',
    `${SESSION} UPDATE smtp_sessions SET transcript = '[{}]'`,
    ['smtp_sessions'],
  ],
  ['counters overflow', 'UPDATE counters SET sent = 9000000000000000000', []],
  [
    'settings hold unpublished records that are not JSON',
    "INSERT INTO settings VALUES ('dns.unpublished', '}')",
    ['settings'],
  ],
  ...[
    '{"offset":1e300,"frozenAt":null}',
    '{"offset":8.64e15,"frozenAt":null}',
    '{"offset":0,"frozenAt":-1e17}',
    '{"offset":0.5,"frozenAt":null}',
    'null',
    'soon',
  ].map((clock): [string, string, string[]] => [
    `the stored clock is ${clock}`,
    `INSERT INTO settings VALUES ('clock', '${clock}') ON CONFLICT DO UPDATE SET value = excluded.value`,
    ['settings'],
  ]),
];

describe('a damaged row', () => {
  let app: TestApp;
  let receiver: Receiver;
  let made: ReturnType<typeof temporaryDirectory>;
  let directory: ReturnType<typeof temporaryDirectory>;
  const file = () => join(directory.path, 'mail.db');

  // One of each kind of row, created once and copied for each test.
  beforeAll(async () => {
    made = temporaryDirectory();
    receiver = await startReceiver();
    directory = made;
    await start();
    await fill(app, receiver.url);
    await app.close();
  });
  afterAll(async () => {
    await receiver.close();
    made.remove();
  });
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
    await app.listen(ANY_PORT);
  }

  /** Expects that everything answers, and that new emails are delivered. */
  async function expectService() {
    const { status, json } = await app.call('POST', '/v1/emails', { ...EMAIL, subject: 'now' });
    expect({ status, json }).toMatchObject({ status: 201 });
    await app.drain();
    for (const [path, status] of Object.entries(await statusesOf(app))) {
      // Rows that were set aside, or refer to one, no longer exist.
      expect([200, ...(/(msg|dlv)_/.test(path) ? [404] : [])], path).toContain(status);
    }
    expect((await app.call('GET', `/v1/emails/${json.data.id}`)).json.data.status).toBe('delivered');
    const time = Date.parse((await app.call('GET', '/_svc/clock')).json.data.now);
    expect(Math.abs(time - app.clock.systemNow())).toBeLessThan(60_000);
  }

  function expectSetAside(tables: string[]) {
    expect([...new Set(quarantineOf(file()).map(({ table_name }) => table_name))].sort()).toEqual(tables);
  }

  it.each(cases)('has no other effect while a server runs: %s', async (_, sql, tables) => {
    edit(file(), sql);

    await expectService();
    await expectService();

    expectSetAside(tables);
    // Each is reported once, and nothing else fails.
    const reported = app.faults.filter((fault) => /^A damaged row of /.test(String(fault)));
    expect(reported.length).toBeGreaterThanOrEqual(tables.length === 0 ? 0 : 1);
    expect(new Set(reported).size).toBe(reported.length);
  });

  it.each(cases)('has no other effect at the next start: %s', async (_, sql, tables) => {
    await app.close();
    edit(file(), sql);

    await start();
    await expectService();
    expectSetAside(tables);
    await app.close();

    await start();
    await expectService();
    expectSetAside(tables);
  });

  it('keeps its content when it is set aside', async () => {
    edit(file(), "UPDATE webhooks SET events = 'null'");

    await statusesOf(app);

    const [row] = quarantineOf(file());
    expect(row).toMatchObject({ table_name: 'webhooks', reason: 'events is not a JSON array of text' });
    expect(JSON.parse(row?.content ?? '')).toMatchObject({ url: receiver.url, events: 'null', secret: 'whsec_x' });
  });

  it('does not stop the delivery of other email', async () => {
    await app.close();
    app = await startApp({ storage: { file: file() }, deliveryDelayMs: 200 });
    const damaged = await send(app, 'bounced@simulator.test');
    const id = await send(app, 'ada@example.test');
    edit(file(), `UPDATE recipients SET steps = '[{"name":"x","afterMs":0}]' WHERE steps IS NOT NULL`);

    await app.call('POST', '/_svc/clock/advance', { by: '1s' });

    expect((await detailOf(app, id)).status).toBe('delivered');
    expect(await recipientsOf(app, damaged)).toEqual({});
    expectSetAside(['recipients']);
  });

  it('does not stop other webhooks and jobs', async () => {
    const other = await startReceiver();
    try {
      await app.call('POST', '/v1/webhooks', { url: other.url, events: ['email.delivered'], secret: 'whsec_x' });
      edit(file(), `UPDATE webhooks SET url = 'nope' WHERE url = '${receiver.url}'`);

      await app.call('POST', '/v1/emails', EMAIL);
      await other.until(1);
    } finally {
      await other.close();
    }
  });
});
