import { createHmac } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { describe, expect, it } from 'vitest';
import type { SmtpAccess } from '../../src/smtp/access.js';
import type { SmtpServerOptions } from '../../src/smtp/server.js';
import { python } from '../support/mail/delivered.js';
import { openSmtp, type SmtpSession } from '../support/mail/smtp-session.js';
import { closeSmtpServersAfterEach, listenForSmtp } from '../support/servers/smtp-server.js';

const KEY = 'svc_test_local';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const plain = (name: string, password: string) => `AUTH PLAIN ${base64(`\0${name}\0${password}`)}`;
const bearer = (name: string, token: string) =>
  `AUTH XOAUTH2 ${base64(`user=${name}\x01auth=Bearer ${token}\x01\x01`)}`;

describe('logging in over SMTP', () => {
  closeSmtpServersAfterEach();

  const listen = async (access: Partial<SmtpAccess> = {}, options: Partial<SmtpServerOptions> = {}) => {
    const notices: string[] = [];
    const server = await listenForSmtp({
      access: { login: 'any', users: new Map(), ...access },
      findKey: async (key) => (key === KEY ? { id: 'key_1', hash: '', rateLimit: 60, workspace: 'w1' } : undefined),
      onNotice: (text) => notices.push(text),
      ...options,
    });
    return { ...server, notices };
  };
  const greeted = async ({ address }: Awaited<ReturnType<typeof listen>>): Promise<[SmtpSession, string]> => {
    const session = await openSmtp(address);
    await session.reply();
    return [session, (await session.say('EHLO client.example.test')) ?? ''];
  };
  /** Logs in on a connection of its own, and returns the reply. */
  const login = async (server: Awaited<ReturnType<typeof listen>>, command: string) => {
    const [session] = await greeted(server);
    const reply = await session.say(command);
    session.socket.end();
    return reply;
  };
  const users = new Map([['ada', 'pencil:1']]);

  it('offers no CRAM-MD5 without users, and accepts any password and token, but no unknown API key', async () => {
    const server = await listen();

    expect((await greeted(server))[1]).toContain('AUTH PLAIN LOGIN XOAUTH2\n');
    expect(await login(server, plain('ada', 'anything'))).toMatch(/^235 2\.7\.0 /);
    expect(await login(server, bearer('ada', 'ya29.token'))).toMatch(/^235 /);
    expect(await login(server, plain('ada', KEY))).toMatch(/^235 /);
    expect(await login(server, bearer('ada', 'svc_test_wrong'))).toMatch(/^535 5\.7\.8 .*API key/);
    expect(await login(server, 'AUTH CRAM-MD5')).toBe(
      '504 5.5.4 CRAM-MD5 is offered only with users of --smtp-user, because it cannot check API keys; ' +
        'use one of PLAIN, LOGIN, XOAUTH2',
    );
    expect(await login(server, 'AUTH hunter2')).toBe(
      '504 5.5.4 this mechanism is not offered; use one of PLAIN, LOGIN, XOAUTH2',
    );
  });

  it('accepts only its users and API keys when it has users', async () => {
    const server = await listen({ users });

    expect((await greeted(server))[1]).toContain('AUTH PLAIN LOGIN CRAM-MD5 XOAUTH2\n');
    expect(await login(server, plain('ada', 'pencil:1'))).toMatch(/^235 /);
    expect(await login(server, bearer('ada', 'pencil:1'))).toMatch(/^235 /);
    expect(await login(server, plain('eve', KEY))).toMatch(/^235 /);
    for (const command of [plain('ada', 'pencil'), plain('eve', 'pencil:1'), bearer('ada', 'ya29.token')]) {
      expect(await login(server, command)).toBe('535 5.7.8 the user name or password is wrong');
    }
    expect(server.notices).toEqual([
      'SMTP: a client at 127.0.0.1 could not log in with PLAIN as "ada": the password is wrong.',
      'SMTP: a client at 127.0.0.1 could not log in with PLAIN as "eve": no such user is configured.',
      'SMTP: a client at 127.0.0.1 could not log in with XOAUTH2 as "ada": the token is not the user’s password.',
    ]);
  });

  it('shows no API keys in the log, and no long names', async () => {
    const server = await listen({ users });

    await login(server, plain('svc_live_secret', 'x'));
    await login(server, plain('n'.repeat(1_000), 'x'));

    expect(server.notices).toEqual([
      'SMTP: a client at 127.0.0.1 could not log in with PLAIN as "svc_live_…": no such user is configured.',
      expect.stringMatching(/ as "n{256}…": no such user/),
    ]);
  });

  it('asks a client to try again when the log-in cannot be checked', async () => {
    const broken = new Error('the disk does not respond');
    const errors: unknown[] = [];
    const onInternalError = (error: unknown) => void errors.push(error);
    const server = await listen({}, { findKey: () => Promise.reject(broken), onInternalError });
    const [session] = await greeted(server);

    expect(await session.say(plain('ada', KEY))).toBe('454 4.7.0 the login could not be checked; try again');
    expect(await session.say(plain('ada', 'anything'))).toMatch(/^235 /);
    session.socket.end();
    expect(errors).toEqual([broken]);
    expect(server.notices).toEqual([]);
  });

  it('accepts LOGIN', async () => {
    const [session] = await greeted(await listen({ users }));

    expect(await session.say('AUTH LOGIN')).toBe('334 VXNlcm5hbWU6');
    expect(await session.say(base64('ada'))).toBe('334 UGFzc3dvcmQ6');
    expect(await session.say(base64('pencil:1'))).toMatch(/^235 /);
    session.socket.end();
  });

  it('accepts CRAM-MD5 of its users, and names the reason for others', async () => {
    const server = await listen({ users });
    const cram = async (name: string, password: string) => {
      const [session] = await greeted(server);
      const challenge = Buffer.from((await session.say('AUTH CRAM-MD5'))?.slice(4) ?? '', 'base64');
      const digest = createHmac('md5', password).update(challenge).digest('hex');
      const reply = await session.say(base64(`${name} ${digest}`));
      session.socket.end();
      return reply;
    };

    expect(await cram('ada', 'pencil:1')).toMatch(/^235 /);
    expect(await cram('ada', 'wrong')).toMatch(/^535 5\.7\.8 /);
    expect(await cram('eve', KEY)).toBe(
      '535 5.7.8 CRAM-MD5 works for configured users only; use PLAIN or LOGIN with an API key',
    );
  });

  it('demands a log-in where it is required', async () => {
    const server = await listen({ login: 'required', users });
    const [session] = await greeted(server);

    expect(await session.say('MAIL FROM:<app@example.test>')).toMatch(/^530 5\.7\.0 .*--smtp-auth required/);
    expect(await session.say(plain('ada', 'pencil:1'))).toMatch(/^235 /);
    expect(await session.say('MAIL FROM:<app@example.test>')).toMatch(/^250 /);
    session.socket.end();
  });

  it('refuses log-ins that are disabled, with the name of the flag in the reply and in the log', async () => {
    const server = await listen({ login: 'off' });
    const [session, offered] = await greeted(server);

    expect(offered).not.toContain('AUTH');
    expect(await session.say(plain('ada', 'pencil:1'))).toBe('502 5.5.1 AUTH is disabled by svc dev --smtp-auth off');
    expect(server.notices).toEqual([expect.stringMatching(/tried to log in.*--smtp-auth off/)]);
    expect(await session.say('MAIL FROM:<app@example.test>')).toMatch(/^250 /);
    session.socket.end();
  });

  it('reports at most 20 refusals a minute', async () => {
    const server = await listen({ users });
    for (let count = 0; count < 25; count++) await login(server, plain('eve', 'x'));

    expect(server.notices).toHaveLength(21);
    expect(server.notices.at(-1)).toContain('left out');
    for (const { milliseconds, run } of server.timers) if (milliseconds === 60_000) run();
    await login(server, plain('eve', 'x'));
    expect(server.notices).toHaveLength(22);
  });

  it.each(['PLAIN', 'LOGIN', 'CRAM-MD5'])('nodemailer logs in with %s', async (method) => {
    const server = await listen({ login: 'required', users });
    const auth = { user: 'ada', pass: 'pencil:1', method };

    const sent = await createTransport({ ...server.address, ignoreTLS: true, auth, authMethod: method }).sendMail(MAIL);

    expect(sent.response).toMatch(/^250 /);
    expect(server.received).toHaveLength(1);
  });

  it('nodemailer logs in with an access token', async () => {
    const server = await listen({ login: 'required' });
    const auth = { type: 'OAuth2' as const, user: 'ada', accessToken: 'ya29.token' };

    const sent = await createTransport({ ...server.address, ignoreTLS: true, auth }).sendMail(MAIL);

    expect(sent.response).toMatch(/^250 /);
  });

  it('smtplib prefers CRAM-MD5, and falls back to PLAIN with an API key', async () => {
    const server = await listen({ login: 'required', users });
    const { host, port } = server.address;
    const send = (...auth: string[]) =>
      python<{ sent?: boolean; error?: string }>('smtp_secure_send.py', '', [
        'plain',
        host,
        String(port),
        '-',
        ...auth,
      ]);

    expect(await send('ada', 'pencil:1')).toEqual({ sent: true });
    expect(await send('ada', KEY)).toEqual({ sent: true });
    expect((await send('ada', 'wrong')).error).toContain('535');
    expect((await send()).error).toContain('530');
  });
});

const MAIL = { from: 'app@example.test', to: 'ada@example.test', subject: 'Hi', text: 'Hello' };
