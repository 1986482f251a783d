import { createTransport } from 'nodemailer';
import { afterEach, describe, expect, it } from 'vitest';
import type { AppOptions } from '../../../src/app/app.js';
import { deliver, deliverAll, queuedId } from '../../support/mail/smtp-session.js';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';

/** Specification: Rate limits by plan; gap 33. */

const ANY_PORT = { host: '127.0.0.1', port: 0 };
const MINUTE = 60_000;
/** The free plan's limits. */
const RATE = 60;
const QUOTA = 1_000;
const OVER_RATE = `450 4.7.1 message_rate; more than ${RATE} messages in a minute; try again in 60 s`;
const MESSAGE = Buffer.from('From: a@mine.test\r\nSubject: Hi\r\n\r\nHello\r\n');

let app: TestApp;
let smtp: { host: string; port: number };

async function start(options: Partial<AppOptions>): Promise<void> {
  app = await startApp({ plan: 'free', domains: ['mine.test'], ...options });
  app.clock.freeze();
  app.clock.set(Date.parse('2028-02-10T10:00:00.000Z'));
  ({ smtp } = await app.listen({ http: ANY_PORT, smtp: ANY_PORT }));
}
afterEach(() => app.closeClean());

/** Sends messages over one connection. Returns the replies. */
const sendMany = (count: number, to = ['ada@example.test']) =>
  deliverAll(
    smtp,
    Array.from({ length: count }, () => ({ bytes: MESSAGE, to })),
    'a@mine.test',
  );
const send = async (to?: string[]) => (await sendMany(1, to))[0];
const isAccepted = (reply: string | undefined) => queuedId(reply) !== undefined;
const stored = async () => (await app.read('/v1/emails')).pagination.total;
const warningsOf = async (reply: string | undefined) =>
  (await app.read(`/_svc/emails/${queuedId(reply)}`)).warnings.map(({ code, message }: Record<string, string>) => ({
    code,
    message,
  }));

/** Sends one email over REST to a number of recipients. */
async function fillQuota(recipients: number): Promise<void> {
  const to = Array.from({ length: recipients }, (_, at) => `r${at}@example.test`);
  for (let from = 0; from < recipients; from += 50) {
    const email = { to: to.slice(from, from + 50), from: 'a@mine.test', subject: 'Hi', html: 'x' };
    expect((await app.call('POST', '/v1/emails', email)).status).toBe(201);
  }
}

describe('the rate limit over SMTP', () => {
  it('refuses the message after the last on a strict server, until the minute is over', async () => {
    await start({ strict: true });

    const replies = await sendMany(RATE + 2);

    expect(replies.slice(0, RATE).every(isAccepted)).toBe(true);
    expect(replies.slice(RATE)).toEqual([OVER_RATE, OVER_RATE]);
    expect(await stored()).toBe(RATE);
    app.clock.set(app.clock.now() + MINUTE);
    expect(isAccepted(await send())).toBe(true);
    const { warnings } = await app.read('/_svc/report');
    expect(warnings).toMatchObject([{ code: 'message_rate', count: 2 }]);
  });

  it('is announced by a server that is not strict', async () => {
    await start({});

    const replies = await sendMany(RATE + 1);

    expect(replies.every(isAccepted)).toBe(true);
    expect(await warningsOf(replies.at(-2))).toEqual([]);
    expect(await warningsOf(replies.at(-1))).toEqual([
      { code: 'message_rate', message: `more than ${RATE} messages in a minute` },
    ]);
    expect((await app.read('/_svc/report')).warnings).toMatchObject([{ code: 'message_rate', count: 1 }]);
  });

  it('is that of the API key a client logs in with, and does not limit requests', async () => {
    await start({ strict: true });
    const { id, key } = (await app.call('POST', '/v1/api-keys', { name: 'slow', environment: 'test', rate_limit: 2 }))
      .json.data;
    const mailer = (pass: string) =>
      createTransport({ ...smtp, ignoreTLS: true, auth: { user: 'app', pass }, name: 'app.test' });
    const mail = { from: 'a@mine.test', to: 'ada@example.test', subject: 'Hi', text: 'Hello' };

    const first = await mailer(key).sendMail(mail);
    await mailer(key).sendMail(mail);

    await expect(mailer(key).sendMail(mail)).rejects.toMatchObject({
      responseCode: 450,
      response: expect.stringContaining('450 4.7.1 message_rate; more than 2 messages in a minute'),
    });
    expect(isAccepted((await mailer(TEST_KEY).sendMail(mail)).response)).toBe(true);
    const authorization = `Bearer ${key}`;
    expect((await app.call('GET', '/v1/emails', undefined, { authorization })).status).toBe(200);
    expect(await app.read(`/_svc/emails/${queuedId(first.response)}`)).toMatchObject({ smtp_key_id: id });
  });

  it('does not exist in the plan none', async () => {
    await start({ strict: true, plan: 'none' });

    expect((await sendMany(RATE + 5)).every(isAccepted)).toBe(true);
  });
});

describe('the monthly quota over SMTP', () => {
  /** A message that a worker parses, which takes longer to start than a request. */
  const unparsedMessage = [
    'From: a@mine.test\r\nSubject: Hi\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n',
    '--x\r\nContent-Type: text/plain\r\n\r\nHello\r\n--x--\r\n',
  ].join('\r\n');
  const post = async () =>
    (await app.call('POST', '/v1/emails', { to: ['r@example.test'], from: 'a@mine.test', subject: 'Hi', html: 'x' }))
      .status;

  it('refuses a message on a strict server that has too many recipients, or comes when nothing is left', async () => {
    await start({ strict: true });
    await fillQuota(QUOTA - 3);
    await app.call('POST', '/_svc/suppressions', { address: 'gone@example.test' });

    expect(await send(['a@x.test', 'b@x.test', 'c@x.test', 'd@x.test'])).toBe(
      "452 4.7.1 monthly_quota; The free plan's monthly quota of 1000 emails has 3 left, fewer than the 4 recipients; " +
        'it resets at 2028-03-01T00:00:00.000Z.',
    );
    // The suppressed one and the repeated one are not sent to.
    expect(isAccepted(await send(['a@x.test', 'A@X.test', 'gone@example.test']))).toBe(true);
    expect(isAccepted(await send(['a@x.test', 'b@x.test']))).toBe(true);
    expect(await send()).toBe(
      "452 4.7.1 monthly_quota; The free plan's monthly quota of 1000 emails is used up; it resets at " +
        '2028-03-01T00:00:00.000Z.',
    );

    app.clock.set(Date.parse('2028-03-01T00:00:00.000Z'));
    expect(isAccepted(await send())).toBe(true);
  });

  it('refuses messages that do not count in the rate limit', async () => {
    await start({ strict: true });
    await fillQuota(QUOTA - 1);

    const replies = await sendMany(RATE + 1, ['a@x.test', 'b@x.test']);

    expect(replies.filter((reply) => reply?.startsWith('452 4.7.1 '))).toHaveLength(RATE + 1);
    expect(isAccepted(await send())).toBe(true);
    const { warnings } = await app.read('/_svc/report');
    expect(warnings).toMatchObject([{ code: 'monthly_quota', count: RATE + 1 }]);
  });

  it('is not exceeded by clients that send at the same time', async () => {
    await start({ strict: true });
    await fillQuota(QUOTA - 3);

    const replies = await Promise.all(Array.from({ length: 8 }, () => send()));

    expect(replies.filter(isAccepted)).toHaveLength(3);
    expect(replies.filter((reply) => reply?.startsWith('452 4.7.1 '))).toHaveLength(5);
    // Listing waits until the messages are parsed.
    await stored();
    expect((await app.read('/v1/analytics/emails')).total.sent).toBe(QUOTA);
  });

  it('is not exceeded by a request while a message is not parsed yet', async () => {
    await start({ strict: true });
    await fillQuota(QUOTA - 3);

    const reply = await deliver(smtp, unparsedMessage, { from: 'a@mine.test', to: ['a@x.test', 'b@x.test'] });

    expect(isAccepted(reply)).toBe(true);
    expect([await post(), await post()]).toEqual([201, 429]);
  });

  it('counts no suppressed or repeated recipient of a message that is not parsed yet', async () => {
    await start({ strict: true });
    await fillQuota(QUOTA - 3);
    await app.call('POST', '/_svc/suppressions', { address: 'gone@example.test' });

    const reply = await deliver(smtp, unparsedMessage, {
      from: 'a@mine.test',
      to: ['a@x.test', 'A@X.test', 'gone@example.test'],
    });

    expect(isAccepted(reply)).toBe(true);
    expect([await post(), await post(), await post()]).toEqual([201, 201, 429]);
  });

  it('is announced by a server that is not strict', async () => {
    await start({});
    await fillQuota(QUOTA - 1);

    const [last, over] = [await send(), await send()];

    expect(await warningsOf(last)).toEqual([]);
    expect(await warningsOf(over)).toEqual([{ code: 'monthly_quota', message: expect.stringContaining('is used up') }]);
  });

  it('does not apply to messages of the control API', async () => {
    await start({ strict: true });
    await fillQuota(QUOTA);
    const path = '/_svc/emails?mail_from=a@mine.test&rcpt_to=ada@example.test';

    const answer = await app.http.inject({
      method: 'POST',
      url: path,
      headers: { host: 'localhost', authorization: `Bearer ${TEST_KEY}`, 'content-type': 'message/rfc822' },
      payload: MESSAGE,
    });

    expect(answer.statusCode).toBe(201);
    expect(await deliver(smtp, MESSAGE, { from: 'a@mine.test' })).toMatch(/^452 4\.7\.1 monthly_quota/);
  });
});
