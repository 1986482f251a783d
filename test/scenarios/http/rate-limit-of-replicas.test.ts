import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { MINUTE_MS } from '../../../src/contract/vocabulary/limits.js';
import { RateLimiter } from '../../../src/core/account/rate-limiter.js';
import type { Clock } from '../../../src/core/ports.js';
import { type CountedCalls, type Shared, StoreClosedError } from '../../../src/core/store.js';
import { ManualTimers } from '../../support/servers/manual-timers.js';

/** Tests when a replica tells the others of its calls. */

const LIMIT = { caller: 'key', limit: 10 };

/** Makes a limiter whose database answers with this function. `counted` has the numbers of calls that it shares. */
function limiterOn(answer: (calls: readonly CountedCalls[]) => Promise<CountedCalls[]>) {
  const timers = new ManualTimers();
  const counted: number[] = [];
  const shared = {
    countCalls(calls: readonly CountedCalls[]) {
      counted.push(calls.reduce((sum, each) => sum + each.calls, 0));
      return answer(calls);
    },
  } as unknown as Shared;
  const time = { now: 0 };
  const clock = { now: () => time.now, after: timers.after.bind(timers) } as unknown as Clock;
  const limiter = new RateLimiter(clock, { shared, name: 'test' });
  async function passTime(): Promise<void> {
    timers.fire(Number.POSITIVE_INFINITY);
    await setImmediate();
  }
  return { limiter, timers, time, counted, passTime };
}

it('shares calls again while the database is unavailable', async () => {
  let isAway = true;
  const { limiter, timers, counted, passTime } = limiterOn(async (calls) => {
    if (isAway) throw new Error('away');
    return [...calls];
  });
  limiter.take([LIMIT]);
  await passTime();
  expect(timers.size).toBe(1);
  isAway = false;

  await passTime();

  expect(counted).toEqual([1, 1]);
  expect(timers.size).toBe(0);
});

it('does not share calls of a window that has ended meanwhile', async () => {
  const { limiter, timers, time, counted, passTime } = limiterOn(async (calls) => [...calls]);
  limiter.take([LIMIT]);
  time.now = MINUTE_MS;

  await passTime();

  expect(counted).toEqual([]);
  expect(timers.size).toBe(0);
});

it('ends when the store is closed', async () => {
  const { limiter, timers, counted, passTime } = limiterOn(() => Promise.reject(new StoreClosedError()));
  limiter.take([LIMIT]);

  await passTime();

  expect(counted).toEqual([1]);
  expect(timers.size).toBe(0);
});
