import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deliver, deliverAll, openSmtp, queuedId } from '../../support/mail/smtp-session.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

/** Tests what `--strict` refuses over SMTP. Gap 40. */

const ANY_PORT = { http: { host: '127.0.0.1', port: 0 }, smtp: { host: '127.0.0.1', port: 0 } };
const UNVERIFIED = (domain: string) => `550 5.7.1 unverified_domain; from: sending domain ${domain} has not been added`;

const message = ({ from = 'a@mine.test', subject = 'Hi', body = 'x' } = {}) =>
  `From: ${from}\r\nSubject: ${subject}\r\n\r\n${body}\r\n`;

describe('a strict server over SMTP', () => {
  let app: TestApp;
  let smtp: { host: string; port: number };

  beforeEach(async () => {
    app = await startApp({ strict: true, parsingLimitMs: 30_000, domains: ['mine.test', 'xn--mnchen-3ya.test'] });
    ({ smtp } = await app.listen(ANY_PORT));
  });
  afterEach(() => app.closeClean());

  const send = (content: string, to?: string[]) => deliver(smtp, content, { from: 'a@mine.test', ...(to && { to }) });
  const stored = async () => (await app.call('GET', '/v1/emails')).json.data.pagination.total;

  it('refuses senders and recipients of the envelope, and accepts others in the same session', async () => {
    const session = await openSmtp(smtp);
    await session.reply();
    await session.say('EHLO client.example.test');
    for (const _ of ['first', 'second'])
      expect(await session.say('MAIL FROM:<a@other.test>')).toBe(UNVERIFIED('other.test'));
    expect(await session.say('MAIL FROM:<root@localhost>')).toBe(
      '553 5.1.7 single_label_domain; from: root@localhost has a domain without a dot',
    );
    for (const from of ['a@xn--mnchen-3ya.test', 'A@Mine.TEST']) {
      expect(await session.say(`MAIL FROM:<${from}>`)).toMatch(/^250 /);
      await session.say('RSET');
    }
    await session.say('MAIL FROM:<A@Mine.TEST>');
    expect(await session.say('RCPT TO:<ada@localhost>')).toBe(
      '553 5.1.3 single_label_domain; to: ada@localhost has a domain without a dot',
    );
    expect(await session.say('RCPT TO:<ada@example.123>')).toMatch(/^553 5\.1\.3 invalid address: /);
    for (const to of ['ada@example.test', 'Postmaster']) {
      expect(await session.say(`RCPT TO:<${to}>`)).toMatch(/^250 /);
    }
    await session.say('DATA');
    session.write(message());
    expect(await session.say('.')).toMatch(/^250 /);
    session.socket.end();
    expect(await stored()).toBe(1);
  });

  it.each([
    ['the domain of From', message({ from: 'a@other.test' }), UNVERIFIED('other.test')],
    [
      'a leftover placeholder',
      message({ subject: 'Hi {{name}}' }),
      '550 5.7.1 leftover_placeholder; subject: contains {{name}}, which is not replaced',
    ],
    ['several findings', message({ from: 'a@other.test', body: '{{a}}' }), `${UNVERIFIED('other.test')} (and 1 more)`],
    [
      'a placeholder with characters that a reply cannot contain',
      message({ body: '{{a\r\n250 OK}}' }),
      '550 5.7.1 leftover_placeholder; text: contains {{a?250 OK}}, which is not replaced',
    ],
  ])('refuses a message after its content because of %s', async (_, content, reply) => {
    expect(await send(content)).toBe(reply);
    expect(await stored()).toBe(0);
  });

  it('refuses more than 50 recipients, of any form of message', async () => {
    const recipients = Array.from({ length: 51 }, (_, index) => `r${index}@example.test`);
    const encoded = message({ subject: '=?utf-8?q?=C3=A9?=' });
    const bytes = [message(), encoded].map((content) => Buffer.from(content));
    const replies = await deliverAll(
      smtp,
      bytes.map((each) => ({ bytes: each, to: recipients })),
      'a@mine.test',
    );
    const reply = '550 5.7.1 many_recipients; to: the email has more than 50 recipients';
    expect(replies).toEqual([reply, reply]);
    expect(queuedId(await send(encoded, recipients.slice(1)))).toBeDefined();
  });

  it('accepts a bounce message, which has an empty sender', async () => {
    expect(queuedId(await deliver(smtp, 'Subject: Hi\r\n\r\nx\r\n', { from: '' }))).toBeDefined();
    expect((await app.call('GET', '/_svc/report')).json.data.warnings).toEqual([]);
  });

  it.each([
    ['bare LF', 'From: a@mine.test\nSubject: {{name}}\n\nx\n'],
    ['LF in the body', message({ subject: '{{name}}', body: 'one\ntwo' })],
    ['an encoded subject', message({ subject: '=?utf-8?q?=C3=A9?= {{name}}' })],
    ['more than 64 KiB', message({ subject: '{{name}}', body: 'text\r\n'.repeat(12_000) })],
  ])('refuses a message with %s for the same reason', async (_, content) => {
    expect(await send(content)).toMatch(/^550 5\.7\.1 leftover_placeholder; subject: contains \{\{name\}\}/);
    expect(queuedId(await send(content.replace('{{name}}', 'Hi')))).toBeDefined();
    expect(await stored()).toBe(1);
  });

  it('refuses large HTML', async () => {
    const head = 'From: a@mine.test\r\nSubject: Hi\r\nContent-Type: text/html\r\n\r\n';
    expect(await send(head + '<p>text</p>\r\n'.repeat(90_000))).toMatch(/^550 5\.7\.1 large_html; html: /);
  });

  it('accepts a message that no worker can parse', async () => {
    expect(queuedId(await send('no header {{name}}'))).toBeDefined();
    expect(await stored()).toBe(1);
  });
});
