import type Database from 'better-sqlite3';
import type { SetAside } from '../../core/store.js';
import { readApiKey } from './api-keys.js';
import { BadRowError, Columns } from './columns.js';
import { readChunk } from './contents.js';
import { readAttempt, readDelivery } from './deliveries.js';
import { readDomain } from './domains.js';
import { readAttachmentInfo, readEmail, readRecipient } from './emails.js';
import { readEvent } from './events.js';
import { readJob } from './jobs.js';
import { Quarantine } from './quarantine.js';
import { readEnvelope, readPlace } from './received.js';
import { readRequest } from './requests.js';
import type { Parse } from './row-reader.js';
import type { Row } from './rows.js';
import { readRule } from './rules.js';
import { readSuppression } from './suppressions.js';
import { readTemplate } from './templates.js';
import { readWebhook } from './webhooks.js';

/** Checks every row of a database as its reader would. */

interface Checked {
  parse: Parse<unknown>;
  /** Large columns, whose content is never checked. */
  without?: string[];
}

const tables: Record<string, Checked> = {
  api_keys: { parse: readApiKey },
  attachments: { parse: readAttachmentInfo, without: ['content'] },
  attempts: { parse: readAttempt },
  chunks: { parse: readChunk, without: ['bytes'] },
  deliveries: { parse: readDelivery },
  domains: { parse: readDomain },
  emails: { parse: readEmail },
  events: { parse: readEvent },
  jobs: { parse: readJob },
  received: { parse: readEnvelope, without: ['bytes'] },
  recipients: { parse: readRecipient },
  requests: { parse: readRequest },
  rules: { parse: readRule },
  suppressions: { parse: readSuppression },
  templates: { parse: readTemplate },
  unparsed: { parse: readPlace },
  webhooks: { parse: readWebhook },
};

/** How many rows are checked before the event loop goes on. */
const ROWS_PER_TURN = 500;

/** Yields every bad row. Changes nothing. */
export async function* badRows(db: Database.Database): AsyncGenerator<SetAside & { row: Row }> {
  for (const [table, { parse, without = [] }] of Object.entries(tables)) {
    const info = db.pragma(`table_info("${table}")`) as { name: string; pk: number }[];
    const columns = info.map(({ name }) => name).filter((name) => !without.includes(name));
    const key = info.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    const names = key.map(({ name }) => `"${name}"`).join(', ');
    const marks = key.map(() => '?').join(', ');
    const select = (where: string) =>
      db.prepare(
        `SELECT ${columns.map((name) => `"${name}"`)} FROM "${table}" ${where} ORDER BY ${names} LIMIT ${ROWS_PER_TURN}`,
      );
    const first = select('');
    const next = select(`WHERE (${names}) > (${marks})`);
    let rows = first.all() as Row[];
    while (rows.length > 0) {
      for (const row of rows) {
        const reason = reasonAgainst(row, parse);
        if (reason === undefined) continue;
        yield { table, key: key.map(({ name }) => String(row[name])).join('/'), reason, row };
      }
      await new Promise((resolve) => setImmediate(resolve));
      const last = rows.at(-1) ?? {};
      rows = next.all(...key.map(({ name }) => last[name])) as Row[];
    }
  }
}

/** Moves every bad row to the table `quarantine`. Answers how many were moved; rows that refer to them are not counted. */
export async function setBadRowsAside(
  db: Database.Database,
  onSetAside: (row: SetAside) => void = () => {},
): Promise<number> {
  const quarantine = new Quarantine(db);
  let count = 0;
  for await (const { table, row, reason } of badRows(db)) {
    const moved = quarantine.move(table, row, reason);
    if (!moved) continue;
    count += 1;
    onSetAside(moved);
  }
  return count;
}

function reasonAgainst(row: Row, parse: Parse<unknown>): string | undefined {
  try {
    parse(new Columns(row));
    return undefined;
  } catch (error) {
    if (error instanceof BadRowError) return error.message;
    throw error;
  }
}
