import { describe, expect, it } from 'vitest';
import { svc } from '../../support/cli/binary.js';
import { refuses, startScripted } from '../../support/servers/scripted-server.js';

describe('sending to a remote server', () => {
  it.each([
    [[], 'Error: A remote service needs --from, --subject, and --html.'],
    [['--from', 'b@example.test', '--subject', 'Hi', '--text', 'Hi'], 'Error: A remote service needs --html.'],
    [['--template', 'tpl_01m85w8pga7twfx6b11vty8sq0'], 'Error: A remote service needs --from.'],
  ])('names what is missing, before any request: %j', async (args, message) => {
    const server = await startScripted([]);
    const env = { SVC_BASE_URL: server.baseUrl, SVC_API_KEY: 'svc_test_scripted' };

    const { code, stderr } = await svc(['emails', 'send', '--to', 'a@example.test', ...args], { env });

    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    expect(server.asked).toEqual([]);
    await server.close();
  });

  it('counts a schedule from this machine’s clock, without a request for the server’s', async () => {
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
