import type { Reads } from '../../core/reads.js';
import { Changes } from '../common/changes.js';
import { ApiKeyTable } from '../common/tables/api-keys.js';
import { DeliveryTable } from '../common/tables/deliveries.js';
import { DomainTable } from '../common/tables/domains.js';
import { EventTable } from '../common/tables/events.js';
import { FaultTable } from '../common/tables/faults.js';
import { ContentTable } from '../common/tables/mail/contents.js';
import { EmailTable } from '../common/tables/mail/emails.js';
import { RuleTable } from '../common/tables/rules.js';
import { SuppressionTable } from '../common/tables/suppressions.js';
import { TemplateTable } from '../common/tables/templates.js';
import { WebhookTable } from '../common/tables/webhooks.js';
import { WorkspaceTable } from '../common/tables/workspaces.js';
import { connect } from './files/connect.js';
import { RowReader } from './rows/reader.js';
import { sqliteSearch } from './search/engine.js';
import { SqliteSql } from './sql.js';

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
  const db = connect(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    const rows = new RowReader(db);
    const sql = new SqliteSql(db);
    // The tables need the changes of the current commit, which a reader does not have.
    const none = new Changes();
    const changes = () => none;
    const webhooks = new WebhookTable(sql, rows);
    return {
      emails: new EmailTable(sql, rows, new ContentTable(sql, rows, changes), changes, sqliteSearch(db)),
      templates: new TemplateTable(sql, rows),
      domains: new DomainTable(sql, rows),
      apiKeys: new ApiKeyTable(sql, rows),
      webhooks,
      deliveries: new DeliveryTable(sql, { events: new EventTable(sql, rows, changes), webhooks }, rows, changes),
      rules: new RuleTable(sql, rows),
      faults: new FaultTable(sql, rows, changes),
      suppressions: new SuppressionTable(sql, rows),
      workspaces: new WorkspaceTable(sql, rows),
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}
