import { afterEach, describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/contract/vocabulary/limits.js';
import { deliver } from '../../support/mail/smtp-session.js';
import { type Answer, startApp, type TestApp } from '../../support/servers/app.js';

/** Specification: Rate limits by plan; gap 33. */

const ANY_PORT = { host: '127.0.0.1', port: 0 };
const MINUTE = 60_000;
/** The free plan's quota. */
const QUOTA = 1_000;
const EMAIL = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Hi', html: '<p>Hi</p>' };

describe('the monthly quota', () => {
  let app: TestApp;

  async function start(plan: Plan, at: string): Promise<void> {
    app = await startApp({ plan });
    app.clock.freeze();
    app.clock.set(Date.parse(at));
  }

  const send = (more: object = {}) => app.call('POST', '/v1/emails', { ...EMAIL, ...more });

  /** Sends a number of emails, a minute later whenever the rate limit is used up. */
  async function sendMany(count: number): Promise<void> {
    for (let sent = 0; sent < count; ) {
      const { status, headers } = await send();
      if (status === 201) sent += 1;
      else expect([status, headers['x-ratelimit-limit']]).toEqual([429, '60']);
      if (headers['x-ratelimit-remaining'] === '0') app.clock.set(app.clock.now() + MINUTE);
    }
  }

  /** Sends one email to a number of recipients. */
  async function sendTo(recipients: number): Promise<void> {
    const to = Array.from({ length: recipients }, (_, index) => `r${index}@example.test`);
    expect((await send({ to })).status).toBe(201);
  }

  function expectQuotaReached(answer: Answer, resetsAt: string): void {
    expect(answer.status).toBe(429);
    expect(answer.json.error.code).toBe('rate_limit_exceeded');
    expect(answer.json.error.message).toContain('monthly quota of 1000');
    expect(answer.json.error.message).toContain(resetsAt);
    const seconds = Date.parse(resetsAt) / 1000;
    expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '1000', 'x-ratelimit-remaining': '0' });
    expect(Number(answer.headers['x-ratelimit-reset'])).toBe(seconds);
    expect(Number(answer.headers['retry-after'])).toBe(Math.ceil(seconds - app.clock.now() / 1000));
  }

  afterEach(() => app.closeClean());

  it('refuses the email after the last, from every key, and starts again with the month in UTC', async () => {
    await start('free', '2028-02-29T20:00:00.000Z');
    await sendTo(QUOTA - 100);
    await sendMany(100);
    app.clock.set(app.clock.now() + MINUTE);
    expectQuotaReached(await send(), '2028-03-01T00:00:00.000Z');
    const { key } = (await app.call('POST', '/v1/api-keys', { name: 'other', environment: 'test' })).json.data;
    const other = await app.call('POST', '/v1/emails', EMAIL, { authorization: `Bearer ${key}` });
    expectQuotaReached(other, '2028-03-01T00:00:00.000Z');
    expect((await app.call('GET', '/v1/emails')).status).toBe(200);

    app.clock.set(Date.parse('2028-02-29T23:59:59.999Z'));
    expectQuotaReached(await send(), '2028-03-01T00:00:00.000Z');
    expect((await app.call('GET', '/v1/emails')).json.data.pagination.total).toBe(101);

    app.clock.set(Date.parse('2028-03-01T00:00:00.000Z'));
    expect((await send()).status).toBe(201);
  });

  it('is not exceeded by concurrent sends', async () => {
    await start('free', '2026-12-31T22:00:00.000Z');
    await sendTo(QUOTA - 5);
    app.clock.set(app.clock.now() + MINUTE);
    const answers = await Promise.all(Array.from({ length: 20 }, () => send()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(15);
    for (const answer of refused) expectQuotaReached(answer, '2027-01-01T00:00:00.000Z');
    app.clock.set(app.clock.now() + MINUTE);
    expect((await app.call('GET', '/v1/emails')).json.data.pagination.total).toBe(6);
  });

  it('counts a scheduled email in the month in which it is sent, and no cancelled one', async () => {
    await start('free', '2026-05-31T22:00:00.000Z');
    await sendTo(QUOTA - 1);
    expect((await send({ scheduled_at: '2026-06-15T00:00:00Z' })).status).toBe(201);
    const cancelled = await send({ scheduled_at: '2026-06-20T00:00:00Z' });
    expect((await app.call('DELETE', `/v1/emails/${cancelled.json.data.id}`)).status).toBe(200);
    await sendTo(1);
    expect((await app.call('GET', '/v1/analytics/emails')).json.data.total.sent).toBe(QUOTA);
    expectQuotaReached(await send(), '2026-06-01T00:00:00.000Z');
    expectQuotaReached(await send({ scheduled_at: '2026-06-16T00:00:00Z' }), '2026-06-01T00:00:00.000Z');

    app.clock.set(Date.parse('2026-06-15T00:00:00.000Z'));
    await app.drain();
    await sendTo(QUOTA - 1);
    expectQuotaReached(await send(), '2026-07-01T00:00:00.000Z');
  });

  it('beyond it, sends a scheduled email at its time, and accepts SMTP', async () => {
    await start('free', '2026-05-01T00:00:00.000Z');
    const { id } = (await send({ scheduled_at: '2026-05-02T00:00:00Z' })).json.data;
    await sendTo(QUOTA);
    expectQuotaReached(await send(), '2026-06-01T00:00:00.000Z');

    app.clock.set(Date.parse('2026-05-02T00:00:00.000Z'));
    await app.drain();
    expect((await app.call('GET', `/v1/emails/${id}`)).json.data.sent_at).toBe('2026-05-02T00:00:00.000Z');
    const { smtp } = await app.listen({ http: ANY_PORT, smtp: ANY_PORT });
    await deliver(smtp, 'Subject: Hi\r\n\r\nHi\r\n', { to: ['bob@example.test'] });
    expect((await app.call('GET', '/v1/emails')).json.data.pagination.total).toBe(3);
  });

  it('counts recipients that were sent to, over SMTP too, and no refused requests or dropped recipients', async () => {
    await start('free', '2026-05-01T00:00:00.000Z');
    for (let calls = 0; calls < 5; calls += 1) expect((await send({ html: undefined })).status).toBe(422);
    await sendTo(QUOTA - 3);
    await app.call('POST', '/_svc/suppressions', { address: EMAIL.to });
    expect((await send({ to: [EMAIL.to, 'dropped@simulator.test', 'bob@example.test'] })).status).toBe(201);
    const { smtp } = await app.listen({ http: ANY_PORT, smtp: ANY_PORT });
    await deliver(smtp, 'Subject: Hi\r\n\r\nHi\r\n', { to: ['bob@example.test'] });
    // Listing waits until the message is parsed.
    expect((await app.call('GET', '/v1/emails')).json.data.pagination.total).toBe(3);
    expect((await app.call('GET', '/v1/analytics/emails')).json.data.total.sent).toBe(QUOTA - 1);

    const refused = await send({ to: ['bob@example.test', 'eve@example.test'] });
    expect(refused.status).toBe(429);
    expect(refused.json.error.message).toContain('has 1 left, fewer than the 2 recipients');
    expect(refused.headers).toMatchObject({ 'x-ratelimit-limit': '1000', 'x-ratelimit-remaining': '1' });
    expect((await app.call('GET', '/v1/emails')).json.data.pagination.total).toBe(3);
    expect((await send({ to: 'eve@example.test' })).status).toBe(201);
    expectQuotaReached(await send(), '2026-06-01T00:00:00.000Z');
  });

  it.each(['enterprise', 'none'] as const)('does not exist in the plan %s', async (plan) => {
    await start(plan, '2026-05-01T00:00:00.000Z');
    await sendTo(QUOTA);
    for (let sent = 0; sent < 5; sent += 1) expect((await send()).status).toBe(201);
  });
});
