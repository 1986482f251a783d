import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RateLimiter } from '../../../src/core/account/rate-limiter.js';
import { type InboxApp, startInboxApp } from '../../support/inbox/inbox-app.js';
import { openSmtp, type SmtpSession } from '../../support/mail/smtp-session.js';
import { TEST_KEY } from '../../support/servers/app.js';

const RIGHT = 'pencil:1';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const plain = (session: SmtpSession, name: string, password: string) =>
  session.say(`AUTH PLAIN ${base64(`\0${name}\0${password}`)}`);

type Login = (session: SmtpSession, name: string, password: string) => Promise<string | undefined>;

const MECHANISMS: Record<string, Login> = {
  PLAIN: plain,
  LOGIN: async (session, name, password) => {
    await session.say('AUTH LOGIN');
    await session.say(base64(name));
    return session.say(base64(password));
  },
  XOAUTH2: (session, name, password) =>
    session.say(`AUTH XOAUTH2 ${base64(`user=${name}\x01auth=Bearer ${password}\x01\x01`)}`),
  'CRAM-MD5': async (session, name, password) => {
    const challenge = Buffer.from((await session.say('AUTH CRAM-MD5'))?.slice(4) ?? '', 'base64');
    return session.say(base64(`${name} ${createHmac('md5', password).update(challenge).digest('hex')}`));
  },
};

describe('a password of an SMTP user', () => {
  let app: InboxApp;
  beforeEach(async () => {
    const users = new Map([
      ['ada', RIGHT],
      ['eve', RIGHT],
    ]);
    app = await startInboxApp({ access: 'team', smtpAccess: { login: 'required', users } });
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await app.closeClean();
  });

  const greeted = async () => {
    const session = await openSmtp(app.smtp);
    await session.reply();
    await session.say('EHLO client.example.test');
    return session;
  };
  /** Logs in on a connection of its own. */
  const login = async (name: string, password: string, as: Login = plain) => {
    const session = await greeted();
    const reply = await as(session, name, password);
    session.socket.end();
    return reply;
  };
  const guess = async (times: number, as: Login = plain) => {
    for (let tries = 0; tries < times; tries += 1) {
      expect(await login('ada', `wrong ${tries}`, as)).toMatch(/^535 /);
    }
  };

  it('ends a connection with the tenth failed login, whatever the names', async () => {
    const session = await greeted();
    for (let tries = 0; tries < 9; tries += 1) {
      expect(await plain(session, `user ${tries}`, 'wrong')).toMatch(/^535 5\.7\.8 /);
    }
    expect(await plain(session, 'user', 'wrong')).toBe('421 4.7.0 too many failed logins; connect again later');
    expect(await session.reply()).toBeUndefined();
  });

  it.each(Object.entries(MECHANISMS))('is refused after ten wrong ones in a minute over %s', async (_, as) => {
    await guess(10, as);
    expect(await login('ada', RIGHT, as)).toMatch(/^454 4\.7\.0 too many wrong passwords; try again in \d+ s$/);
    const later = Date.now() + 61_000;
    vi.spyOn(app.clock, 'systemNow').mockImplementation(() => later);
    expect(await login('ada', RIGHT, as)).toMatch(/^235 /);
  });

  it('leaves other users and API keys at the same address alone', async () => {
    await guess(10);
    expect(await login('ada', RIGHT)).toMatch(/^454 /);
    expect(await login('eve', RIGHT)).toMatch(/^235 /);
    expect(await login('ada', TEST_KEY)).toMatch(/^235 /);
  });

  it('is not refused because clients at the same address repeat an old one', async () => {
    for (let tries = 0; tries < 30; tries += 1) expect(await login('ada', 'old')).toMatch(/^535 /);
    expect(await login('ada', RIGHT)).toMatch(/^235 /);
  });

  it('counts attempts while the clock of the service is frozen', async () => {
    await app.call('PATCH', '/_svc/clock', { frozen: true });
    await guess(10);
    expect(await login('ada', RIGHT)).toMatch(/^454 /);
    const later = Date.now() + 61_000;
    vi.spyOn(app.clock, 'systemNow').mockImplementation(() => later);
    expect(await login('ada', RIGHT)).toMatch(/^235 /);
  });
});

describe('a limit of attempts', () => {
  const clock = { now: () => 0, after: () => () => {} };
  const limiterOf = () => new RateLimiter(clock, { shared: undefined, name: 'test' });

  it('keeps nothing for callers that are only looked at or refused', () => {
    const limiter = limiterOf();
    const all = { caller: 'all', limit: 1 };
    const kept = vi.spyOn(Map.prototype, 'set');
    for (let n = 0; n < 1_000; n += 1) {
      limiter.take([{ caller: `${n}`, limit: 1 }, all], 0);
      limiter.take([{ caller: `${n}`, limit: 1 }, all]);
    }
    const { length } = kept.mock.calls;
    kept.mockRestore();
    // The first caller, and all of them together.
    expect(length).toBe(2);
  });

  it('forgets the oldest callers beyond 100,000', () => {
    const limiter = limiterOf();
    const isRefused = (caller: string) => limiter.take([{ caller, limit: 1 }]).retryAfter > 0;
    isRefused('first');
    isRefused('second');
    expect(isRefused('first')).toBe(true);
    for (let n = 0; n < 99_999; n += 1) isRefused(`${n}`);
    expect([isRefused('second'), isRefused('first')]).toEqual([true, false]);
  });
});
