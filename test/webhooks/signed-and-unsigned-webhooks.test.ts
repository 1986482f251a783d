import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { svc } from '../support/cli/binary.js';
import { serverAndReceiver } from '../support/cli/server-and-receiver.js';
import { data, request } from '../support/servers/server-calls.js';

describe('a webhook created on the command line', () => {
  const local = serverAndReceiver((response) => response.writeHead(401).end());

  const post = (path: string, body: object) =>
    data(local.server.ready, path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const send = () =>
    post('/v1/emails', { to: 'ada@example.test', from: 'shop@example.test', subject: 'Hi', html: 'Hi' });
  const create = (...args: string[]) => ['webhooks', 'create', '--events', 'email.sent', ...args, ...local.dataDir];

  it('is signed with a generated secret, which it prints', async () => {
    const { code, stdout } = await svc(create('--url', local.receiver.url, '--json'));
    expect(code).toBe(0);
    const { id, secret } = JSON.parse(stdout);
    expect(secret).toMatch(/^whsec_[0-9a-f]{48}$/);

    await send();
    await local.receiver.until(1);

    const [{ headers, body }] = local.receiver.received as [(typeof local.receiver.received)[0]];
    expect(headers['x-service-signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'));
    await request(local.server.ready, `/v1/webhooks/${id}`, { method: 'DELETE' });
  });

  it('is unsigned with --no-secret, and every command reports that', async () => {
    const created = await svc(create('--url', local.receiver.url, '--no-secret'), {
      env: { SVC_WEBHOOK_SECRET: 'unused' },
    });
    expect(created.stdout).toMatch(/^requests +unsigned$/m);
    const [, id] = /^id +(\w+)$/m.exec(created.stdout) ?? [];
    expect(created.stderr).toMatch(new RegExp(`^Requests are unsigned\\..* svc webhooks update ${id} --secret SECRET`));

    expect((await svc(['webhooks', 'list', ...local.dataDir])).stdout).toMatch(new RegExp(`^${id} .* unsigned$`, 'm'));

    const count = local.receiver.received.length;
    await send();
    await local.receiver.until(count + 1);
    expect(local.receiver.received.at(-1)?.headers).not.toHaveProperty('x-service-signature');
    const [delivery] = (await data(local.server.ready, '/_svc/deliveries')).deliveries;
    // A replay answers when its attempt is recorded.
    const { attempts } = await post('/_svc/deliveries/replay', { delivery_id: delivery.id });
    const shown = (await svc(['webhooks', 'deliveries', attempts[0].delivery_id, ...local.dataDir])).stdout;
    expect(shown).toContain(`It is unsigned, because the webhook has no secret.`);
    expect(shown).toContain(`To set one, run: svc webhooks update ${id} --secret SECRET`);
    expect(shown).toContain(`POST ${local.receiver.url} (unsigned)`);

    const updated = await svc(['webhooks', 'update', id ?? '', '--secret', 'whsec_new', ...local.dataDir]);
    expect(updated.stdout).toMatch(/^requests +signed$/m);
  });

  it('is signed with SVC_WEBHOOK_SECRET if that is set, and does not print it', async () => {
    const { stdout } = await svc(create('--url', local.receiver.url), {
      env: { SVC_WEBHOOK_SECRET: 'whsec_of_the_app' },
    });

    expect(stdout).toMatch(/^requests +signed$/m);
    expect(stdout).not.toContain('whsec');
  });
});
