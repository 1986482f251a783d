import { describe, expect, it } from 'vitest';
import { svc } from '../../support/cli/binary.js';
import { refuses, startScripted } from '../../support/servers/scripted-server.js';

describe('scheduling on a remote server', () => {
  it('counts from this machine’s clock, without a request for the server’s', async () => {
    const server = await startScripted([refuses(422, 'validation_error')]);
    const env = { SVC_BASE_URL: server.baseUrl, SVC_API_KEY: 'svc_test_scripted' };
    const request = ['--to', 'a@example.test', '--from', 'b@example.test', '--subject', 'Hi', '--html', '<p>Hi</p>'];

    await svc(['emails', 'send', ...request, '--schedule', '2h'], { env });

    expect(server.asked.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /v1/emails']);
    const hours =
      (Date.parse(JSON.parse(server.asked[0]?.body ?? '').scheduled_at) - performance.timeOrigin) / 3_600_000;
    expect(hours).toBeGreaterThan(2);
    expect(hours).toBeLessThan(3);
    await server.close();
  });
});
