import { beforeAll, describe, expect, it } from 'vitest';
import { eventTypes } from '../../../src/contract/vocabulary/event-types.js';
import { svc } from '../../support/cli/binary.js';
import { serverAndReceiver } from '../../support/cli/server-and-receiver.js';
import { answers, refuses, startScripted } from '../../support/servers/scripted-server.js';

describe('triggering events', () => {
  const local = serverAndReceiver();

  beforeAll(async () => {
    const { code, stderr } = await svc([
      'webhooks',
      'create',
      '--url',
      local.receiver.url,
      '--events',
      eventTypes.join(),
      ...local.dataDir,
    ]);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  });

  const typesReceived = () => local.receiver.received.map(({ body }) => JSON.parse(body.toString()).type as string);

  async function untilReceived(type: string): Promise<Record<string, unknown>> {
    for (let count = local.receiver.received.length; !typesReceived().includes(type); count += 1)
      await local.receiver.until(count + 1);
    return JSON.parse(local.receiver.received[typesReceived().indexOf(type)]?.body.toString() ?? '{}').data;
  }

  it.each(eventTypes)('%s reaches a receiver', async (type) => {
    local.receiver.received.length = 0;
    const { code, stderr } = await svc(['webhooks', 'trigger', type, '--json', ...local.dataDir]);
    expect([code, stderr]).toEqual([0, '']);
    expect(Object.keys(await untilReceived(type)).length).toBeGreaterThan(0);
  });

  it.each(['domain.verified', 'template.updated'])(
    'triggers a %s by each of several commands at once',
    async (type) => {
      const runs = await Promise.all([1, 2, 3].map(() => svc(['webhooks', 'trigger', type, ...local.dataDir])));

      expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(3).fill({ code: 0, stderr: '' }));
    },
  );

  it('leaves nothing behind when the server fails half-way', async () => {
    const failing = await startScripted([
      (response, asked) => {
        if (asked.path.endsWith('/verify')) return refuses(500, 'internal_error')(response, asked);
        if (asked.method === 'DELETE') return response.writeHead(204).end();
        const { domain } = JSON.parse(asked.body || '{}') as { domain?: string };
        return answers({ status: 'ok', control: true, domains: [], domain, dns_records: [] })(response, asked);
      },
    ]);
    const there = ['--base-url', failing.baseUrl, '--api-key', 'svc_test_elsewhere'];

    const { code, stderr } = await svc(['webhooks', 'trigger', 'domain.verified', ...there]);

    await failing.close();
    const changes = failing.asked.filter(({ method }) => method !== 'GET');
    const created = JSON.parse(changes[0]?.body ?? '{}').domain as string;
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('internal_error, it says') });
    expect(changes.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/domains',
      `POST /v1/domains/${created}/verify`,
      `DELETE /v1/domains/${created}`,
    ]);
  });

  it('creates an event with the given data', async () => {
    local.receiver.received.length = 0;
    const sets = ['--set', 'bounce_type=soft', '--set', 'reason=Mailbox full'];
    await svc(['webhooks', 'trigger', 'email.bounced', ...sets, ...local.dataDir]);
    expect(await untilReceived('email.bounced')).toMatchObject({ bounce_type: 'soft', reason: 'Mailbox full' });
  });

  it('names a command for an event that the email cannot have', async () => {
    await svc(['webhooks', 'trigger', 'email.bounced', ...local.dataDir]);

    const { code, stderr } = await svc(['webhooks', 'trigger', 'email.clicked', '--email', 'latest', ...local.dataDir]);

    expect(code).toBe(1);
    expect(stderr).toMatch(
      / is bounced\.\nTo trigger it with a new email, run: svc webhooks trigger email\.clicked --data-dir /,
    );
  });

  it('refuses data that the event does not have, and names it', async () => {
    const { code, stderr } = await svc([
      'webhooks',
      'trigger',
      'email.bounced',
      '--set',
      'bounce_type=odd',
      ...local.dataDir,
    ]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/data\.bounce_type/);
    const wrong = await svc(['webhooks', 'trigger', 'email.bounce', ...local.dataDir]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toMatch(/Did you mean email\.bounced\?/);
  });
});
