import { afterEach, expect, it, vi } from 'vitest';
import { Client } from '../../src/client/client.js';
import { createClient } from '../../src/client/index.js';
import { answers, type ScriptedServer, startScripted } from '../support/servers/scripted-server.js';

/** Where Node's fetch has its dispatcher, with the time-out that ends a response after five minutes. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

let server: ScriptedServer;
afterEach(async () => {
  vi.restoreAllMocks();
  await server.close();
});

it('does not use the platform’s fetch, whose dispatcher limits the time of a wait', async () => {
  server = await startScripted([answers({ emails: [] })]);
  await fetch(server.baseUrl);
  const dispatch = vi.spyOn(
    (globalThis as unknown as Record<symbol, { dispatch(): void }>)[DISPATCHER] as never,
    'dispatch',
  );
  const client = createClient({ baseUrl: server.baseUrl, apiKey: 'svc_test_x' });
  expect(await client.call('emails.list', {})).toEqual({ emails: [] });
  expect(dispatch).not.toHaveBeenCalled();
  await fetch(server.baseUrl);
  expect(dispatch).toHaveBeenCalledOnce();
});

it('sends requests with the fetch of its settings', async () => {
  server = await startScripted([answers({ emails: [] })]);
  const urls: string[] = [];
  const client = createClient({
    baseUrl: server.baseUrl,
    apiKey: 'svc_test_x',
    fetch: (url, init) => {
      urls.push(String(url));
      return fetch(url, init);
    },
  });
  expect(await client.call('emails.list', {})).toEqual({ emails: [] });
  expect(urls).toEqual([`${server.baseUrl}/emails`]);
});

it('ends a call with its signal', async () => {
  server = await startScripted([answers({ emails: [] })]);
  const signals: unknown[] = [];
  const client = new Client({
    baseUrl: server.baseUrl,
    apiKey: null,
    userAgent: 'test',
    fetch: (url, { signal }) => {
      signals.push(signal);
      return fetch(url);
    },
  });
  const { signal } = new AbortController();

  await client.call('emails.list', {}, { signal });

  expect(signals).toEqual([signal]);
});
