import type { Holdings } from '../../reading.js';

/** What can be named on a command line, and how. */

export interface Name {
  name: string;
  /** What a person knows it by. */
  about: string;
}

/** What a server holds that can be named. */
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

const namings: Record<NameKind, (held: Holdings) => Promise<Name[]>> = {
  email: async (held) => (await held.emails()).map(({ id, subject }) => named(id, subject)),
  'scheduled-email': async (held) => (await held.emails('scheduled')).map(({ id, subject }) => named(id, subject)),
  template: async (held) => (await held.templates()).map(({ name, subject }) => named(name, subject)),
  domain: async (held) => (await held.domains()).map(({ domain, status }) => named(domain, status)),
  'api-key': async (held) => (await held.apiKeys()).map(({ id, name }) => named(id, name)),
  webhook: async (held) => (await held.webhooks()).map(({ id, url }) => named(id, url)),
  delivery: async (held) => (await held.deliveries()).map(({ id, type }) => named(id, type)),
  rule: async (held) => (await held.rules()).map(({ id, to, outcome }) => named(id, `${to} ${outcome}`)),
  suppression: async (held) => (await held.suppressions()).map(({ address, reason }) => named(address, reason)),
};

/** Names of one kind, the newest first. @throws as what holds them does. */
export function namesOf(held: Holdings, kind: NameKind): Promise<Name[]> {
  return namings[kind](held);
}

/** Whether it names something that a server holds. */
export function isNameKind(kind: string | undefined): kind is NameKind {
  return kind !== undefined && Object.hasOwn(namings, kind);
}

function named(name: string, about: string): Name {
  return { name, about };
}
