import type { TestApp } from '../../support/servers/app.js';

const COPIES = 8;

/** Creates a few of everything, and returns the path parameters that name them, by operation. */
export async function knownResources(app: TestApp): Promise<Record<string, string[]>> {
  const create = async (path: string, field: string, bodyOf: (copy: number) => object) => {
    const made: string[] = [];
    for (let copy = 0; copy < COPIES; copy += 1) {
      const { status, json } = await app.call('POST', path, bodyOf(copy));
      if (status !== 201) throw new Error(`POST ${path} answered ${status}: ${JSON.stringify(json)}`);
      made.push(json.data[field]);
    }
    return made;
  };
  const scheduled_at = new Date(app.clock.now() + 3_600_000).toISOString();
  const mail = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Hi', html: '<p>Hi</p>' };
  const emails = await create('/v1/emails', 'id', (copy) => (copy % 2 ? { ...mail, scheduled_at } : mail));
  const templates = await create('/v1/templates', 'id', (copy) => ({
    name: `template ${copy}`,
    subject: 'Hello {{name}}',
    html: copy % 2 ? '<p>{{name}} {{order}}</p>' : '<p>Hello</p>',
  }));
  const keys = await create('/v1/api-keys', 'id', () => ({ name: 'spare', environment: 'test' }));
  const webhooks = await create('/v1/webhooks', 'id', () => ({
    url: 'https://receiver.example/hooks',
    events: ['email.sent'],
  }));
  // No receiver exists there.
  for (const id of webhooks) await app.call('PATCH', `/v1/webhooks/${id}`, { active: false });
  await app.drain();
  // A domain's key pair takes a while to create.
  const domains = ['known.example', 'other.example'];
  for (const domain of domains) await app.call('POST', '/v1/domains', { domain });
  return {
    'emails.get': emails,
    'emails.cancel': emails,
    'templates.get': templates,
    'templates.update': templates,
    'templates.delete': templates,
    'templates.render': templates,
    'domains.get': domains,
    'domains.verify': domains,
    'domains.delete': domains,
    'api-keys.revoke': keys,
    'webhooks.update': webhooks,
    'webhooks.delete': webhooks,
  };
}
