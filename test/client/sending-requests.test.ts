import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, expect, it, vi } from 'vitest';
import { Client } from '../../src/client/client.js';
import { createClient } from '../../src/client/index.js';
import { answers, type ScriptedServer, startScripted } from '../support/servers/scripted-server.js';

let server: ScriptedServer;
afterEach(async () => {
  vi.restoreAllMocks();
  await server.close();
});

it('does not use the platform’s fetch, whose dispatcher limits the time of a wait', async () => {
  server = await startScripted([answers({ emails: [] })]);
  const requests: unknown[] = [];
  const onRequest = (message: unknown) => void requests.push(message);
  subscribe('undici:request:create', onRequest);
  const client = createClient({ baseUrl: server.baseUrl, apiKey: 'svc_test_x' });
  expect(await client.call('emails.list', {})).toEqual({ emails: [] });
  expect(requests).toEqual([]);
  await fetch(server.baseUrl);
  expect(requests).toHaveLength(1);
  unsubscribe('undici:request:create', onRequest);
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
