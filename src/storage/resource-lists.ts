import { PAGE_SIZE_MAX } from '../contract/vocabulary/limits.js';
import type { FaultRecord } from '../core/model/faults.js';
import { openSqliteReader, type Resources } from './sqlite/reader.js';

/** Reads the names of resources from the database of a data directory, for shell completion. */

/** Names and labels of resources, newest first, with the field names of the API. */
export interface ResourceLists {
  emails(status?: 'scheduled'): Promise<{ id: string; subject: string }[]>;
  templates(): Promise<{ name: string; subject: string }[]>;
  domains(): Promise<{ domain: string; status: string }[]>;
  apiKeys(): Promise<{ id: string; name: string }[]>;
  webhooks(): Promise<{ id: string; url: string }[]>;
  deliveries(): Promise<{ id: string; type: string }[]>;
  rules(): Promise<{ id: string; to: string; outcome: string }[]>;
  faults(): Promise<Pick<FaultRecord, 'id' | 'smtp' | 'http' | 'webhook'>[]>;
  workspaces(): Promise<{ name: string; addresses: string[] }[]>;
  suppressions(): Promise<{ address: string; reason: string }[]>;
}

const NEWEST = { limit: PAGE_SIZE_MAX, offset: 0 };

/**
 * Reads a database without changing it. A server may have it open.
 * @throws Error if it cannot be read.
 */
export async function readResourceLists<T>(file: string, read: (lists: ResourceLists) => Promise<T>): Promise<T> {
  const reader = openSqliteReader(file);
  try {
    return await read(resourceListsOf(reader));
  } finally {
    reader.close();
  }
}

function resourceListsOf(reader: Resources): ResourceLists {
  return {
    emails: async (status) => (await reader.emails.list(status ? { status } : {}, NEWEST)).items,
    templates: async () => (await reader.templates.list(NEWEST)).items,
    domains: () => reader.domains.list(),
    apiKeys: () => reader.apiKeys.list(),
    webhooks: async () => (await reader.webhooks.list()).filter(({ ephemeral }) => !ephemeral),
    deliveries: async () =>
      (await reader.deliveries.list({}, NEWEST)).items.map(({ id, event: { type } }) => ({ id, type })),
    rules: async () => (await reader.rules.list()).map(({ pattern, ...rule }) => ({ ...rule, to: pattern })),
    faults: () => reader.faults.list(),
    workspaces: () => reader.workspaces.list(),
    suppressions: async () =>
      (await reader.suppressions.list(NEWEST)).items.map(({ mailbox, reason }) => ({ address: mailbox, reason })),
  };
}
