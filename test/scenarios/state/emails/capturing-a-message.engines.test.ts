import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startApp, TEST_KEY, type TestApp } from '../../../support/servers/app.js';

/** Tests the control API's endpoint that captures a message without SMTP. */

describe('POST /_svc/emails', () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await startApp();
  });
  afterEach(() => app.closeClean());

  const capture = (message: string | Buffer, query = '') =>
    app.http.inject({
      method: 'POST',
      url: `/_svc/emails${query}`,
      headers: { host: 'localhost', authorization: `Bearer ${TEST_KEY}`, 'content-type': 'message/rfc822' },
      payload: message,
    });

  const MESSAGE = [
    'From: "Shop, Ltd." <Shop@example.test>',
    'To: Ada <ada@example.test>,',
    '  bob@example.test',
    'Bcc: audit@example.test',
    'Subject: Hi',
    '',
    '.',
    '..dots and no line end',
  ];

  it.each(['\r\n', '\n'])(
    'keeps the bytes, and reads the envelope from the header (lines end with %j)',
    async (end) => {
      const message = MESSAGE.join(end);
      const captured = await capture(message);

      expect(captured.statusCode).toBe(201);
      const { id } = captured.json().data;
      await app.call('POST', '/_svc/settle', {});
      const inspection = await app.read(`/_svc/emails/${id}`);
      expect(inspection).toMatchObject({
        origin: 'smtp',
        subject: 'Hi',
        envelope: {
          mail_from: 'Shop@example.test',
          rcpt_to: ['ada@example.test', 'bob@example.test', 'audit@example.test'],
        },
      });
      expect(inspection.recipients.map(({ kind }: { kind: string }) => kind)).toEqual(['to', 'to', 'bcc']);
      const raw = await app.http.inject({
        url: `/_svc/emails/${id}/raw`,
        headers: { host: 'localhost', authorization: `Bearer ${TEST_KEY}` },
      });
      expect(raw.body).toBe(message);
    },
  );

  it('uses the given envelope', async () => {
    const captured = await capture('Subject: x\r\n\r\nHi', '?mail_from=a@x.test&rcpt_to=b@x.test&rcpt_to=c@x.test');

    const { id } = captured.json().data;
    expect((await app.read(`/_svc/emails/${id}`)).envelope).toMatchObject({
      mail_from: 'a@x.test',
      rcpt_to: ['b@x.test', 'c@x.test'],
    });
  });

  it.each([
    ['without recipients', 'From: a@x.test\n\nHi', 'The message has no recipient in To, Cc or Bcc.'],
    ['without content', '', 'The message is empty.'],
    ['to an invalid address', 'To: <ada@@x.test>\n\nHi', 'Address "ada@@x.test" must be'],
  ])('refuses a message %s', async (_, message, text) => {
    const refused = await capture(message);

    expect(refused.statusCode).toBe(422);
    expect(refused.json().error.message).toContain(text);
  });
});

describe('POST /_svc/settle', () => {
  it('parses messages, and delivers what waits for the delivery delay', async () => {
    const app = await startApp({ deliveryDelayMs: 3_600_000 });
    await app.call('POST', '/v1/emails', { to: 'ada@x.test', from: 'app@x.test', subject: 'Hi', html: 'x' });
    await app.http.inject({
      method: 'POST',
      url: '/_svc/emails',
      headers: { host: 'localhost', authorization: `Bearer ${TEST_KEY}`, 'content-type': 'message/rfc822' },
      payload: 'From: a@x.test\nTo: b@x.test\nSubject: =?utf-8?q?H=C3=AD?=\n\nHi',
    });

    expect((await app.call('POST', '/_svc/settle', {})).json.data).toEqual({ settled: true });

    expect((await app.read('/_svc/summary')).emails).toEqual({ delivered: 2 });
    await app.closeClean();
  });
});
