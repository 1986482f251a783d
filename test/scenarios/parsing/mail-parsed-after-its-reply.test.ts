import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { AppOptions } from '../../../src/app/app.js';
import { WorkerPool } from '../../../src/mime/worker/pool.js';
import { ROOT, temporaryDirectory } from '../../support/cli/binary.js';
import { deliver } from '../../support/mail/smtp-session.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { ManualTimers } from '../../support/servers/manual-timers.js';
import { startRelayServer } from '../../support/servers/relay-server.js';

/** Tests the edges of messages that are acknowledged before they are parsed. Decision 161. */

const HERE = { host: '127.0.0.1', port: 0 };
const DIRECTED = join(ROOT, 'test/fixtures/workers/directed-parser.cjs');
/** Above this size, messages go to workers one after the other. */
const LARGE = 'text\r\n'.repeat(200_000);
/** Longer than the limits of a message and the lease of a job. */
const ALL_WAIT_MS = 150_000;

const folder = temporaryDirectory();
afterAll(() => folder.remove());
let files = 0;
/** Returns the path of a file that does not exist. */
const newPath = () => {
  files += 1;
  return join(folder.path, String(files));
};
const create = (path: string) => writeFileSync(path, '');

/** Returns how many jobs a server has claimed. */
function leasesIn(file: string): unknown {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare('SELECT count(*) FROM jobs WHERE lease_until > 0').pluck().get();
  } finally {
    db.close();
  }
}

const message = (subject: string, fields: Record<string, string> = {}, body = 'hi\r\n') => {
  const more = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `From: Shop <a@x.test>\r\nTo: ada@example.test\r\nSubject: =?utf-8?q?${subject}?=\r\n${more.join('')}\r\n${body}`;
};

describe('a message that is acknowledged before it is parsed', () => {
  let app: TestApp;
  let smtp: { host: string; port: number };
  let url: string;
  afterEach(async () => {
    vi.restoreAllMocks();
    await app.closeClean();
  });

  async function listen(options: Partial<AppOptions> = {}) {
    app = await startApp({ processing: { entry: DIRECTED }, parsingLimitMs: 50, ...options });
    const listening = await app.listen({ http: HERE, smtp: HERE });
    smtp = listening.smtp;
    url = listening.baseUrl;
  }

  const send = async (content: string) => /msg_\w+/.exec((await deliver(smtp, content)) ?? '')?.[0] ?? '';
  const inspect = (id: string) => app.read(`/_svc/emails/${id}`);
  const isParsing = async (subject: string) => {
    const { emails } = await app.read('/_svc/emails');
    return emails.find((email: { subject: string }) => email.subject === subject)?.parsing;
  };

  it('leaves its worker to the next slow one when it was parsed during the delay of a fault', async () => {
    const run = vi.spyOn(WorkerPool.prototype, 'run');
    await listen();
    await app.call('POST', '/_svc/faults', { smtp: 'end', delay: '1h', times: 1 });
    const [first, second] = [newPath(), newPath()];
    const delayed = send(message('delayed', { 'X-Wait-For': first }));
    await expect.poll(async () => (await app.read('/_svc/faults')).faults[0].hits).toBe(1);
    create(first);
    await run.mock.results[0]?.value;
    await app.call('POST', '/_svc/clock/advance', { by: '1h' });
    expect(await inspect(await delayed)).toMatchObject({ parsing: false, status: 'delivered' });

    await send(message('next', { 'X-Wait-For': second }));
    expect(await isParsing('next')).toBe(true);
    create(second);
    await expect.poll(() => isParsing('next')).toBe(false);
  });

  it('is parsed once more after a crash, if it was given up before', async () => {
    await listen();
    const [go, crash] = [newPath(), newPath()];
    create(crash);
    await send(message('slow', { 'X-Wait-For': go }, LARGE));
    // Its turn has not come when its time is up.
    const id = await send(message('behind', { 'X-End-Once': crash }, LARGE));
    expect(await isParsing('behind')).toBe(true);
    create(go);
    await expect.poll(() => isParsing('behind')).toBe(false);
    expect(await inspect(id)).toMatchObject({ subject: 'behind', parse_error: null, status: 'delivered' });
  });

  it('is kept with the reason after its worker has ended twice, and is not retried', async () => {
    await listen();
    const ends = newPath();
    const id = await send(message('fatal', { 'X-End-And-Count': ends }));
    await expect.poll(async () => (await inspect(id)).parsing).toBe(false);
    expect(await inspect(id)).toMatchObject({
      subject: 'fatal',
      parse_error: 'The worker process ended unexpectedly (exit code 7).',
      status: 'delivered',
    });
    await send(message('next'));
    expect(readFileSync(ends, 'utf8')).toBe('ended\n'.repeat(2));
  });

  it('is parsed at once by the next server when its server was killed', async () => {
    const file = newPath();
    await listen({ storage: { file } });
    const id = await send(message('interrupted', { 'X-Wait-For': newPath() }));
    const killed = newPath();
    await expect.poll(() => leasesIn(file)).toBe(1);
    for (const part of ['', '-wal']) copyFileSync(file + part, killed + part);
    await app.closeClean();
    const copy = new Database(killed);
    // However long the copy took.
    copy.prepare('UPDATE jobs SET lease_until = ? WHERE lease_until > 0').run(Date.now() + 100_000);
    copy.close();
    expect(leasesIn(killed)).toBe(1);

    await listen({ storage: { file: killed }, processing: {} });
    await expect.poll(async () => (await inspect(id)).parsing).toBe(false);
  });

  it('delays an export, a deletion by query and a reset by 150 seconds at most', async () => {
    await listen();
    await send(message('stuck', { 'X-Wait-For': newPath() }));
    const timers = new ManualTimers();
    const after = app.clock.after.bind(app.clock);
    vi.spyOn(app.clock, 'after').mockImplementation((milliseconds, callback) =>
      (milliseconds === ALL_WAIT_MS ? timers : { after }).after(milliseconds, callback),
    );
    for (const [method, path, body, status] of [
      ['GET', '/_svc/export', undefined, 200],
      ['POST', '/_svc/emails/delete', { search: 'subject:other' }, 200],
      ['POST', '/_svc/reset', {}, 204],
    ] as const) {
      const answer = app.call(method, path, body);
      await expect.poll(() => timers.size).toBe(1);
      timers.fire(ALL_WAIT_MS);
      expect([path, (await answer).status]).toEqual([path, status]);
    }
  });

  it('cannot be released before it is parsed', async () => {
    const relay = await startRelayServer();
    await listen({ relay: relay.relay({ allow: ['*@example.test'] }) });
    const id = await send(message('slow', { 'X-Wait-For': newPath() }));
    const { status, json } = await app.call('POST', `/_svc/emails/${id}/release`, { to: ['ada@example.test'] });
    expect([status, json?.error?.message]).toEqual([409, `Email ${id} is still being parsed.`]);
    await relay.close();
  });

  it('is not captured when the key is revoked after its content has begun', async () => {
    await listen();
    const { id, key } = (await app.call('POST', '/v1/api-keys', { name: 'CI', environment: 'test' })).json.data;
    const content = message('late');
    const client = connect(Number(new URL(url).port), '127.0.0.1');
    let response = '';
    client.on('data', (chunk) => {
      response += chunk;
    });
    const begun = once(app.http.server, 'request');
    const fields = `Host: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: message/rfc822\r\nConnection: close`;
    client.write(`POST /_svc/emails HTTP/1.1\r\n${fields}\r\nContent-Length: ${content.length}\r\n\r\n`);
    client.write(content.slice(0, 20));
    await begun;
    // The answer to a later call comes after the check of the key.
    expect((await app.call('GET', '/v1/emails', undefined, { authorization: `Bearer ${key}` })).status).toBe(200);
    expect((await app.call('DELETE', `/v1/api-keys/${id}`)).status).toBe(204);
    client.write(content.slice(20));
    await once(client, 'close');
    expect(response).toMatch(/^HTTP\/1\.1 401 /);
    expect((await app.read('/_svc/emails')).emails).toEqual([]);
  });
});
