import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Client } from '../../src/client/client.js';
import { Live } from '../../src/web/api/live.js';

/** Tests when the page reads again what events have changed. A read takes 30 ms here. */

const READ_MS = 30;

let send: (type: string) => void;
/** When reads began, in milliseconds since the connection. */
let reads: number[];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const enqueue = (text: string) => controller.enqueue(new TextEncoder().encode(text));
      enqueue(': connected\n\n');
      send = (type) => enqueue(`data: ${JSON.stringify({ type, data: { email_id: 'eml_1' } })}\n\n`);
    },
  });
  const connected = performance.now();
  reads = [];
  const live = new Live({
    client: { stream: () => stream } as unknown as Client,
    onChange: async (groups) => {
      if (groups === 'all') return;
      reads.push(performance.now() - connected);
      await new Promise((resolve) => setTimeout(resolve, READ_MS));
    },
    onEvent() {},
  });
  live.start();
  await vi.advanceTimersByTimeAsync(0);
});
afterEach(() => {
  vi.useRealTimers();
});

/** Sends events at these times, in milliseconds since the last ones. */
async function sendAfter(...events: [ms: number, type: string][]): Promise<void> {
  for (const [ms, type] of events) {
    await vi.advanceTimersByTimeAsync(ms);
    send(type);
    await vi.advanceTimersByTimeAsync(0);
  }
  await vi.advanceTimersByTimeAsync(1_000);
}

it('reads a new email at once, and the next one after a pause as long as the read', async () => {
  await sendAfter([0, 'email.sent'], [1, 'email.sent']);
  expect(reads).toEqual([0, 2 * READ_MS]);
});

it('reads what happens to an email with the next new one', async () => {
  await sendAfter([0, 'email.delivered'], [70, 'email.sent']);
  expect(reads).toEqual([70]);
});

it('reads what happens to an email after 100 ms without a new one', async () => {
  await sendAfter([0, 'email.delivered'], [40, 'email.opened']);
  expect(reads).toEqual([100]);
});

it('doubles the pause up to a second while new emails follow closely', async () => {
  await sendAfter(...Array.from({ length: 400 }, (): [number, string] => [10, 'email.sent']));
  const pauses = reads.slice(1).map((time, index) => time - (reads[index] ?? 0) - READ_MS);
  expect(pauses.slice(0, 7)).toEqual([30, 60, 120, 240, 480, 960, 1_000]);
});

it('reads at once again after a pause in which nothing arrived', async () => {
  await sendAfter(...Array.from({ length: 20 }, (): [number, string] => [10, 'email.sent']));
  const busy = reads.length;
  await sendAfter([1_000, 'email.sent'], [1, 'email.sent']);
  const [first = 0, second] = reads.slice(busy);
  expect(second).toBe(first + 2 * READ_MS);
});
