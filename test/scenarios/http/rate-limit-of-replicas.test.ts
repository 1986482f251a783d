import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Clock } from '../../../src/core/ports.js';
import { RateLimiter } from '../../../src/core/resources/rate-limiter.js';
import { type CountedCalls, type Shared, StoreClosedError } from '../../../src/core/store.js';
import { ManualTimers } from '../../support/servers/manual-timers.js';

/** Tests when a replica tells the others of its calls. */

const LIMIT = { caller: 'key', limit: 10 };

/** Makes a limiter whose database answers with this function. `told` has the numbers of calls that it reports. */
function limiterOn(answer: (calls: readonly CountedCalls[]) => Promise<CountedCalls[]>) {
  const timers = new ManualTimers();
  const told: number[] = [];
  const shared = {
    countCalls(calls: readonly CountedCalls[]) {
      told.push(calls.reduce((sum, each) => sum + each.calls, 0));
      return answer(calls);
    },
  } as unknown as Shared;
  const clock = { now: () => 0, after: timers.after.bind(timers) } as unknown as Clock;
  const limiter = new RateLimiter(clock, { shared, name: 'test' });
  async function passTime(): Promise<void> {
    timers.fire(Number.POSITIVE_INFINITY);
    await setImmediate();
  }
  return { limiter, timers, told, passTime };
}

it('tells others again while the database is unavailable', async () => {
  let isAway = true;
  const { limiter, timers, told, passTime } = limiterOn(async (calls) => {
    if (isAway) throw new Error('away');
    return [...calls];
  });
  limiter.take([LIMIT]);
  await passTime();
  expect(timers.size).toBe(1);
  isAway = false;

  await passTime();

  expect(told).toEqual([1, 1]);
  expect(timers.size).toBe(0);
});

it('ends when the store is closed', async () => {
  const { limiter, timers, told, passTime } = limiterOn(() => Promise.reject(new StoreClosedError()));
  limiter.take([LIMIT]);

  await passTime();

  expect(told).toEqual([1]);
  expect(timers.size).toBe(0);
});
