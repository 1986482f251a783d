import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSmtp, queuedId } from '../../support/mail/smtp-session.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

/** Tests what RFC 5321 and 5322 allow in envelopes and headers, and few programs write. */

const ANY_PORT = { http: { host: '127.0.0.1', port: 0 }, smtp: { host: '127.0.0.1', port: 0 } };

let app: TestApp;
let smtp: { host: string; port: number };
async function start(options: Parameters<typeof startApp>[0] = {}) {
  app = await startApp(options);
  ({ smtp } = await app.listen(ANY_PORT));
}
afterEach(() => app.closeClean());

async function send(
  lines: readonly string[],
  mail = 'MAIL FROM:<a@example.test>',
  rcpt = 'RCPT TO:<ada@example.test>',
) {
  const session = await openSmtp(smtp);
  await session.reply();
  await session.say('EHLO client.example.test');
  const replies = [await session.say(mail), await session.say(rcpt), await session.say('DATA')];
  session.write(`${lines.join('\r\n')}\r\n`);
  replies.push(await session.say('.'));
  session.socket.end();
  expect(replies.map((reply) => reply?.slice(0, 3))).toEqual(['250', '250', '354', '250']);
  const id = queuedId(replies[3] ?? '');
  await vi.waitFor(async () => expect(await app.read(`/_svc/emails/${id}`)).toMatchObject({ parsing: false }), 30_000);
  return app.read(`/_svc/emails/${id}`);
}

const PLAIN = ['Subject: Hi', '', 'hi'];
const codesOf = (email: { warnings: { code: string; path: string }[] }) =>
  email.warnings.map(({ code, path }) => `${path}: ${code}`).filter((text) => !text.includes('unverified'));

describe('an envelope', () => {
  beforeEach(() => start());

  it.each([
    ['"a..b"@example.test', []],
    ['"john smith"@example.test', []],
    ['"a@b"@example.test', []],
    ['"a\\"b>"@example.test', []],
    ['ada@[127.0.0.1]', ['to: unusual_domain']],
    ['ada@[IPv6:::1]', ['to: unusual_domain']],
    ['root@web_1', ['to: unusual_domain']],
    ['root@web_1.example.test', ['to: unusual_domain']],
    ['root@localhost', ['to: single_label_domain']],
  ])('may have the recipient %s', async (address, codes) => {
    const email = await send(PLAIN, undefined, `RCPT TO:<${address}>`);
    expect(email.recipients).toMatchObject([{ address, status: 'delivered' }]);
    expect(codesOf(email)).toEqual(codes);
    expect((await app.call('GET', `/v1/emails/${email.id}`)).json.data.to).toBe(address);
    expect(email.envelope.rcpt_to).toEqual([address]);
  });

  it('may have a sender in the domain of a container', async () => {
    const email = await send(PLAIN, 'MAIL FROM:<root@web_1> SIZE=20');
    expect(email.envelope.mail_from).toBe('root@web_1');
    expect(codesOf(email)).toEqual(['from: unusual_domain']);
  });

  it.each(['"ab@example.test', '"a\tb"@example.test', 'a b@example.test', 'ada@web_', '@web_1', 'a@b@web_1'])(
    'may not have the recipient %s',
    async (address) => {
      const session = await openSmtp(smtp);
      await session.reply();
      await session.say('EHLO client.example.test');
      await session.say('MAIL FROM:<a@example.test>');
      const reply = await session.say(`RCPT TO:<${address}>`);
      expect(reply).toMatch(address === 'ada@web_' ? /^250 / : /^5(01|53) 5\.1\.3 /);
      session.socket.end();
    },
  );

  it.each([
    ['MAIL FROM:<a@example.test> FOO=BAR', undefined, ['from: unknown_smtp_parameter']],
    [undefined, 'RCPT TO:<ada@example.test> XRCPT', ['to: unknown_smtp_parameter']],
    ['MAIL FROM:<zoë@example.test>', undefined, ['from: missing_smtputf8']],
    [undefined, 'RCPT TO:<zoë@example.test>', ['to: missing_smtputf8']],
    ['MAIL FROM:<zoë@example.test> SMTPUTF8', 'RCPT TO:<zoë@example.test>', []],
    ['MAIL FROM:<a@xn--mnchen-3ya.test> BODY=8BITMIME RET=HDRS AUTH=<>', 'RCPT TO:<ada@example.test> NOTIFY=NEVER', []],
  ])('announces what %s and %s have without an offer', async (mail, rcpt, codes) => {
    expect(codesOf(await send(PLAIN, mail, rcpt))).toEqual(codes);
  });
});

it('is refused by a strict server where it was not offered', async () => {
  await start({ strict: true, domains: ['example.test'] });
  const session = await openSmtp(smtp);
  await session.reply();
  await session.say('EHLO client.example.test');
  expect(await session.say('MAIL FROM:<a@example.test> FOO=BAR')).toMatch(
    /^555 5\.5\.4 unknown_smtp_parameter; from: /,
  );
  expect(await session.say('MAIL FROM:<zoë@example.test>')).toMatch(/^553 5\.6\.7 missing_smtputf8; from: /);
  expect(await session.say('MAIL FROM:<a@example.test>')).toMatch(/^250 /);
  expect(await session.say('RCPT TO:<root@web_1>')).toMatch(/^553 5\.1\.3 unusual_domain; to: root@web_1 /);
  session.socket.end();
});

describe('a header', () => {
  beforeEach(() => start());

  it.each([
    ['=?utf-8?Q?Doe=2C_Jane?= <jane@example.test>', '"Doe, Jane" <jane@example.test>'],
    ['=?utf-8?Q?Evil_=3Cbob=40example=2Etest=3E?= <eve@example.test>', '"Evil <bob@example.test>" <eve@example.test>'],
    ['=?utf-8?Q?Zo?= =?utf-8?Q?=C3=AB?= <z@example.test>, b@example.test', 'Zoë <z@example.test>, b@example.test'],
    ['"=?utf-8?Q?a=2Cb?=" <z@example.test>', '"a,b" <z@example.test>'],
    ['"a \\"b\\"" <z@example.test>', '"a \\"b\\"" <z@example.test>'],
    ['=?utf-8?Q?say_=22hi=22?= <z@example.test>', '"say \\"hi\\"" <z@example.test>'],
  ])('shows the addresses %s as the same list', async (field, value) => {
    const { id } = await send([`To: ${field}`, 'Subject: =?utf-8?Q?a=2C_b?=', '', 'hi']);
    const { headers } = await app.read(`/_svc/emails/${id}/captured`);
    expect(headers.find(({ name }: { name: string }) => name === 'To')).toEqual({
      name: 'To',
      value,
      ...(value !== field && { raw: field }),
    });
    expect(headers.find(({ name }: { name: string }) => name === 'Subject')).toEqual({
      name: 'Subject',
      value: 'a, b',
      raw: '=?utf-8?Q?a=2C_b?=',
    });
  });

  it('lists a calendar without a name as an invitation', async () => {
    const { attachments } = await send([
      'Subject: Invitation',
      'Content-Type: multipart/alternative; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'Come',
      '--b',
      'Content-Type: text/calendar; method=REQUEST; charset=utf-8',
      '',
      'BEGIN:VCALENDAR',
      'END:VCALENDAR',
      '--b--',
    ]);
    expect(attachments).toMatchObject([
      { filename: 'invite.ics', content_type: expect.stringMatching(/^text\/calendar/) },
    ]);
  });
});
