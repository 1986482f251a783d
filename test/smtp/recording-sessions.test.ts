import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SmtpSession, SmtpSessionDetails } from '../../src/contract/control/logs.js';
import type { RecordedSession, SmtpSessionLog } from '../../src/core/streams/logs.js';
import { temporaryDirectory } from '../support/cli/binary.js';
import { python } from '../support/mail/delivered.js';
import { brokenSession, deliver, deliverAll, openSmtp, openSmtpData, queuedId } from '../support/mail/smtp-session.js';
import { startApp, TEST_KEY, type TestApp } from '../support/servers/app.js';
import { closeSmtpServersAfterEach, listenForSmtp } from '../support/servers/smtp-server.js';

let app: TestApp;
let smtp: { host: string; port: number };

beforeEach(async () => {
  app = await startApp();
  ({ smtp } = await app.listen({ http: { host: '127.0.0.1', port: 0 }, smtp: { host: '127.0.0.1', port: 0 } }));
});
afterEach(() => app.closeClean());

const list = async (query = ''): Promise<SmtpSession[]> => (await app.read(`/_svc/smtp-sessions${query}`)).sessions;

/** Returns the newest session once it has ended. */
async function ended(): Promise<SmtpSessionDetails> {
  await expect.poll(async () => (await list())[0]?.ending).toBeTypeOf('string');
  const [newest] = await list();
  return app.read(`/_svc/smtp-sessions/${newest?.id}`);
}

const textOf = ({ transcript }: SmtpSessionDetails) =>
  transcript.map(({ from, text }) => `${{ client: 'C: ', server: 'S: ', note: '-- ' }[from]}${text}`).join('\n');

/** Sends lines one by one, each after the reply to the one before it, and closes the connection. */
async function say(...lines: string[]): Promise<(string | undefined)[]> {
  const session = await openSmtp(smtp);
  const replies = [await session.reply()];
  for (const line of lines) replies.push(await session.say(line));
  session.socket.end();
  return replies;
}

describe('the record of a session', () => {
  it('has the client, the envelope, the email and every command and reply', async () => {
    const { response } = await createTransport({ ...smtp, name: 'app.example.test' }).sendMail({
      from: 'app@example.test',
      to: ['ada@example.test', 'bob@example.test'],
      subject: 'Hi',
      text: 'Hello',
    });
    const id = queuedId(response);

    const session = await ended();
    expect(session).toMatchObject({
      client: { address: '127.0.0.1', port: expect.any(Number) },
      helo: 'app.example.test',
      tls: null,
      auth: null,
      ending: 'client_closed',
      failed: false,
      error: null,
      ms: expect.any(Number),
      accepted: 1,
      transactions: [
        {
          mail_from: 'app@example.test',
          rcpt_to: ['ada@example.test', 'bob@example.test'],
          rcpt_count: 2,
          state: 'accepted',
          email_id: id,
          reply: null,
          received: null,
        },
      ],
    });
    expect(session.transactions[0]?.bytes).toBe((await app.read(`/_svc/emails/${id}`)).envelope.size);
    expect(textOf(session)).toMatch(
      /^S: 220 .+\nC: EHLO app\.example\.test\nS: 250-[\s\S]+C: MAIL FROM:<app@example\.test>\nS: 250 2\.1\.0 Accepted\n[\s\S]+C: DATA\nS: 354 .+\n-- \d+ bytes received, stored as msg_\w+\nS: 250 2\.\d\.0 OK: queued as msg_\w+\n-- the client closed the connection$/,
    );
    const times = session.transcript.map(({ ms }) => ms);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect((await app.read(`/_svc/emails/${id}`)).smtp_session).toBe(session.id);
  });

  it('is made of a session of smtplib', async () => {
    await python('smtplib_send.py', '', [smtp.host, String(smtp.port)]);

    const session = await ended();
    expect(session).toMatchObject({
      ending: 'quit',
      failed: false,
      transactions: [{ state: 'accepted', rcpt_count: 4 }],
    });
    expect(textOf(session)).toMatch(/^C: mail FROM:<zoë@example\.test> /m);
  });

  it('exists while the session is open', async () => {
    const session = await openSmtpData(smtp);

    const [open] = await list();
    expect(open).toMatchObject({ seq: null, ms: null, ending: null, transactions: [{ state: 'open' }] });
    expect((await app.read(`/_svc/smtp-sessions/${open?.id}`)).transcript.at(-1)).toMatchObject({ from: 'server' });
    session.write('Subject: Hi\r\n\r\nHello\r\n');
    await session.say('.');
    await session.say('QUIT');

    expect(await ended()).toMatchObject({ id: open?.id, ending: 'quit', transactions: [{ state: 'accepted' }] });
  });

  it('has the reply that refused a recipient', async () => {
    await say('EHLO x.test', 'MAIL FROM:<a@x.test>', 'RCPT TO:<b@example.123>', 'RSET', 'QUIT');

    const session = await ended();
    expect(session.transactions).toMatchObject([
      { state: 'refused', rcpt_to: [], reply: expect.stringMatching(/^5\d\d /) },
    ]);
    expect(session).toMatchObject({ failed: true, ending: 'quit', error: session.transactions[0]?.reply });
    expect((await list('?failed=true')).map(({ id }) => id)).toEqual([session.id]);
  });

  it.each([
    ['the last refusal', ['STARTTLS', 'MAIL FROM:<a@x.test>', 'RCPT TO:<b@example.123>', 'DATA', 'QUIT'], /^553 /],
    [
      'the refusal before commands without it',
      ['MAIL FROM:<a@example.123>', 'RCPT TO:<b@x.test>', 'DATA', 'QUIT'],
      /^553 /,
    ],
    ['commands in the wrong order, without another', ['DATA', 'QUIT'], /^503 /],
  ])('has as its error %s', async (_, lines, error) => {
    await say('EHLO x.test', ...lines);

    expect(await ended()).toMatchObject({ failed: true, error: expect.stringMatching(error) });
  });

  it('has as its error that a message was broken off, rather than a refused recipient before it', async () => {
    await brokenSession(smtp);

    expect((await ended()).error).toBe('transaction incomplete: the client closed the connection');
  });

  it('does not count a transaction as failed that the client ended', async () => {
    await say('EHLO x.test', 'MAIL FROM:<a@x.test>', 'RCPT TO:<b@x.test>', 'RSET', 'QUIT');

    expect(await ended()).toMatchObject({ failed: false, transactions: [{ state: 'abandoned' }] });
    expect(await list('?failed=true')).toEqual([]);
  });

  it('has what was received of a message that was broken off', async () => {
    const client = await openSmtpData(smtp);
    client.write('Subject: Broken\r\n\r\nThe beginning\r\n');
    await expect.poll(() => client.socket.writableLength).toBe(0);
    client.socket.destroySoon();

    const session = await ended();
    expect(session).toMatchObject({
      failed: true,
      ending: 'client_closed',
      error: expect.stringContaining('incomplete'),
    });
    expect(session.transactions).toMatchObject([
      { state: 'broken', email_id: null, received: expect.stringMatching(/^Subject: Broken\r\n\r\nThe beginning/) },
    ]);
  });

  it('keeps the first 8 KiB of a broken message', async () => {
    const client = await openSmtpData(smtp);
    client.write(`Subject: Long\r\n\r\n${`${'x'.repeat(70)}\r\n`.repeat(2_000)}`);
    await expect.poll(() => client.socket.writableLength).toBe(0);
    client.socket.destroySoon();

    const { transactions } = await ended();
    expect(transactions[0]?.bytes).toBeGreaterThan(100_000);
    expect(transactions[0]?.received).toHaveLength(8 * 1024);
  });

  it('has the replies to commands in the wrong order', async () => {
    await say('DATA', 'EHLO x.test', 'RCPT TO:<b@x.test>', 'MAIL FROM:<a@x.test>', 'DATA', 'QUIT');

    const session = await ended();
    expect(textOf(session)).toMatch(/C: DATA\nS: 503 [\s\S]+C: RCPT TO:<b@x\.test>\nS: 503 [\s\S]+C: DATA\nS: 503 /);
    expect(session).toMatchObject({ failed: true, transactions: [{ mail_from: 'a@x.test', state: 'refused' }] });
  });

  it('has the refusal of a line that is too long, and not the line', async () => {
    const client = await openSmtp(smtp);
    await client.reply();
    client.write('A'.repeat(200_000));
    expect(await client.reply()).toMatch(/^421 /);
    client.socket.destroySoon();

    const session = await ended();
    expect(session).toMatchObject({ ending: 'refused', failed: true, error: expect.stringMatching(/^421 .*too long/) });
    expect(JSON.stringify(session).length).toBeLessThan(2_000);
  });

  it('shows bytes that are not text as codes', async () => {
    await say('\x00\x1b[31m\x07 \x9b2J', 'QUIT');

    const session = await ended();
    expect(textOf(session)).toContain('C: \\x00\\x1b[31m\\x07 ');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
    expect(JSON.stringify(session.transcript)).not.toMatch(/\\u00[019]|[\x00-\x1f\x7f-\x9f]/);
  });

  it('has commands of HTTP, and that the server closed the connection', async () => {
    await say('POST / HTTP/1.1');

    expect(await ended()).toMatchObject({ ending: 'refused', failed: true, error: expect.stringMatching(/^421 /) });
  });
});

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('secrets in sessions', () => {
  const SECRETS = ['hunter2', base64('hunter2'), base64('\0ada\0hunter2'), base64('ada')];

  it.each([
    ['AUTH PLAIN', [`AUTH PLAIN ${base64('\0ada\0hunter2')}`]],
    ['AUTH PLAIN in two lines', ['AUTH PLAIN', base64('\0ada\0hunter2')]],
    ['AUTH LOGIN', ['AUTH LOGIN', base64('ada'), base64('hunter2')]],
    ['AUTH LOGIN with the name', [`auth login ${base64('ada')}`, base64('hunter2')]],
    ['AUTH after spaces', [`  AUTH   PLAIN   ${base64('\0ada\0hunter2')}`]],
    ['a refused mechanism', ['AUTH NTLM', base64('ada'), base64('hunter2')]],
    ['AUTH without a mechanism', [`AUTH ${base64('\0ada\0hunter2')}`]],
    ['AUTH with a wrong separator', [`AUTH=PLAIN ${base64('\0ada\0hunter2')}`]],
    ['AUTH=PLAIN and a second line', ['auth=plain', base64('\0ada\0hunter2')]],
    ['credentials after the mechanism without a space', [`AUTH PLAIN=${base64('\0ada\0hunter2')}`]],
  ])('are masked: %s', async (_, lines) => {
    await say('EHLO x.test', ...lines, 'QUIT');

    const session = await ended();
    for (const secret of SECRETS) expect(JSON.stringify(session)).not.toContain(secret);
    expect(textOf(session)).toContain('****');
  });

  it('leaves the mechanism, the user and the result of a log-in', async () => {
    await say('EHLO x.test', `AUTH PLAIN ${base64('\0ada\0hunter2')}`, 'QUIT');
    expect((await ended()).auth).toEqual({ mechanism: 'PLAIN', username: 'ada', accepted: true });

    await say('EHLO x.test', `AUTH PLAIN ${base64('\0ada\0svc_test_unknownUnknownUnknownUnknown')}`, 'QUIT');

    await expect.poll(async () => (await list()).length).toBe(2);
    expect(await ended()).toMatchObject({
      auth: { mechanism: 'PLAIN', username: 'ada', accepted: false },
      failed: true,
      error: expect.stringMatching(/^535 /),
    });
  });

  it('masks API keys in commands and in messages that are broken off', async () => {
    const client = await openSmtp(smtp);
    await client.reply();
    for (const line of ['EHLO x.test', `MAIL FROM:<${TEST_KEY}@x.test>`, 'RCPT TO:<b@x.test>', 'DATA'])
      await client.say(line);
    client.write(`Authorization: Bearer ${TEST_KEY}\r\n`);
    await expect.poll(() => client.socket.writableLength).toBe(0);
    client.socket.destroySoon();

    const session = await ended();
    expect(JSON.stringify(session)).not.toContain(TEST_KEY);
    expect(session.transactions[0]?.received).toContain('Bearer svc_test_…');
  });

  it('refuses the keys of workspaces', async () => {
    const { json } = await app.call('POST', '/_svc/workspaces', { name: 'one', addresses: ['*@one.test'] });
    const id = queuedId(await deliver(smtp, 'Subject: Hi\r\n\r\nHi\r\n', { to: ['ada@one.test'] }));
    const headers = { authorization: `Bearer ${json.data.api_key}` };

    expect((await app.call('GET', '/_svc/smtp-sessions', undefined, headers)).status).toBe(403);
    expect((await app.call('GET', `/_svc/emails/${id}`, undefined, headers)).json.data.smtp_session).toBeNull();
  });
});

describe('the bounds of sessions', () => {
  it('keeps the first and the last lines and transactions of a long session', async () => {
    const client = await openSmtp(smtp);
    await client.reply();
    await client.say('EHLO x.test');
    for (let message = 1; message <= 60; message += 1) {
      await client.say(`MAIL FROM:<a${message}@x.test>`);
      await client.say('RSET');
    }
    for (let line = 0; line < 1_000; line += 1) client.write(`NOOP ${'x'.repeat(500)}\r\n`);
    for (let line = 0; line < 1_000; line += 1) await client.reply();
    await client.say('NOOP the last');
    await client.say('QUIT');

    const session = await ended();
    expect(JSON.stringify(session).length).toBeLessThan(60_000);
    expect(textOf(session)).toMatch(/^S: 220 [\s\S]+\n-- \d+ commands and replies omitted\n[\s\S]+C: NOOP the last\n/);
    expect(session).toMatchObject({ omitted_transactions: 10, accepted: 0 });
    expect(session.transactions.map(({ mail_from }) => mail_from)).toEqual(
      Array.from({ length: 60 }, (_, at) => `a${at + 1}@x.test`).filter((_, at) => at < 25 || at >= 35),
    );
  });

  it('counts every message, also those of transactions that it omits', async () => {
    await deliverAll(
      smtp,
      Array.from({ length: 53 }, () => ({ bytes: Buffer.from('Hi'), to: ['b@x.test'] })),
    );

    expect(await ended()).toMatchObject({ omitted_transactions: 3, accepted: 53 });
  });

  it('keeps fewer transactions with long addresses', async () => {
    const client = await openSmtp(smtp);
    await client.reply();
    await client.say('EHLO x.test');
    const domain = `${'d'.repeat(60)}.`.repeat(3);
    for (let message = 0; message < 60; message += 1) {
      client.write(`MAIL FROM:<a@${domain}test>\r\n`);
      for (let at = 0; at < 10; at += 1) client.write(`RCPT TO:<r${at}@${domain}test>\r\n`);
      client.write('RSET\r\n');
      for (let reply = 0; reply < 12; reply += 1) await client.reply();
    }
    await client.say('QUIT');

    const session = await ended();
    expect(session.transactions.length + session.omitted_transactions).toBe(60);
    expect(JSON.stringify(session.transactions).length).toBeLessThan(70_000);
  });

  it('lists at most 10 recipients of a transaction, and their number', async () => {
    const recipients = Array.from({ length: 12 }, (_, at) => `RCPT TO:<r${at}@x.test>`);
    await say('EHLO x.test', 'MAIL FROM:<a@x.test>', ...recipients, 'QUIT');

    const [transaction] = (await ended()).transactions;
    expect(transaction?.rcpt_to).toHaveLength(10);
    expect(transaction?.rcpt_count).toBe(12);
  });

  it('is emptied with the server, and continues', async () => {
    await say('EHLO x.test', 'QUIT');
    await ended();

    await app.call('POST', '/_svc/reset');
    expect(await list()).toEqual([]);
    await say('EHLO y.test', 'QUIT');

    expect(await ended()).toMatchObject({ helo: 'y.test' });
  });
});

describe('the end of a session', () => {
  closeSmtpServersAfterEach();

  /** Starts a server whose sessions are collected when they end. */
  async function recordingServer() {
    const ends: RecordedSession[] = [];
    let count = 0;
    const sessions = {
      start: () => ({ id: `smtp_${++count}`, createdAt: 0, capturedAt: 0 }),
      now: () => 0,
      open: () => {},
      end: (session: RecordedSession) => ends.push(session),
    };
    return { ends, ...(await listenForSmtp({ sessions: sessions as unknown as SmtpSessionLog })) };
  }

  it('is a time-out when the content of a message takes too long', async () => {
    const { ends, address, timers } = await recordingServer();
    const client = await openSmtpData(address);

    timers.at(-1)?.run();
    expect(await client.reply()).toMatch(/^421 /);
    client.socket.destroySoon();

    await expect.poll(() => ends.length).toBe(1);
    expect(ends[0]?.describe()).toMatchObject({ ending: 'timed_out', transactions: [{ state: 'broken' }] });
  });

  it('is the stop of the server, for a session that is open', async () => {
    const folder = temporaryDirectory();
    const storage = { file: join(folder.path, 'mail.db') };
    const other = await startApp({ storage });
    const { smtp: address } = await other.listen({
      http: { host: '127.0.0.1', port: 0 },
      smtp: { host: '127.0.0.1', port: 0 },
    });
    const client = await openSmtpData(address);
    client.write('Subject: Unfinished\r\n\r\n');
    const idle = await openSmtp(address);
    await idle.reply();

    await other.closeClean();

    const next = await startApp({ storage });
    const { sessions } = await next.read('/_svc/smtp-sessions');
    await next.closeClean();
    folder.remove();
    const failures = sessions.map(({ ending, failed }: SmtpSession) => ({ ending, failed }));
    expect(failures).toHaveLength(2);
    expect(failures).toContainEqual({ ending: 'server_stopped', failed: false });
    expect(failures).toContainEqual({ ending: 'server_stopped', failed: true });
  });
});
