import type { CurrentChanges } from './changes.js';
import type { Rows, Sql } from './sql.js';
import { ApiKeyTable } from './tables/api-keys.js';
import { AuditTable } from './tables/audit.js';
import { DeliveryTable } from './tables/deliveries.js';
import { DomainTable } from './tables/domains.js';
import { EventTable } from './tables/events.js';
import { FaultTable } from './tables/faults.js';
import { JobTable } from './tables/jobs.js';
import { ContentTable } from './tables/mail/contents.js';
import { EmailTable } from './tables/mail/emails.js';
import { ReceivedTable } from './tables/mail/received.js';
import type { SearchEngine } from './tables/mail/searched-emails.js';
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
export function createTables(sql: Sql, rows: Rows, changes: CurrentChanges, search: SearchEngine) {
  const contents = new ContentTable(sql, rows, changes);
  const events = new EventTable(sql, rows, changes);
  const webhooks = new WebhookTable(sql, rows);
  const smtpSessions = new SmtpSessionTable(sql, rows, changes);
  return {
    emails: new EmailTable(sql, rows, contents, changes, search, { events, smtpSessions }),
    contents,
    received: new ReceivedTable(sql, rows, contents),
    releases: new ReleaseTable(sql, rows),
    events,
    jobs: new JobTable(sql, rows, changes),
    templates: new TemplateTable(sql, rows),
    domains: new DomainTable(sql, rows),
    apiKeys: new ApiKeyTable(sql, rows),
    webhooks,
    deliveries: new DeliveryTable(sql, { events, webhooks }, rows, changes),
    settings: new SettingTable(sql, rows, changes),
    rules: new RuleTable(sql, rows),
    faults: new FaultTable(sql, rows, changes),
    workspaces: new WorkspaceTable(sql, rows, changes),
    suppressions: new SuppressionTable(sql, rows),
    requests: new RequestTable(sql, rows, changes),
    audit: new AuditTable(sql, rows, changes),
    smtpSessions,
  };
}
