import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Client } from '../../src/client/client.js';
import { withTimeLimit } from '../../src/client/time-limit.js';
import { toServiceClient } from '../../src/client/typed-calls.js';
import { collectGarbage } from '../support/gc.js';

/** A server that never responds. */
const silent = withTimeLimit(
  (_, { signal }) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
);

it('ends a call at its time limit, and at the signal of its caller', async () => {
  const call = { method: 'GET', headers: {} };
  await expect(silent('http://127.0.0.1/v1', { ...call, timeoutMs: 1 })).rejects.toThrow('timeout');
  const stop = new AbortController();
  const waiting = expect(silent('http://127.0.0.1/v1', { ...call, signal: stop.signal })).rejects.toThrow('enough');
  stop.abort(new Error('enough'));
  await waiting;
});

it('ends a call although garbage was collected meanwhile', async () => {
  const waiting = expect(
    silent('http://127.0.0.1/v1', { method: 'GET', headers: {}, timeoutMs: 50, signal: new AbortController().signal }),
  ).rejects.toThrow('timeout');
  await setImmediate();
  collectGarbage();
  await waiting;
});

it('limits calls of the control API, waits by their time-out, and not what may take any time', async () => {
  const limits: (number | undefined)[] = [];
  const client = new Client({
    baseUrl: 'http://127.0.0.1/v1',
    apiKey: 'svc_test_x',
    userAgent: 'test',
    fetch: async (_, { timeoutMs }) => {
      limits.push(timeoutMs);
      throw new Error('no answer');
    },
  });
  const { control } = toServiceClient('http://127.0.0.1/v1', client);
  await control('info').catch(() => {});
  await control('emails.wait', { body: { query: '', timeout_ms: 600_000 } }).catch(() => {});
  await control('clock.advance', { body: { by: '2h' } }).catch(() => {});
  expect(limits).toEqual([30_000, 645_000, undefined]);
});
