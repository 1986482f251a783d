import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevServer, startDev } from '../../support/cli/binary.js';
import { request } from '../../support/servers/server-calls.js';

/** Tests what remains when the control API is disabled; test/cli/on-every-server tests what commands make of that. */

describe('a server without a control API', () => {
  let dev: DevServer;

  beforeAll(async () => {
    dev = await startDev(['--in-memory', '--no-control']);
  });
  afterAll(async () => {
    await dev.stop();
  });

  it('has no route under /_svc except health, which reports that', async () => {
    const health = await request(dev.ready, '/_svc/health');
    expect((await health.json()) as object).toMatchObject({ data: { status: 'ok', control: false } });

    for (const path of ['/_svc/info', '/_svc/events', '/_svc/requests', '/_svc/emails/msg_1/raw']) {
      const response = await request(dev.ready, path);
      expect(response.status, path).toBe(404);
      expect(await response.json()).toMatchObject({ success: false, error: { code: 'not_found' } });
    }
  });
});
