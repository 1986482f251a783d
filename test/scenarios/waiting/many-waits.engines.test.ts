import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Waits } from '../../../src/core/search/waits/waits.js';
import { DocumentReader } from '../../../src/storage/common/tables/mail/documents.js';
import { ROOT } from '../../support/cli/binary.js';
import { deliver } from '../../support/mail/smtp-session.js';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';
import { LONG_MS, look, mail, wait } from './waits.js';

const HANGING = join(ROOT, 'test/fixtures/workers/hanging-parser.cjs');
const ANY_PORT = { host: '127.0.0.1', port: 0 };

let app: TestApp;
let closing: Promise<void> | undefined;
afterEach(async () => {
  vi.restoreAllMocks();
  await (closing ?? app.closeClean());
  closing = undefined;
});

/** Returns a function that reports the number of waits that have not ended. */
function countWaits(): () => number {
  const spy = vi.spyOn(Waits.prototype, 'wait');
  return () => (spy.mock.contexts[0] as Waits | undefined)?.size ?? 0;
}

describe('many waits at once', () => {
  it('share one read of each email, and each gets its own', async () => {
    app = await startApp({ plan: 'none' });
    const size = countWaits();
    const addresses = Array.from({ length: 200 }, (_, index) => `user${index}@example.test`);
    const waiting = addresses.map((to) => wait(app, { query: `to:${to}`, since: 'now' }));
    await expect.poll(size).toBe(200);

    const reads = vi.spyOn(DocumentReader.prototype, 'ofIds');
    await mail(app, { to: 'nobody@example.test' });
    await app.drain();
    // The commits of one email: it is sent, delivered, and its content is searched.
    expect(reads.mock.calls.length).toBeLessThan(10);
    expect(size()).toBe(200);

    const ids = await Promise.all(addresses.map((to) => mail(app, { to })));
    const results = await Promise.all(waiting);
    expect(results.map(({ emails }) => emails[0].id)).toEqual(ids);
    expect(size()).toBe(0);
  });

  it('read nothing once they have ended', async () => {
    app = await startApp({ plan: 'none' });
    await mail(app);
    expect(await look(app, {})).toMatchObject({ matched: true });
    const reads = vi.spyOn(DocumentReader.prototype, 'ofIds');
    await mail(app);
    await app.drain();
    expect(reads).not.toHaveBeenCalled();
  });
});

describe('the end of a connection', () => {
  function waitOverHttp(baseUrl: string): ClientRequest {
    const headers = { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' };
    const waiting = request(baseUrl.replace('/v1', '/_svc/emails/wait'), { method: 'POST', headers });
    waiting.end(JSON.stringify({ query: 'to:nobody@example.test', timeout_ms: LONG_MS }));
    return waiting;
  }

  it('by the client ends the wait', async () => {
    app = await startApp({ plan: 'none' });
    const size = countWaits();
    const { baseUrl } = await app.listen({ http: ANY_PORT, smtp: ANY_PORT });
    const waiting = waitOverHttp(baseUrl);
    waiting.on('error', () => {});
    await expect.poll(size).toBe(1);
    waiting.destroy();
    await expect.poll(size).toBe(0);
  });

  it('by a server that stops has an answer with the reason', async () => {
    app = await startApp({ plan: 'none' });
    const size = countWaits();
    const { baseUrl } = await app.listen({ http: ANY_PORT, smtp: ANY_PORT });
    const answered = once(waitOverHttp(baseUrl), 'response');
    await expect.poll(size).toBe(1);
    closing = app.closeClean();
    const [response] = await answered;
    let text = '';
    for await (const piece of response) text += piece;
    expect(response.statusCode).toBe(503);
    expect(JSON.parse(text).error.message).toBe('The server stopped during the wait.');
  });
});

describe('a message that is still being parsed', () => {
  const COMPLEX = 'From: a@x.test\r\nTo: ada@example.test\r\nSubject: =?utf-8?q?slow?=\r\n\r\nhi\r\n';

  it('extends a wait until it is parsed', async () => {
    app = await startApp({ processing: { entry: HANGING, deadlineMs: 500 } });
    const { smtp } = await app.listen({ http: ANY_PORT, smtp: ANY_PORT });
    await deliver(smtp, COMPLEX, { to: ['ada@example.test'] });
    const result = await look(app, { query: 'to:ada@example.test' });
    expect(result).toMatchObject({ matched: true, emails: [{ origin: 'smtp', status: 'delivered' }] });
    await deliver(smtp, COMPLEX, { to: ['bob@example.test'] });
    expect(await look(app, { query: 'to:bob@example.test', absent: true })).toMatchObject({ matched: false });
  });
});

describe('an email whose content takes long to search', () => {
  it('extends a wait until that ends, or its time limit', async () => {
    app = await startApp({ processing: { entry: HANGING, deadlineMs: 1_500 } });
    // Large enough to be searched by a worker.
    const id = await mail(app, { html: '<p>x</p>'.repeat(3_000) });
    const { emails } = await look(app, { query: 'to:ada@example.test' });
    expect(emails).toMatchObject([{ id, headers: expect.arrayContaining([{ name: 'Subject', value: 'Hello' }]) }]);
  });
});
