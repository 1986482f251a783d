import { randomBytes } from 'node:crypto';
import type { Client } from '../../client/client.js';
import type { EventType } from '../../contract/vocabulary/event-types.js';

/** Triggers real events: makes the calls of an application, with new resources that are deleted afterwards. */

/** The ids and names of what was created, for the output. */
export type Triggered = Record<string, string>;

const EMAIL = {
  from: 'svc <hello@svc.test>',
  subject: 'Triggered by svc',
  html: '<p><a href="https://example.test/">Hello</a></p>',
};

/** Returns a unique name, because several commands may trigger events at the same time. */
function ownName(): string {
  return `triggered-${randomBytes(6).toString('hex')}`;
}

/** Sends an email to a simulator address, whose name selects the outcome. */
const mailTo =
  (outcome: string) =>
  async (client: Client): Promise<Triggered> => {
    const { id, to } = await client.call('emails.send', { body: { ...EMAIL, to: `${outcome}@simulator.test` } });
    return { email_id: id, to };
  };

const template =
  (use: (client: Client, id: string) => Promise<unknown>) =>
  async (client: Client): Promise<Triggered> => {
    const name = ownName();
    const { id } = await client.call('templates.create', { body: { name, subject: 'Hello', html: '<p>Hello</p>' } });
    try {
      await use(client, id);
    } finally {
      await client.call('templates.delete', { params: { id } });
    }
    return { template_id: id, name };
  };

/** Given, because the server warns about a key without one. */
const RATE_LIMIT = 60;

const apiKey = async (client: Client): Promise<Triggered> => {
  const name = 'triggered';
  const { id } = await client.call('api-keys.create', { body: { name, environment: 'test', rate_limit: RATE_LIMIT } });
  await client.call('api-keys.revoke', { params: { id } });
  return { api_key_id: id, name };
};

const domain = async (client: Client): Promise<Triggered> => {
  const name = `${ownName()}.example.test`;
  await client.call('domains.create', { body: { domain: name } });
  try {
    await client.call('domains.verify', { params: { domain: name } });
  } finally {
    await client.call('domains.delete', { params: { domain: name } });
  }
  return { domain: name };
};

export const triggers: Record<EventType, (client: Client) => Promise<Triggered>> = {
  'email.sent': mailTo('none'),
  'email.delivered': mailTo('delivered'),
  'email.opened': mailTo('opened'),
  'email.clicked': mailTo('clicked'),
  'email.bounced': mailTo('bounced'),
  'email.complained': mailTo('complained'),
  'email.dropped': mailTo('dropped'),
  'template.created': template(async () => {}),
  'template.updated': template((client, id) =>
    client.call('templates.update', { params: { id }, body: { subject: 'Hello again' } }),
  ),
  'template.deleted': template(async () => {}),
  'domain.verified': domain,
  'api_key.created': apiKey,
  'api_key.revoked': apiKey,
};

/** The outcome to simulate on an existing email, by the event that it causes. */
export const outcomeOf: Partial<
  Record<EventType, 'delivered' | 'opened' | 'clicked' | 'bounced' | 'complained' | 'dropped'>
> = {
  'email.delivered': 'delivered',
  'email.opened': 'opened',
  'email.clicked': 'clicked',
  'email.bounced': 'bounced',
  'email.complained': 'complained',
  'email.dropped': 'dropped',
};
