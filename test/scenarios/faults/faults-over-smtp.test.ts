import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Serving, startServing } from '../../support/faults/serving.js';
import { openSmtp, openSmtpData, type SmtpSession } from '../../support/mail/smtp-session.js';

const MAIL = { from: 'app@example.test', to: 'ada@example.test', subject: 'Hi', text: 'Hello' };
const CONTENT = 'From: app@example.test\r\nTo: ada@example.test\r\nSubject: Hi\r\n\r\nHello\r\n.';
const INJECTED = '(injected by svc)';

describe('a fault over SMTP', () => {
  let serving: Serving;

  beforeEach(async () => {
    serving = await startServing();
  });

  afterEach(() => serving.app.closeClean());

  function mailer(options: object = {}) {
    return createTransport({ ...serving.smtp, ...options });
  }

  /** Sends as an application that tries again when the connection fails. Returns the errors of failed tries. */
  async function sendWithRetry(
    mail: object = MAIL,
  ): Promise<{ code?: string; responseCode?: number; response?: string }[]> {
    const errors: object[] = [];
    while (errors.length < 5) {
      try {
        await mailer().sendMail(mail);
        return errors;
      } catch (error) {
        errors.push(error as object);
      }
    }
    return errors;
  }

  it('loses the reply to a stored message, so that a retry stores it twice', async () => {
    const { id } = await serving.add({ smtp: 'end', drop: 'after', times: 1 });

    const errors = await sendWithRetry();

    expect(errors).toMatchObject([{ code: expect.stringMatching(/^(ECONNECTION|ESOCKET)$/) }]);
    expect(await serving.subjects()).toEqual(['Hi', 'Hi']);
    expect(await serving.list()).toMatchObject([{ id, hits: 1, times: 1, times_left: 0 }]);
    const [first] = (await serving.app.read('/_svc/emails')).emails.toReversed();
    const { smtp_session: sessionId } = await serving.app.read(`/_svc/emails/${first.id}`);
    await expect.poll(async () => (await serving.app.read(`/_svc/smtp-sessions/${sessionId}`)).ending).toBe('refused');
    expect(await serving.app.read(`/_svc/smtp-sessions/${sessionId}`)).toMatchObject({
      accepted: 1,
      transactions: [{ state: 'accepted', email_id: first.id }],
      error: expect.stringContaining('connection closed after processing'),
    });
    const { warnings } = await serving.app.read(`/_svc/emails/${first.id}`);
    expect(warnings).toMatchObject([
      {
        code: 'injected_fault',
        message: `connection closed after processing at the end of the message by ${id} (injected)`,
      },
    ]);
  });

  it.each([
    ['mail', { delay: '5ms', code: 451 }, 'delayed by 5ms, refused with 451 at MAIL by ', 'client_closed'],
    ['rcpt', { drop: 'before' }, 'connection closed before processing at RCPT by ', 'refused'],
    ['end', { drop: 'before' }, 'connection closed before processing at the end of the message by ', 'refused'],
    ['connect', { code: 421 }, 'refused with 421 at CONNECT by ', 'refused'],
  ])('is marked in the session: %s', async (smtp, fault, note, ending) => {
    const { id } = await serving.add({ smtp, ...fault, times: 1 });

    await mailer()
      .sendMail(MAIL)
      .catch(() => {});

    const newest = async () => (await serving.app.read('/_svc/smtp-sessions')).sessions[0];
    await expect.poll(async () => (await newest())?.ending).toBe(ending);
    const session = await serving.app.read(`/_svc/smtp-sessions/${(await newest()).id}`);
    expect(session.transcript).toContainEqual(
      expect.objectContaining({ from: 'note', text: `${note}${id} (injected)` }),
    );
    expect(session).toMatchObject({ failed: true, error: expect.stringContaining('injected') });
  });

  it('is not the end of a session whose client leaves during the delay', async () => {
    await serving.add({ smtp: 'mail', drop: 'before', delay: '1m' });
    const newest = async () => (await serving.app.read('/_svc/smtp-sessions')).sessions[0];
    const session = await openSmtp(serving.smtp);
    await session.reply();
    await session.say('EHLO x.test');
    session.write('MAIL FROM:<a@x.test>\r\n');
    await expect.poll(async () => (await serving.list())[0].hits).toBe(1);

    session.socket.destroy();

    await expect.poll(async () => (await newest())?.ending).toBe('client_closed');
  });

  it('closes the connection before a message is stored, so that a retry stores it once', async () => {
    await serving.add({ smtp: 'end', drop: 'before', times: 1 });

    expect(await sendWithRetry()).toHaveLength(1);
    expect(await serving.subjects()).toEqual(['Hi']);
    expect(await serving.warnings()).toEqual([]);
  });

  it.each([
    ['connect', 421, '4.3.2 Closed', `421 4.3.2 Closed ${INJECTED}`],
    ['ehlo', 502, 'No thanks', `502 No thanks ${INJECTED}`],
    ['mail', 451, undefined, `451 4.3.0 Try again later ${INJECTED}`],
    ['rcpt', 550, '5.7.1 Relay denied', `550 5.7.1 Relay denied ${INJECTED}`],
    ['data', 554, undefined, `554 5.6.0 Refused ${INJECTED}`],
    ['end', 552, '5.3.4 Too big', `552 5.3.4 Too big ${INJECTED}`],
  ])('refuses at %s with any code and text', async (smtp, code, text, expected) => {
    await serving.add({ smtp, code, text });

    const session = await openSmtp(serving.smtp);
    const replies = [await session.reply()];
    for (const line of ['EHLO x.test', 'MAIL FROM:<a@x.test>', 'RCPT TO:<b@x.test>', 'DATA', CONTENT]) {
      if (replies.at(-1)?.startsWith(String(code))) break;
      replies.push(await session.say(line));
    }

    expect(replies.at(-1)).toBe(expected);
    session.socket.end();
    expect(await serving.subjects()).toEqual([]);
  });

  it('refuses at AUTH, as nodemailer and Python report it', async () => {
    await serving.add({ smtp: 'auth', code: 454, text: '4.7.0 Temporary failure' });

    const auth = { user: 'app', pass: 'secret' };
    await expect(mailer({ auth }).sendMail(MAIL)).rejects.toMatchObject({ code: 'EAUTH', responseCode: 454 });
    const script = [
      'import smtplib, sys',
      'client = smtplib.SMTP(sys.argv[1], int(sys.argv[2]))',
      'try: client.login("app", "secret")',
      'except smtplib.SMTPAuthenticationError as error: print(error.smtp_code, error.smtp_error.decode())',
    ].join('\n');
    const { host, port } = serving.smtp;
    const { stdout } = await promisify(execFile)('python3', ['-c', script, host, String(port)]);
    expect(stdout.trim()).toBe(`454 4.7.0 Temporary failure ${INJECTED}`);
  });

  it.each(['connect', 'ehlo', 'mail', 'rcpt', 'data'])('closes the connection at %s', async (smtp) => {
    await serving.add({ smtp, drop: 'before', times: 1 });

    expect(await sendWithRetry()).toHaveLength(1);
    expect(await serving.subjects()).toEqual(['Hi']);
  });

  it('applies to the envelopes that its patterns match', async () => {
    await serving.add({ smtp: 'rcpt', code: 550, from: '*@shop.test', to: '*@corp.test' });

    const send = (from: string, to: string) => mailer().sendMail({ ...MAIL, from, to });
    await expect(send('a@shop.test', 'x@corp.test')).rejects.toMatchObject({ responseCode: 550 });
    await send('a@example.test', 'x@corp.test');
    await send('a@shop.test', 'x@example.test');
    expect(await serving.list()).toMatchObject([{ hits: 1 }]);
  });

  it('applies to the messages that its query matches, also in their HTML', async () => {
    await serving.add({ smtp: 'end', code: 554, match: 'subject:invoice text:"pay now"' });

    const html = '<p>Please <b>pay now</b></p>';
    await expect(mailer().sendMail({ ...MAIL, subject: 'Invoice 1', html })).rejects.toMatchObject({
      responseCode: 554,
    });
    await mailer().sendMail({ ...MAIL, subject: 'Invoice 2' });
    await mailer().sendMail({ ...MAIL, subject: 'Hi', html });
    expect(await serving.subjects()).toEqual(['Invoice 2', 'Hi']);
  });

  it('ends a connection after a number of messages', async () => {
    await serving.add({ smtp: 'mail', code: 421, text: '4.7.0 Too many messages', after_messages: 2 });
    const session = await openSmtpData(serving.smtp);
    await session.say(CONTENT);
    await sendOn(session);

    expect(await session.say('MAIL FROM:<a@x.test>')).toBe(`421 4.7.0 Too many messages ${INJECTED}`);
    expect(await session.reply()).toBeUndefined();
    session.socket.end();
    // Another connection starts from zero.
    expect(await sendWithRetry()).toEqual([]);
  });

  async function sendOn(session: SmtpSession): Promise<void> {
    for (const line of ['MAIL FROM:<a@x.test>', 'RCPT TO:<b@x.test>', 'DATA']) await session.say(line);
    expect(await session.say(CONTENT)).toMatch(/^250 /);
  }

  it('defers the first try of each client, sender and recipient until the service’s clock has moved on', async () => {
    serving.app.clock.freeze();
    await serving.add({ smtp: 'rcpt', greylist: '5m' });
    const send = (to: string) => mailer().sendMail({ ...MAIL, to });
    const deferred = {
      responseCode: 451,
      response: expect.stringContaining(`451 4.7.1 Greylisted, try again in 5m ${INJECTED}`),
    };

    await expect(send('ada@example.test')).rejects.toMatchObject(deferred);
    await serving.app.call('POST', '/_svc/clock/advance', { by: '4m59s' });
    await expect(send('Ada@EXAMPLE.test')).rejects.toMatchObject(deferred);
    await serving.app.call('POST', '/_svc/clock/advance', { by: '1s' });
    await send('ada@example.test');
    await expect(send('bob@example.test')).rejects.toMatchObject(deferred);

    expect(await serving.list()).toMatchObject([{ greylist_ms: 300_000, hits: 3 }]);
  });

  it('delays a reply until the service’s clock has moved on, and marks the message', async () => {
    const { id } = await serving.add({ smtp: 'rcpt', delay: '30m' });
    const sent = mailer().sendMail(MAIL);
    await expect.poll(async () => (await serving.list())[0].hits).toBe(1);
    expect(await serving.subjects()).toEqual([]);

    await serving.app.call('POST', '/_svc/clock/advance', { by: '30m' });

    await sent;
    expect(await serving.warnings()).toMatchObject([{ message: `delayed by 30m at RCPT by ${id} (injected)` }]);
  });

  it('does not change sessions that it does not apply to', async () => {
    await serving.add({ smtp: 'end', code: 550, from: 'other@example.test' });
    await serving.add({ http: 'POST /v1/emails', code: 500 });
    const session = await openSmtp(serving.smtp);
    session.write('EHLO early.example.test\r\nMAIL FROM:<a@x.test>\r\nRCPT TO:<b@x.test>\r\nDATA\r\n');
    for (const code of ['220', '250', '250', '250', '354'])
      expect(await session.reply()).toMatch(new RegExp(`^${code}`));
    expect(await session.say(CONTENT)).toMatch(/^250 2\.6\.0 OK: queued as msg_/);
    session.socket.end();
  });
});

describe('a server with delayed connections', () => {
  it('stops at once', async () => {
    const serving = await startServing();
    await serving.add({ smtp: 'mail', delay: '1h' });
    await serving.add({ http: '* /v1/*', delay: '1h' });
    const session = await openSmtp(serving.smtp);
    await session.reply();
    await session.say('EHLO x.test');
    session.write('MAIL FROM:<a@x.test>\r\n');
    const waiting = serving.request('GET', '/v1/emails').catch((error: Error) => error);
    await expect.poll(async () => (await serving.list()).map(({ hits }) => hits)).toEqual([1, 1]);

    const closed = once(session.socket, 'close');
    session.socket.end();
    await serving.app.closeClean();

    await closed;
    await waiting;
  });
});
