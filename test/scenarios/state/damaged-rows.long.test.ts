import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { detailOf, recipientsOf, send } from '../../support/simulation.js';
import { edit, fill, quarantineOf, statusesOf } from '../../support/storage/damage.js';
import { damagedRows, oneOfEachTable } from '../../support/storage/damaged-rows.js';

/** Tests that a row that svc did not write has no effect beyond itself: on a running server, and at the next start. */

const EMAIL = { to: 'ada@example.test', from: 'app@example.test', subject: 'Hi', html: 'x' };
const ANY_PORT = { http: { host: '127.0.0.1', port: 0 }, smtp: { host: '127.0.0.1', port: 0 } };

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

  it.each(damagedRows)('has no other effect while a server runs: %s', async (_, sql, tables) => {
    await start();
    edit(file(), sql);

    await expectService();
    await statusesOf(app);

    expectSetAside(tables);
    // Each is reported once, and nothing else fails.
    const reported = app.faults.filter((fault) => /^A damaged row of /.test(String(fault)));
    expect(reported.length).toBeGreaterThanOrEqual(tables.length === 0 ? 0 : 1);
    expect(new Set(reported).size).toBe(reported.length);
  });

  it.each(oneOfEachTable)('has no other effect at a start: %s', async (_, sql, tables) => {
    edit(file(), sql);

    await start();
    await expectService();
    expectSetAside(tables);
  });

  it('keeps its content when it is set aside', async () => {
    await start();
    edit(file(), "UPDATE webhooks SET events = 'null'");

    await statusesOf(app);

    const [row] = quarantineOf(file());
    expect(row).toMatchObject({ table_name: 'webhooks', reason: 'events is not a JSON array of text' });
    expect(JSON.parse(row?.content ?? '')).toMatchObject({ url: receiver.url, events: 'null', secret: 'whsec_x' });
  });

  it('does not stop the delivery of other email', async () => {
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
    await start();
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
