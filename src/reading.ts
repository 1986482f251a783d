import { openSqliteReader, type Resources } from './storage/sqlite/reader.js';

/** What a data directory holds, by name: for shells that complete a word while somebody waits. */

export interface Name {
  name: string;
  /** What a person knows it by. */
  about: string;
}

/** What can be named. */
export type NameKind =
  | 'email'
  | 'scheduled-email'
  | 'template'
  | 'domain'
  | 'api-key'
  | 'webhook'
  | 'delivery'
  | 'rule'
  | 'suppression';

const NEWEST = { limit: 100, offset: 0 };

const readers: Record<NameKind, (held: Resources) => Promise<Name[]>> = {
  email: async ({ emails }) => (await emails.list({}, NEWEST)).items.map(({ id, subject }) => named(id, subject)),
  'scheduled-email': async ({ emails }) =>
    (await emails.list({ status: 'scheduled' }, NEWEST)).items.map(({ id, subject }) => named(id, subject)),
  template: async ({ templates }) =>
    (await templates.list(NEWEST)).items.map(({ name, subject }) => named(name, subject)),
  domain: async ({ domains }) => (await domains.list()).map(({ domain, status }) => named(domain, status)),
  'api-key': async ({ apiKeys }) => (await apiKeys.list()).map(({ id, name }) => named(id, name)),
  webhook: async ({ webhooks }) =>
    (await webhooks.list()).filter(({ ephemeral }) => !ephemeral).map(({ id, url }) => named(id, url)),
  delivery: async ({ deliveries }) =>
    (await deliveries.list({}, NEWEST)).items.map(({ id, event }) => named(id, event.type)),
  rule: async ({ rules }) => (await rules.list()).map(({ id, pattern, outcome }) => named(id, `${pattern} ${outcome}`)),
  suppression: async ({ suppressions }) =>
    (await suppressions.list(NEWEST)).items.map(({ mailbox, reason }) => named(mailbox, reason)),
};

/**
 * Names of one kind in a database, the newest first, without changing it and whether or not a server has it open.
 * @throws Error when it cannot be read.
 */
export async function readNames(file: string, kind: NameKind): Promise<Name[]> {
  const held = openSqliteReader(file);
  try {
    return await readers[kind](held);
  } finally {
    held.close();
  }
}

function named(name: string, about: string): Name {
  return { name, about };
}
