import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deliver } from '../../support/mail/smtp-session.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

const ANY_PORT = { host: '127.0.0.1', port: 0 };
const LONG = 60_000;

let app: TestApp;

beforeEach(async () => {
  app = await startApp({ plan: 'none' });
});
afterEach(() => app.closeClean());

async function wait(body: object) {
  const { status, json } = await app.call('POST', '/_svc/emails/wait', { timeout_ms: LONG, ...body });
  expect(status).toBe(200);
  return json.data;
}

async function send(fields: object = {}): Promise<string> {
  const email = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Hello', html: '<p>Hi</p>', ...fields };
  const { status, json } = await app.call('POST', '/v1/emails', email);
  expect(status).toBe(201);
  return json.data.id;
}

describe('waiting for an email', () => {
  it('responds with an email that is sent over REST during the wait', async () => {
    const waiting = wait({ query: 'to:ada@example.test subject:/reset/i' });
    await send({ subject: 'Welcome' });
    const id = await send({ subject: 'Reset your password', tags: ['auth'] });
    expect(await waiting).toMatchObject({
      matched: true,
      total: 1,
      emails: [{ id, subject: 'Reset your password', tags: ['auth'], html: '<p>Hi</p>', origin: 'rest' }],
      near_misses: [],
    });
  });

  it('responds with a message that is received over SMTP during the wait', async () => {
    const { smtp } = await app.listen({ http: ANY_PORT, smtp: ANY_PORT });
    const waiting = wait({ query: 'to:ada@example.test subject:Invoice' });
    await deliver(smtp, 'From: shop@example.test\r\nTo: ada@example.test\r\nSubject: Invoice 42\r\n\r\nHi\r\n', {
      to: ['ada@example.test'],
    });
    expect((await waiting).emails).toMatchObject([{ subject: 'Invoice 42', text: 'Hi\n', origin: 'smtp' }]);
  });

  it('lists near misses', async () => {
    const id = await send({ subject: 'Welcome' });
    const other = await send({ to: 'bob@example.test', subject: 'Welcome' });
    const result = await wait({ query: 'to:ada@example.test subject:/reset/i', timeout_ms: 1 });
    expect(result).toMatchObject({ matched: false, emails: [], total: 0 });
    console.log(JSON.stringify(result.near_misses, null, 1));
    expect(result.near_misses.map((miss: { id: string }) => miss.id)).toEqual([id, other]);
  });
});
