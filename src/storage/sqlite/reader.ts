import Database from 'better-sqlite3';
import type { Reads } from '../../core/reads.js';
import { Changes } from './changes.js';
import { RowReader } from './rows/reader.js';
import { ApiKeyTable } from './tables/api-keys.js';
import { DeliveryTable } from './tables/deliveries.js';
import { DomainTable } from './tables/domains.js';
import { EventTable } from './tables/events.js';
import { FaultTable } from './tables/faults.js';
import { ContentTable } from './tables/mail/contents.js';
import { EmailTable } from './tables/mail/emails.js';
import { RuleTable } from './tables/rules.js';
import { SuppressionTable } from './tables/suppressions.js';
import { TemplateTable } from './tables/templates.js';
import { WebhookTable } from './tables/webhooks.js';
import { WorkspaceTable } from './tables/workspaces.js';

/** Milliseconds to wait for a lock. Readers wait only for a recovery of the log, and shell completion cannot wait longer. */
const BUSY_TIMEOUT_MS = 100;

export type Resources = Pick<
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
export function openSqliteReader(file: string): Resources & { close(): void } {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    const rows = new RowReader(db);
    // The tables need the changes of the current commit, which a reader does not have.
    const none = new Changes();
    const changes = () => none;
    const webhooks = new WebhookTable(db, rows);
    return {
      emails: new EmailTable(db, rows, new ContentTable(db, rows, changes), changes),
      templates: new TemplateTable(db, rows),
      domains: new DomainTable(db, rows),
      apiKeys: new ApiKeyTable(db, rows),
      webhooks,
      deliveries: new DeliveryTable(db, new EventTable(db, rows, changes), webhooks, rows),
      rules: new RuleTable(db, rows),
      faults: new FaultTable(db, rows),
      suppressions: new SuppressionTable(db, rows),
      workspaces: new WorkspaceTable(db, rows),
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}
