import { afterEach, describe, expect, it } from 'vitest';
import type { AppOptions } from '../../../src/app/app.js';
import { type Answer, startApp, type TestApp } from '../../support/servers/app.js';

/** Specification: Rate limits by plan; gaps 31 and 32. */

const NOON = Date.parse('2026-03-14T12:00:00.000Z');

describe('a rate limit', () => {
  let app: TestApp;

  async function start(options: Partial<AppOptions>): Promise<void> {
    app = await startApp(options);
    app.clock.freeze();
    app.clock.set(NOON);
  }

  const call = (key?: string, path = '/v1/templates') =>
    app.call('GET', path, undefined, key === undefined ? {} : { authorization: `Bearer ${key}` });

  async function createKey(body: object): Promise<{ id: string; key: string; rate_limit: number }> {
    return (await app.call('POST', '/v1/api-keys', { name: 'k', environment: 'test', ...body })).json.data;
  }

  function limitsOf({ headers }: Answer) {
    return ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'].map((name) => headers[name]);
  }

  afterEach(() => app.closeClean());

  it('is used up call by call, refuses with 429, and is full again when its window ends', async () => {
    await start({ plan: 'free' });
    const reset = String((NOON + 60_000) / 1000);
    for (let left = 59; left >= 0; left -= 1) {
      const answer = await call();
      expect([answer.status, ...limitsOf(answer)]).toEqual([200, '60', String(left), reset]);
    }

    app.clock.set(NOON + 20_500);
    const refused = await call();
    expect(refused.status).toBe(429);
    expect(refused.json).toMatchObject({ success: false, error: { code: 'rate_limit_exceeded', status: 429 } });
    expect(limitsOf(refused)).toEqual(['60', '0', reset]);
    expect(refused.headers['retry-after']).toBe('40');

    app.clock.set(NOON + 59_999);
    expect((await call()).status).toBe(429);
    app.clock.set(Number(reset) * 1000);
    const refilled = await call();
    expect([refilled.status, ...limitsOf(refilled)]).toEqual([200, '60', '59', String(NOON / 1000 + 120)]);
    expect(refilled.headers).not.toHaveProperty('retry-after');
  });

  it.each([
    ['free', 60],
    ['indie', 120],
    ['startup', 300],
    ['growth', 600],
    ['enterprise', 1_200],
  ] as const)('of the plan %s is %i calls a minute', async (plan, limit) => {
    await start({ plan });
    expect((await call()).headers['x-ratelimit-limit']).toBe(String(limit));
  });

  it('is the smaller one of the key and the plan', async () => {
    await start({ plan: 'free' });
    const narrow = await createKey({ rate_limit: 2 });
    const wide = await createKey({ rate_limit: 5_000 });
    expect([narrow.rate_limit, wide.rate_limit]).toEqual([2, 5_000]);

    const statuses = [];
    for (let calls = 0; calls < 3; calls += 1) statuses.push((await call(narrow.key)).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await call(wide.key)).headers['x-ratelimit-limit']).toBe('60');
  });

  it('of the plan counts all keys together; a test key has the same as a live one', async () => {
    await start({ plan: 'indie', apiKey: 'svc_live_scenarios' });
    const live = await createKey({ environment: 'live' });
    const test = await createKey({ environment: 'test' });
    for (let calls = 0; calls < 59; calls += 1) {
      expect((await call(live.key)).status).toBe(200);
      expect((await call(test.key)).status).toBe(200);
    }

    expect(limitsOf(await call(live.key)).slice(0, 2)).toEqual(['120', '0']);
    expect(limitsOf(await call(test.key)).slice(0, 2)).toEqual(['120', '0']);
  });

  it('of one key leaves the others alone, and the headers show the tighter window', async () => {
    await start({ plan: 'free' });
    const narrow = await createKey({ rate_limit: 50 });
    const own = await createKey({ rate_limit: 50 });
    for (let calls = 0; calls < 50; calls += 1) await call(narrow.key);

    expect(limitsOf(await call(narrow.key)).slice(0, 2)).toEqual(['50', '0']);
    expect((await call(narrow.key)).status).toBe(429);
    expect(limitsOf(await call(own.key)).slice(0, 2)).toEqual(['60', '7']);
    expect(limitsOf(await call()).slice(0, 2)).toEqual(['60', '6']);
  });

  it('is enforced for parallel calls', async () => {
    await start({});
    const { key } = await createKey({ rate_limit: 10 });
    const answers = await Promise.all(Array.from({ length: 25 }, () => call(key)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
  });

  it('counts calls without a valid key by their address, without affecting keys', async () => {
    await start({ plan: 'free' });
    for (let calls = 0; calls < 60; calls += 1) expect((await call('svc_test_unknown')).status).toBe(401);
    const refused = await call('not a key');
    expect(refused.status).toBe(429);
    expect(limitsOf(refused).slice(0, 2)).toEqual(['60', '0']);
    expect((await call()).status).toBe(200);

    const elsewhere = await app.http.inject({
      method: 'GET',
      url: '/v1/templates',
      headers: { host: 'localhost' },
      remoteAddress: '192.0.2.7',
    });
    expect([elsewhere.statusCode, elsewhere.headers['x-ratelimit-remaining']]).toEqual([401, '59']);
  });

  it('is reported on every response', async () => {
    await start({ plan: 'startup' });
    const answers = {
      200: await call(),
      201: await app.call('POST', '/v1/templates', { name: 'a', subject: 's', html: 'h' }),
      400: await app.call('POST', '/v1/emails', '{'),
      401: await call('svc_test_unknown'),
      404: await call(undefined, '/v1/nothing'),
      409: await app.call('POST', '/v1/templates', { name: 'a', subject: 's', html: 'h' }),
      422: await app.call('POST', '/v1/emails', {}),
    };
    const { key, id } = await createKey({});
    const others = [
      await app.call('DELETE', `/v1/api-keys/${id}`, undefined, { authorization: `Bearer ${key}` }),
      await call(undefined, '/v1/templates/%zz'),
      await call(undefined, '/v1'),
      await app.call('GET', '/v1/templates', undefined, { host: 'somewhere.example' }),
      await app.call('PUT', '/v1/templates'),
      await app.call('OPTIONS', '/v1/templates'),
    ];
    for (const [status, answer] of Object.entries(answers)) expect(String(answer.status)).toBe(status);
    expect(others.map(({ status }) => status)).toEqual([204, 400, 404, 403, 404, 404]);
    for (const answer of [...Object.values(answers), ...others]) {
      for (const value of limitsOf(answer)) expect(value).toMatch(/^\d+$/);
    }
  });

  it('does not count calls of the local server’s own API', async () => {
    await start({ plan: 'free' });
    for (let calls = 0; calls < 100; calls += 1) expect((await call(undefined, '/_svc/info')).status).toBe(200);
    expect(limitsOf(await call())[1]).toBe('59');
  });

  it('is removed by the plan none, also for a key with its own limit', async () => {
    await start({ plan: 'none' });
    const { key } = await createKey({ rate_limit: 1 });
    for (let calls = 0; calls < 50; calls += 1) {
      const answer = await call(key);
      expect(answer.status).toBe(200);
      for (const value of limitsOf(answer)) expect(value).toMatch(/^\d+$/);
      expect(Number(limitsOf(answer)[1])).toBeGreaterThan(0);
    }
  });

  it('does not lock out clients when the clock is set back', async () => {
    await start({ plan: 'free' });
    for (let calls = 0; calls < 61; calls += 1) await call();
    app.clock.set(NOON - 86_400_000);
    expect((await call()).status).toBe(200);
  });
});
