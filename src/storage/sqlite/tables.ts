import type Database from 'better-sqlite3';
import type { CurrentChanges } from './changes.js';
import type { RowReader } from './rows/reader.js';
import { ApiKeyTable } from './tables/api-keys.js';
import { DeliveryTable } from './tables/deliveries.js';
import { DomainTable } from './tables/domains.js';
import { EventTable } from './tables/events.js';
import { FaultTable } from './tables/faults.js';
import { JobTable } from './tables/jobs.js';
import { ContentTable } from './tables/mail/contents.js';
import { EmailTable } from './tables/mail/emails.js';
import { ReceivedTable } from './tables/mail/received.js';
import { ReleaseTable } from './tables/releases.js';
import { RequestTable } from './tables/requests.js';
import { RuleTable } from './tables/rules.js';
import { SettingTable } from './tables/settings.js';
import { SmtpSessionTable } from './tables/smtp-sessions.js';
import { SuppressionTable } from './tables/suppressions.js';
import { TemplateTable } from './tables/templates.js';
import { WebhookTable } from './tables/webhooks.js';
import { WorkspaceTable } from './tables/workspaces.js';

/** Creates the tables that the core reads and writes. */
export function createTables(db: Database.Database, rows: RowReader, changes: CurrentChanges) {
  const contents = new ContentTable(db, rows, changes);
  const events = new EventTable(db, rows, changes);
  const webhooks = new WebhookTable(db, rows);
  return {
    emails: new EmailTable(db, rows, contents, changes),
    contents,
    received: new ReceivedTable(db, rows, contents),
    releases: new ReleaseTable(db, rows),
    events,
    jobs: new JobTable(db, rows, changes),
    templates: new TemplateTable(db, rows),
    domains: new DomainTable(db, rows),
    apiKeys: new ApiKeyTable(db, rows),
    webhooks,
    deliveries: new DeliveryTable(db, events, webhooks, rows),
    settings: new SettingTable(db, rows),
    rules: new RuleTable(db, rows),
    faults: new FaultTable(db, rows),
    workspaces: new WorkspaceTable(db, rows),
    suppressions: new SuppressionTable(db, rows),
    requests: new RequestTable(db, rows),
    smtpSessions: new SmtpSessionTable(db, rows),
  };
}
