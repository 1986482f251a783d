import { expect, it, vi } from 'vitest';
import { lazy } from '../../../src/contract/vocabulary/lazy.js';

it('loads once for all concurrent callers', async () => {
  const load = vi.fn(async () => ({ loaded: true }));
  const get = lazy(load);
  expect(get.loaded()).toBeUndefined();

  const [one, other] = await Promise.all([get(), get()]);

  expect(one).toBe(other);
  expect(await get()).toBe(one);
  expect(await get.loaded()).toBe(one);
  expect(load).toHaveBeenCalledTimes(1);
});

it('loads again after a failure', async () => {
  const load = vi.fn(async () => 'the module');
  load.mockRejectedValueOnce(Object.assign(new Error('too many open files'), { code: 'EMFILE' }));
  const get = lazy(load);

  const first = await Promise.allSettled([get(), get()]);

  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(load).toHaveBeenCalledTimes(1);
  expect(get.loaded()).toBeUndefined();
  expect(await get()).toBe('the module');
});
