import type { Client } from '../../client/client.js';
import { targetOf } from '../../client/rule-texts.js';
import { PAGE_SIZE_MAX } from '../../contract/vocabulary/limits.js';
import type { ResourceLists } from '../../storage/resource-lists.js';

/** Lists the names that a command line can contain. */

export interface Name {
  name: string;
  /** A description for a person. */
  about: string;
}

/** The kinds of resources with names. */
export type NameKind =
  | 'email'
  | 'scheduled-email'
  | 'template'
  | 'domain'
  | 'api-key'
  | 'webhook'
  | 'delivery'
  | 'rule'
  | 'fault'
  | 'suppression'
  | 'workspace';

const namings: Record<NameKind, (lists: ResourceLists) => Promise<Name[]>> = {
  email: async (lists) => (await lists.emails()).map(({ id, subject }) => named(id, subject)),
  'scheduled-email': async (lists) => (await lists.emails('scheduled')).map(({ id, subject }) => named(id, subject)),
  template: async (lists) => (await lists.templates()).map(({ name, subject }) => named(name, subject)),
  domain: async (lists) => (await lists.domains()).map(({ domain, status }) => named(domain, status)),
  'api-key': async (lists) => (await lists.apiKeys()).map(({ id, name }) => named(id, name)),
  webhook: async (lists) => (await lists.webhooks()).map(({ id, url }) => named(id, url)),
  delivery: async (lists) => (await lists.deliveries()).map(({ id, type }) => named(id, type)),
  rule: async (lists) => (await lists.rules()).map(({ id, to, outcome }) => named(id, `${to} ${outcome}`)),
  fault: async (lists) => (await lists.faults()).map((fault) => named(fault.id, targetOf(fault))),
  workspace: async (lists) =>
    (await lists.workspaces()).map(({ name, addresses }) => named(name, addresses.join(', '))),
  suppression: async (lists) => (await lists.suppressions()).map(({ address, reason }) => named(address, reason)),
};

/** Returns the names of one kind, the newest first. @throws as `lists` does. */
export function namesOf(lists: ResourceLists, kind: NameKind): Promise<Name[]> {
  return namings[kind](lists);
}

/** Returns whether a kind names a resource on a server. */
export function isNameKind(kind: string | undefined): kind is NameKind {
  return kind !== undefined && Object.hasOwn(namings, kind);
}

function named(name: string, about: string): Name {
  return { name, about };
}

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
