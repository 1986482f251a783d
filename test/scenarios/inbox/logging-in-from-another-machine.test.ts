import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { INBOX_TOKEN_HEADER } from '../../../src/contract/vocabulary/inbox.js';
import { askForSession, type InboxApp, openPage, startInboxApp } from '../../support/inbox/inbox-app.js';
import { TEST_KEY } from '../../support/servers/app.js';

const PASSWORD = 'correct horse battery';
const MINUTE_MS = 60_000;

let app: InboxApp;
let origin: string;
let cookie: string | undefined;
/** Each test begins in a new minute, because attempts are counted by the minute. */
let minutes = 0;

beforeAll(async () => {
  app = await startInboxApp({ host: '0.0.0.0', inboxPassword: PASSWORD });
  ({ origin } = app);
  ({ cookie } = await openPage(origin));
});
afterAll(() => app.closeClean());

async function attempt(proof: Record<string, string>) {
  const { status, error, data, headers } = await askForSession(origin, { cookie, proof });
  return { status, error, data, retryAfter: headers.get('retry-after') };
}

async function inANewMinute(work: () => Promise<void>): Promise<void> {
  minutes += 2;
  const now = Date.now() + minutes * MINUTE_MS;
  const clock = vi.spyOn(app.clock, 'systemNow').mockImplementation(() => now);
  try {
    await work();
  } finally {
    clock.mockRestore();
  }
}

it('asks for a login, also a browser of this machine', async () => {
  const { status, error } = await attempt({});
  expect(status).toBe(401);
  expect(error?.details).toEqual([{ path: 'login', message: 'password' }]);
});

it.each([
  ['the inbox password', { password: PASSWORD }],
  ['an API key', { key: TEST_KEY }],
])('opens a session with %s', async (_, proof) => {
  await inANewMinute(async () => {
    const { status, data } = await attempt(proof);
    expect(status).toBe(201);
    const headers = { cookie: cookie ?? '', [INBOX_TOKEN_HEADER]: data?.token ?? '' };
    expect((await fetch(`${origin}/v1/emails`, { headers })).status).toBe(200);
  });
});

it.each([
  ['a wrong password', { password: `${PASSWORD} ` }, 'The password is wrong.'],
  ['an empty password', { password: '' }, 'The password is wrong.'],
  ['an unknown key', { key: 'svc_test_unknown' }, 'The API key is unknown or has been revoked.'],
  ['text that is not a key', { key: 'x y' }, 'The Authorization header must be'],
])('refuses %s', async (_, proof, message) => {
  await inANewMinute(async () => {
    const { status, error } = await attempt(proof);
    expect(status).toBe(401);
    expect(error?.message).toContain(message);
  });
});

it('refuses further attempts after ten in a minute, also with the right password', async () => {
  await inANewMinute(async () => {
    const statuses: number[] = [];
    for (let tries = 0; tries < 10; tries += 1) statuses.push((await attempt({ password: `wrong ${tries}` })).status);
    expect(new Set(statuses)).toEqual(new Set([401]));
    const { status, error, retryAfter } = await attempt({ password: PASSWORD });
    expect({ status, code: error?.code }).toEqual({ status: 429, code: 'rate_limit_exceeded' });
    expect(Number(retryAfter)).toBeGreaterThan(0);
    expect(error?.message).toContain(`try again in ${retryAfter} s`);
  });
  await inANewMinute(async () => {
    expect((await attempt({ password: PASSWORD })).status).toBe(201);
  });
});

it('keeps counting while the clock of the service is frozen', async () => {
  await app.call('PATCH', '/_svc/clock', { frozen: true });
  await inANewMinute(async () => {
    for (let tries = 0; tries < 11; tries += 1) await attempt({ password: 'wrong' });
  });
  await inANewMinute(async () => {
    expect((await attempt({ password: PASSWORD })).status).toBe(201);
  });
});

it('has no password unless one is set', async () => {
  const plain = await startInboxApp({ host: '0.0.0.0' });
  const page = await openPage(plain.origin);
  const { status } = await askForSession(plain.origin, { cookie: page.cookie, proof: { password: '' } });
  expect(status).toBe(401);
  await plain.closeClean();
});
