import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevServer, startDev } from '../../support/cli/binary.js';

/** Specification: Rate limits by plan; gap 31. */

const FREE_PLAN = 60;

describe('the free plan’s rate limit, over HTTP', () => {
  let server: DevServer;

  beforeAll(async () => {
    server = await startDev(['--in-memory', '--plan', 'free']);
  });

  afterAll(async () => {
    await server.stop();
  });

  it('is used up by 60 calls, and the next is refused with 429', async () => {
    const { base_url, api_key } = server.ready;
    const call = () => fetch(`${base_url}/emails`, { headers: { authorization: `Bearer ${api_key}` } });
    for (let left = FREE_PLAN - 1; left >= 0; left -= 1) {
      const { status, headers } = await call();
      expect([status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual([
        200,
        String(FREE_PLAN),
        String(left),
      ]);
      expect(headers.get('retry-after')).toBeNull();
    }

    const refused = await call();

    expect(refused.status).toBe(429);
    const { error, meta } = (await refused.json()) as {
      error: { code: string; status: number };
      meta: { timestamp: string };
    };
    expect(error).toMatchObject({ code: 'rate_limit_exceeded', status: 429 });
    const number = (name: string) => Number(refused.headers.get(name));
    expect([number('x-ratelimit-limit'), number('x-ratelimit-remaining')]).toEqual([FREE_PLAN, 0]);
    const now = Date.parse(meta.timestamp) / 1000;
    expect(number('retry-after')).toBeGreaterThanOrEqual(1);
    expect(Math.abs(now + number('retry-after') - number('x-ratelimit-reset'))).toBeLessThanOrEqual(1);
  });
});
