import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { invalidate } from '../../src/web/api/calls.js';

it('reads again what changes while it is read for the first time', async () => {
  const queries = new QueryClient();
  let endFirst = () => {};
  const first = new Promise<void>((resolve) => {
    endFirst = resolve;
  });
  let stored = 'before';
  let reads = 0;
  const observer = new QueryObserver(queries, {
    queryKey: ['deliveries', 'deliveries.list', {}],
    queryFn: async () => {
      reads += 1;
      const read = stored;
      if (reads === 1) await first;
      return read;
    },
  });
  const unsubscribe = observer.subscribe(() => {});

  stored = 'after';
  const isRead = invalidate(queries, ['deliveries']);
  endFirst();
  await isRead;

  expect(observer.getCurrentResult().data).toBe('after');
  expect(reads).toBe(2);
  unsubscribe();
});
