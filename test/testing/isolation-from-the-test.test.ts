import http from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startServer, type TestServer } from '../../src/testing/index.js';

/** What test runners and request interceptors replace in the process of a test. */

const EMAIL = { from: 'shop@example.test', subject: 'Hello', html: '<p>Hello</p>' };

describe('the test kit with a replaced environment', () => {
  let svc: TestServer;

  beforeAll(async () => {
    vi.stubEnv('SVC_BASE_URL', undefined);
    svc = await startServer();
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await svc.close();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  /** Sends an email and waits for it, then waits for one that does not come, and resets. */
  async function useEverything() {
    const inbox = svc.inbox();
    await svc.client.call('emails.send', { body: { ...EMAIL, to: inbox.address } });
    expect(await inbox.waitFor({ subject: 'hello' })).toMatchObject({ subject: 'Hello' });
    await inbox.waitForNone({ subject: 'bye', timeout: 5 });
    await expect(svc.webhooks.waitFor('email.sent', { timeout: 5 })).rejects.toThrow('Timed out after 5ms');
    await svc.reset();
  }

  it('works with fake timers, and the server keeps its own time', async () => {
    const before = Date.now();
    vi.useFakeTimers({ now: 0 });

    await useEverything();

    expect((await svc.clock.now()).getTime()).toBeGreaterThanOrEqual(before);
  });

  it('starts with fake timers', async () => {
    vi.useFakeTimers({ now: 0 });
    await using other = await startServer();
    expect(await other.emails.all()).toEqual([]);
  });

  it('works while fetch and http are intercepted', async () => {
    const intercepted = () => {
      throw new Error('intercepted');
    };
    vi.stubGlobal('fetch', intercepted);
    vi.spyOn(http, 'request').mockImplementation(intercepted);
    vi.spyOn(http, 'get').mockImplementation(intercepted);

    await useEverything();
  });
});
