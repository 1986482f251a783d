import type { Client } from '../../client/client.js';
import { PAGE_SIZE_MAX } from '../../contract/limits.js';
import type { Name, NameKind } from '../../reading.js';

const NEWEST = { limit: PAGE_SIZE_MAX, offset: 0 };

/** Names of one kind that the service lists, the newest first. @throws as the client does. */
export async function listedNames(client: Client, kind: NameKind): Promise<Name[]> {
  return listers[kind](client);
}

const listers: Record<NameKind, (client: Client) => Promise<Name[]>> = {
  email: (client) => emailsWith(client, undefined),
  'scheduled-email': (client) => emailsWith(client, 'scheduled'),
  template: async (client) => {
    const { templates } = await client.call('templates.list', { query: NEWEST });
    return templates.map(({ name, subject }) => ({ name, about: subject }));
  },
  domain: async (client) => {
    const { domains } = await client.call('domains.list', {});
    return domains.map(({ domain, status }) => ({ name: domain, about: status }));
  },
  'api-key': async (client) => {
    const { api_keys } = await client.call('api-keys.list', {});
    return api_keys.map(({ id, name }) => ({ name: id, about: name }));
  },
  webhook: async (client) => {
    const { webhooks } = await client.call('webhooks.list', {});
    return webhooks.map(({ id, url }) => ({ name: id, about: url }));
  },
  delivery: async (client) => {
    const { deliveries } = await client.control('deliveries.list', { query: NEWEST });
    return deliveries.map(({ id, type }) => ({ name: id, about: type }));
  },
  rule: async (client) => {
    const { rules } = await client.control('rules.list', {});
    return rules.map(({ id, to, outcome }) => ({ name: id, about: `${to} ${outcome}` }));
  },
  suppression: async (client) => {
    const { suppressions } = await client.control('suppressions.list', { query: NEWEST });
    return suppressions.map(({ address, reason }) => ({ name: address, about: reason }));
  },
};

async function emailsWith(client: Client, status: 'scheduled' | undefined): Promise<Name[]> {
  const { emails } = await client.call('emails.list', { query: { ...NEWEST, status } });
  return emails.map(({ id, subject }) => ({ name: id, about: subject }));
}
