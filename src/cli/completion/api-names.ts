import type { Client } from '../../client/client.js';
import { PAGE_SIZE_MAX } from '../../contract/vocabulary/limits.js';
import type { ResourceLists } from '../../storage/resource-lists.js';
import { type Name, type NameKind, namesOf } from './names.js';

const NEWEST = { limit: PAGE_SIZE_MAX, offset: 0 };

/** Returns the names of one kind on the service, the newest first. @throws as the client does. */
export function namesFromApi(client: Client, kind: NameKind): Promise<Name[]> {
  return namesOf(resourceListsOf(client), kind);
}

function resourceListsOf(client: Client): ResourceLists {
  return {
    emails: async (status) => (await client.call('emails.list', { query: { ...NEWEST, status } })).emails,
    templates: async () => (await client.call('templates.list', { query: NEWEST })).templates,
    domains: async () => (await client.call('domains.list', {})).domains,
    apiKeys: async () => (await client.call('api-keys.list', {})).api_keys,
    webhooks: async () => (await client.call('webhooks.list', {})).webhooks,
    deliveries: async () => (await client.control('deliveries.list', { query: NEWEST })).deliveries,
    rules: async () => (await client.control('rules.list', {})).rules,
    faults: async () => (await client.control('faults.list', {})).faults,
    workspaces: async () => (await client.control('workspaces.list', {})).workspaces,
    suppressions: async () => (await client.control('suppressions.list', { query: NEWEST })).suppressions,
  };
}
