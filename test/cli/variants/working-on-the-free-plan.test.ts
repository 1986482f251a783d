import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { allPages } from '../../../src/cli/command/all-pages.js';
import { networkFetch } from '../../../src/cli/target/network-fetch.js';
import { openChoice } from '../../../src/cli/target/target.js';
import { planPush, push, readSync } from '../../../src/cli/templates/sync.js';
import { openSyncContext } from '../../../src/cli/templates/sync-record.js';
import { Client } from '../../../src/client/client.js';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';

/** Tests lists and jobs that need more requests than the 60 a minute of the plan Free. */

const MINUTE_MS = 60_000;
const PER_MINUTE = 60;
const ANY_PORT = { host: '127.0.0.1', port: 0 };
const folder = mkdtempSync(join(tmpdir(), 'svc-free-'));

let app: TestApp;
let client: Client;
let baseUrl: string;
/** The pauses of the client. Each advances the service's clock. */
let pauses: number[];

beforeEach(async () => {
  app = await startApp({ plan: 'free' });
  app.clock.freeze();
  ({ baseUrl } = await app.listen({ http: ANY_PORT, smtp: ANY_PORT }));
  pauses = [];
  const pause = async (milliseconds: number) => {
    pauses.push(milliseconds);
    app.clock.set(app.clock.now() + milliseconds);
  };
  const fetch = networkFetch(baseUrl, { timeoutSeconds: 30, env: {} });
  const retry = { retries: 3, pause, now: () => app.clock.now() };
  client = new Client({ baseUrl, apiKey: TEST_KEY, userAgent: 'test', fetch, retry });
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await app.closeClean();
});

function expectOnePause(): void {
  expect(pauses).toHaveLength(1);
  expect(pauses[0]).toBeGreaterThan(0);
  expect(pauses[0]).toBeLessThanOrEqual(MINUTE_MS);
}

it('reads every email of a list of more than 60 pages, once', async () => {
  const sent: string[] = [];
  for (let number = 0; number < 2 * PER_MINUTE + 10; number += 1) {
    if (number % PER_MINUTE === 0) app.clock.set(app.clock.now() + MINUTE_MS);
    const email = { to: 'a@x.test', from: 's@x.test', subject: `${number}`, html: 'x' };
    const { status } = await app.call('POST', '/v1/emails', email);
    expect(status).toBe(201);
    sent.unshift(email.subject);
  }
  app.clock.set(app.clock.now() + MINUTE_MS);

  // As a service does that returns fewer items than it is asked for.
  const pages = allPages(async ({ offset }) => {
    const { emails, pagination } = await client.call('emails.list', { query: { limit: 2, offset } });
    return { items: emails, pagination };
  });
  const read: string[] = [];
  for await (const { items } of pages) read.push(...items.map(({ subject }) => subject));

  expect(read).toEqual(sent);
  expectOnePause();
});

it('pushes more than 60 templates', async () => {
  const names = Array.from({ length: PER_MINUTE + 10 }, (_, index) => `t${index}`);
  for (const name of names) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'template.json'), JSON.stringify({ name, subject: 'Hi' }));
    writeFileSync(join(folder, name, 'body.html'), '<p>Hi</p>');
  }
  const target = await openChoice({ kind: 'remote', baseUrl, apiKey: TEST_KEY, why: 'test' });
  const sync = await readSync(client, openSyncContext(folder, target, {}));

  const { steps, failure } = await push(client, sync, planPush(sync, { delete: false, force: false }), () => {});
  await target.finish();

  expect(failure).toBeUndefined();
  expect(steps.every(({ result }) => result === 'applied')).toBe(true);
  app.clock.set(app.clock.now() + MINUTE_MS);
  expect((await app.read('/v1/templates?limit=1')).pagination.total).toBe(names.length);
  expectOnePause();
});
