import type { Sql } from '../../common/sql.js';

/**
 * Tables that a reset empties, those that refer to others first. It keeps API keys with their workspaces, settings (the
 * clock, the secret of tracking links), and the numbers of the ledger.
 */
export const EMPTIED = [
  ...['search', 'unindexed', 'email_extracts', 'releases', 'email_warnings', 'attachments', 'tags'],
  ...[
    'tag_forms',
    'recipients',
    'bodies',
    'deletions',
    'deleted_emails',
    'deleted_contents',
    'email_counts',
    'emails',
    'unparsed',
    'received',
    'chunks',
    'attempts',
  ],
  ...['deliveries', 'events', 'counters', 'jobs', 'templates', 'domains', 'suppressions', 'rules', 'requests'],
  ...['smtp_sessions', 'faults', 'quarantine'],
];

/**
 * Empties the store inside a transaction. Deletes rows instead of truncating tables, which would wait for every read and
 * block the next ones.
 */
export function reset(sql: Sql): void {
  for (const table of EMPTIED) sql.prepare(`DELETE FROM ${table}`).send();
  // A running `webhooks listen` keeps its subscription.
  sql.prepare('DELETE FROM webhooks WHERE ephemeral = 0').send();
}
