import { expect, it } from 'vitest';
import { DashboardFeed, type FeedListener } from '../../../src/cli/dashboard/feed.js';
import type { Client } from '../../../src/client/client.js';

const page = { pagination: { total: 0, limit: 1, offset: 0, has_more: false } };

/** Reads the rows of emails three times, `apart` in milliseconds. Returns how often the summary was read, too. */
async function summariesRead(emails: number, apart: number): Promise<number> {
  const ending = new AbortController();
  let rows = 0;
  let now = 0;
  let summaries = 0;
  const client = {
    call: async () => ({ ...page, emails: [] }),
    control: async (name: string) => {
      if (name === 'summary') summaries += 1;
      return { ...page, emails: { delivered: emails }, last_event: 0, deliveries: [], requests: [], sessions: [] };
    },
    async *stream(_name: string, _options: object, signal?: AbortSignal) {
      if (!signal || signal.aborted) return;
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    },
  };
  const errors: Error[] = [];
  const listener: FeedListener = {
    onPages({ mails }) {
      if (mails) rows += 1;
      // Time passes between two reads, not during one.
      setImmediate(() => {
        now += apart;
      });
      if (rows === 3) ending.abort();
      else feed.refresh(['mails']);
    },
    onSummary() {},
    onError: (error) => errors.push(error),
  };
  const feed = new DashboardFeed(client as unknown as Client, listener, () => now);
  await feed.run(ending.signal);
  expect(errors).toEqual([]);
  return summaries;
}

it('counts emails whenever it reads them, but less often if they are many', async () => {
  expect(await summariesRead(10, 0)).toBe(3);
  expect(await summariesRead(300_000, 500)).toBe(1);
  expect(await summariesRead(300_000, 2_000)).toBe(3);
});
