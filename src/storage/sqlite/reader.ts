import Database from 'better-sqlite3';
import type { Reads } from '../../core/transaction.js';
import { Changes } from './changes.js';
import { RowReader } from './rows/reader.js';
import { ApiKeyTable } from './tables/api-keys.js';
import { ContentTable } from './tables/contents.js';
import { DeliveryTable } from './tables/deliveries.js';
import { DomainTable } from './tables/domains.js';
import { EmailTable } from './tables/emails.js';
import { EventTable } from './tables/events.js';
import { RuleTable } from './tables/rules.js';
import { SuppressionTable } from './tables/suppressions.js';
import { TemplateTable } from './tables/templates.js';
import { WebhookTable } from './tables/webhooks.js';

/** Readers of a write-ahead log do not wait for writers, only for a recovery. Shell completion cannot wait longer. */
const BUSY_TIMEOUT_MS = 100;

export type Resources = Pick<
  Reads,
  'emails' | 'templates' | 'domains' | 'apiKeys' | 'webhooks' | 'deliveries' | 'rules' | 'suppressions'
>;

/**
 * Opens a database read-only, also while a server has it open. Creates, migrates and changes nothing.
 * @throws Error when it does not exist, has another schema version, or cannot be read.
 */
export function openSqliteReader(file: string): Resources & { close(): void } {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    const rows = new RowReader(db);
    // The tables ask for the changes of the commit under way; here there is none.
    const none = new Changes();
    const changes = () => none;
    const webhooks = new WebhookTable(db, rows);
    return {
      emails: new EmailTable(db, rows, new ContentTable(db, rows, changes)),
      templates: new TemplateTable(db, rows),
      domains: new DomainTable(db, rows),
      apiKeys: new ApiKeyTable(db, rows),
      webhooks,
      deliveries: new DeliveryTable(db, new EventTable(db, rows, changes), webhooks, rows),
      rules: new RuleTable(db, rows),
      suppressions: new SuppressionTable(db, rows),
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}
