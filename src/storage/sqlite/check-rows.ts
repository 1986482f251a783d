import type Database from 'better-sqlite3';
import type { SetAside } from '../../core/store.js';
import { nextTurn } from '../common/commit.js';
import { Columns, type Row } from '../common/rows/columns.js';
import { readEmailCount } from '../common/rows/email-counts.js';
import {
  readAttachment,
  readAttachmentInfo,
  readBodies,
  readEmailWarning,
  readEmailWithoutBodies,
  readRecipient,
} from '../common/rows/emails.js';
import { readReceived } from '../common/rows/received.js';
import type { Parse } from '../common/sql.js';
import { apiKeyRow } from '../common/tables/api-keys.js';
import { readAuditEntry } from '../common/tables/audit.js';
import { attemptRow, deliveryRow } from '../common/tables/deliveries.js';
import { domainRow } from '../common/tables/domains.js';
import { readEvent } from '../common/tables/events.js';
import { faultRow } from '../common/tables/faults.js';
import { readWholeJob } from '../common/tables/jobs.js';
import { readChunk } from '../common/tables/mail/contents.js';
import { readDeletedEmail } from '../common/tables/mail/deleted-emails.js';
import { readExtracts } from '../common/tables/mail/extracts.js';
import { readRelease } from '../common/tables/releases.js';
import { readRequest } from '../common/tables/requests.js';
import { ruleRow } from '../common/tables/rules.js';
import { readSetting } from '../common/tables/settings.js';
import { readSmtpSession } from '../common/tables/smtp-sessions.js';
import { suppressionRow } from '../common/tables/suppressions.js';
import { templateRow } from '../common/tables/templates.js';
import { webhookRow } from '../common/tables/webhooks.js';
import { workspaceRow } from '../common/tables/workspaces.js';
import { keyText, primaryKeyOf, rowNumberOf, withNumbers } from './rows/keys.js';
import { Quarantine } from './rows/quarantine.js';
import { reasonOf } from './rows/reader.js';

/** Checks every row of a database as its reader does. */

interface Checked {
  parse: Parse<unknown>;
  /** Large columns. Only their types are checked: the check reads an empty value of the same type instead. */
  large?: string[];
}

const tables: Record<string, Checked> = {
  api_keys: { parse: apiKeyRow.read },
  audit: { parse: readAuditEntry },
  attachments: { parse: (row) => [readAttachmentInfo(row), readAttachment(row)], large: ['content'] },
  attempts: { parse: attemptRow.read },
  bodies: { parse: readBodies, large: ['text', 'html'] },
  chunks: { parse: readChunk, large: ['bytes'] },
  deleted_contents: { parse: (row) => [row.text('content_key'), row.integer('email_seq', 1)] },
  deleted_emails: { parse: readDeletedEmail, large: ['content'] },
  deletions: { parse: (row) => [row.text('id'), row.integer('deleted_at')] },
  deliveries: { parse: deliveryRow.read },
  domains: { parse: domainRow.read },
  email_counts: { parse: readEmailCount },
  email_extracts: { parse: readExtracts },
  email_warnings: { parse: (row) => [row.key('email_seq'), readEmailWarning(row)] },
  emails: { parse: readEmailWithoutBodies },
  events: { parse: readEvent },
  faults: { parse: faultRow.read },
  jobs: { parse: readWholeJob },
  received: {
    parse: (row) => [
      readReceived(row),
      row.integerOrNull('size', 0),
      row.textOrNull('session_id'),
      row.textOrNull('key_id'),
    ],
    large: ['bytes'],
  },
  recipients: { parse: readRecipient },
  releases: { parse: readRelease },
  requests: { parse: readRequest },
  rules: { parse: ruleRow.read },
  settings: { parse: readSetting },
  smtp_sessions: { parse: readSmtpSession },
  suppressions: { parse: suppressionRow.read },
  templates: { parse: templateRow.read, large: ['text', 'html'] },
  unindexed: { parse: (row) => row.key('seq') },
  unparsed: {
    parse: (row) => [row.key('seq'), row.integer('attempts', 0), row.integer('recipient_count', 0)],
  },
  webhooks: { parse: webhookRow.read },
  workspaces: { parse: workspaceRow.read },
};

/** Number of rows to check in one turn of the event loop. */
const ROWS_PER_TURN = 500;

/** Yields every bad row of all tables except those in `except`. Changes nothing. Integers of the rows are bigints. */
export async function* badRows(
  db: Database.Database,
  except: readonly string[] = [],
): AsyncGenerator<SetAside & { row: Row }> {
  for (const [table, { parse, large = [] }] of Object.entries(tables)) {
    if (except.includes(table)) continue;
    const info = db.pragma(`table_info("${table}")`) as { name: string }[];
    const key = primaryKeyOf(db, table);
    const number = rowNumberOf(db, table);
    const check: Parse<unknown> = (columns) => {
      if (number !== undefined) columns.key(number);
      parse(columns);
    };
    for await (const row of pages(
      db,
      table,
      info.map(({ name }) => (large.includes(name) ? emptied(name) : `"${name}"`)),
    )) {
      const reason = reasonAgainst(row, check);
      if (reason === undefined) continue;
      const names = key.map(({ name }) => name);
      yield { table, key: keyText(row, names), reason, row };
    }
  }
}

/** Returns an SQL expression for an empty value of the column's type. SQLite finds the type without reading the value. */
function emptied(column: string): string {
  return `CASE typeof("${column}") WHEN 'text' THEN '' WHEN 'blob' THEN x'' WHEN 'null' THEN NULL ELSE 0 END AS "${column}"`;
}

/**
 * Yields the rows of a table in pages. Compares keys exactly: integers as bigints, and text as bytes, because it may be
 * invalid UTF-8.
 */
async function* pages(db: Database.Database, table: string, columns: string[]): AsyncGenerator<Row> {
  const key = primaryKeyOf(db, table);
  const names = key.map(({ name }) => `"${name}"`).join(', ');
  const exact = key.map(
    ({ name, type }, at) => `${type === 'TEXT' ? `CAST("${name}" AS BLOB)` : `"${name}"`} AS "key ${at}"`,
  );
  const marks = key.map(({ type }) => (type === 'TEXT' ? 'CAST(? AS TEXT)' : '?')).join(', ');
  const select = (where: string) =>
    db
      .prepare(`SELECT ${columns}, ${exact} FROM "${table}" ${where} ORDER BY ${names} LIMIT ${ROWS_PER_TURN}`)
      .safeIntegers();
  const next = select(`WHERE (${names}) > (${marks})`);
  let rows = select('').all() as Row[];
  while (rows.length > 0) {
    yield* rows;
    await nextTurn();
    const last = rows.at(-1) ?? {};
    rows = next.all(...key.map((_, at) => last[`key ${at}`])) as Row[];
  }
}

export interface SetAsideOptions {
  /** The largest valid row number. */
  keyMax?: number;
  /** Tables to skip. */
  except?: readonly string[];
}

/** Moves every bad row to the table `quarantine`. Returns their number, without the rows that refer to them. */
export async function setBadRowsAside(
  db: Database.Database,
  { keyMax, except }: SetAsideOptions = {},
): Promise<number> {
  const quarantine = new Quarantine(db);
  let count = quarantine.moveOutOfRange(keyMax === undefined ? {} : { max: keyMax }).length;
  for await (const { table, row, reason } of badRows(db, except)) {
    if (quarantine.move(table, row, reason)) count += 1;
  }
  return count;
}

function reasonAgainst(row: Row, parse: Parse<unknown>): string | undefined {
  try {
    parse(Columns.of(withNumbers(row)));
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}
