import { PAGE_SIZE_MAX } from '../contract/vocabulary/limits.js';
import type { FaultRecord } from '../core/model/resources.js';
import type { Reads } from '../core/reads.js';
import { Changes } from './common/changes.js';
import { ApiKeyTable } from './common/tables/api-keys.js';
import { DeliveryTable } from './common/tables/deliveries.js';
import { DomainTable } from './common/tables/domains.js';
import { EventTable } from './common/tables/events.js';
import { FaultTable } from './common/tables/faults.js';
import { ContentTable } from './common/tables/mail/contents.js';
import { EmailTable } from './common/tables/mail/emails.js';
import { RuleTable } from './common/tables/rules.js';
import { SmtpSessionTable } from './common/tables/smtp-sessions.js';
import { SuppressionTable } from './common/tables/suppressions.js';
import { TemplateTable } from './common/tables/templates.js';
import { WebhookTable } from './common/tables/webhooks.js';
import { WorkspaceTable } from './common/tables/workspaces.js';
import { connect } from './sqlite/files/connect.js';
import { RowReader } from './sqlite/rows/reader.js';
import { sqliteSearch } from './sqlite/search/engine.js';
import { SqliteSql } from './sqlite/sql.js';

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

/** Milliseconds to wait for a lock. Readers wait only for a recovery of the log, and shell completion cannot wait longer. */
const BUSY_TIMEOUT_MS = 100;

type Resources = Pick<
  Reads,
  | 'emails'
  | 'templates'
  | 'domains'
  | 'apiKeys'
  | 'webhooks'
  | 'deliveries'
  | 'rules'
  | 'faults'
  | 'suppressions'
  | 'workspaces'
>;

/**
 * Opens a database read-only. A server may have it open. Does not create, migrate or change anything.
 * @throws Error if it does not exist, has another schema version, or cannot be read.
 */
function openSqliteReader(file: string): Resources & { close(): void } {
  const db = connect(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    const rows = new RowReader(db);
    const sql = new SqliteSql(db);
    // The tables need the changes of the current commit, which a reader does not have.
    const none = new Changes();
    const changes = () => none;
    const webhooks = new WebhookTable(sql, rows);
    const contents = new ContentTable(sql, rows, changes);
    const events = new EventTable(sql, rows, changes);
    const smtpSessions = new SmtpSessionTable(sql, rows, changes);
    return {
      emails: new EmailTable(sql, rows, contents, changes, sqliteSearch(db), { events, smtpSessions }),
      templates: new TemplateTable(sql, rows),
      domains: new DomainTable(sql, rows),
      apiKeys: new ApiKeyTable(sql, rows),
      webhooks,
      deliveries: new DeliveryTable(sql, { events, webhooks }, rows, changes),
      rules: new RuleTable(sql, rows),
      faults: new FaultTable(sql, rows, changes),
      suppressions: new SuppressionTable(sql, rows),
      workspaces: new WorkspaceTable(sql, rows, changes),
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}
