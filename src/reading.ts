import { openSqliteReader, type Resources } from './storage/sqlite/reader.js';

/** What a data directory holds, read from its database: for shells that complete a word while somebody waits. */

/** Lists of what can be named, the newest first: of each thing its name, and what a person knows it by, as the API calls them. */
export interface Holdings {
  emails(status?: 'scheduled'): Promise<{ id: string; subject: string }[]>;
  templates(): Promise<{ name: string; subject: string }[]>;
  domains(): Promise<{ domain: string; status: string }[]>;
  apiKeys(): Promise<{ id: string; name: string }[]>;
  webhooks(): Promise<{ id: string; url: string }[]>;
  deliveries(): Promise<{ id: string; type: string }[]>;
  rules(): Promise<{ id: string; to: string; outcome: string }[]>;
  suppressions(): Promise<{ address: string; reason: string }[]>;
}

const NEWEST = { limit: 100, offset: 0 };

/**
 * Reads a database without changing it, and whether or not a server has it open.
 * @throws Error when it cannot be read.
 */
export async function readHoldings<T>(file: string, read: (holdings: Holdings) => Promise<T>): Promise<T> {
  const held = openSqliteReader(file);
  try {
    return await read(holdingsOf(held));
  } finally {
    held.close();
  }
}

function holdingsOf(held: Resources): Holdings {
  return {
    emails: async (status) => (await held.emails.list(status ? { status } : {}, NEWEST)).items,
    templates: async () => (await held.templates.list(NEWEST)).items,
    domains: () => held.domains.list(),
    apiKeys: () => held.apiKeys.list(),
    webhooks: async () => (await held.webhooks.list()).filter(({ ephemeral }) => !ephemeral),
    deliveries: async () =>
      (await held.deliveries.list({}, NEWEST)).items.map(({ id, event: { type } }) => ({ id, type })),
    rules: async () => (await held.rules.list()).map(({ pattern, ...rule }) => ({ ...rule, to: pattern })),
    suppressions: async () =>
      (await held.suppressions.list(NEWEST)).items.map(({ mailbox, reason }) => ({ address: mailbox, reason })),
  };
}
