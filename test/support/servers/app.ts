import { expect } from 'vitest';
import type { App, AppOptions } from '../../../src/app/app.js';
import { createApp } from '../../../src/app/create-app.js';
import { ServiceClock } from '../../../src/clock/clock.js';
import { openWorkers } from '../../../src/mime/processing.js';
import { reportFault } from '../reported-faults.js';
import { repeatedDkimKeys } from './dkim-keys.js';
import { storageFor } from './storage.js';

/** Starts the whole service in this process, in memory, with every response checked against the contract. */

export const TEST_KEY = 'svc_test_scenarios';
export const WEBHOOK_SECRET = 'whsec_scenarios';

/** Starting a worker for each server takes longer than most messages. */
const workers = openWorkers({ clock: new ServiceClock() });

export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** The parsed envelope; undefined when the body is empty. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries, types would promise what they check
  json: any;
}

export interface TestApp extends App {
  faults: unknown[];
  /** Closes the app, and expects that it reported no internal error. */
  closeClean(): Promise<void>;
  /** Calls the API in-process. `path` starts with /v1 or /_svc. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Returns the data of a GET call that succeeds. */
  read(path: string): Promise<Answer['json']>;
}

export async function startApp(options: Partial<AppOptions> = {}): Promise<TestApp> {
  const faults: unknown[] = [];
  const { storage, discard } = await storageFor(options.storage ?? 'memory');
  const app = await createApp({
    dataDir: null,
    apiKey: TEST_KEY,
    webhookSecret: WEBHOOK_SECRET,
    checkResponses: true,
    processing: { shared: workers },
    makeDkimKey: repeatedDkimKeys(),
    onInternalError(error) {
      faults.push(error);
      reportFault(error);
    },
    ...options,
    storage,
  });
  const close = app.close.bind(app);
  const assembled: TestApp = Object.assign(app, {
    faults,
    async close(grace: Parameters<App['close']>[0]) {
      await close(grace);
      await discard();
    },
    async closeClean() {
      await assembled.close();
      expect(faults).toEqual([]);
    },
    async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
      const response = await app.http.inject({
        method: method as 'GET',
        url: path,
        headers: {
          host: 'localhost',
          authorization: `Bearer ${options.apiKey ?? TEST_KEY}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return {
        status: response.statusCode,
        headers: response.headers as Record<string, string>,
        json:
          response.body && response.headers['content-type']?.toString().includes('json') ? response.json() : undefined,
      };
    },
    async read(path: string) {
      const { status, json } = await assembled.call('GET', path);
      expect(status).toBe(200);
      return json.data;
    },
  });
  return assembled;
}
