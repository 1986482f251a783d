import type Database from 'better-sqlite3';
import type { EmailFilter, EmailHead } from '../../../../core/model/emails.js';
import type { Page, Paged } from '../../../../core/model/pages.js';
import { memoized } from '../../memoized.js';
import { type FilteredEmails, filtered } from '../../rows/email-filter.js';
import { headRow, readHead } from '../../rows/emails.js';
import type { RowReader } from '../../rows/reader.js';
import { RowQuery } from '../../rows/row-query.js';
import { EmailCountTable } from './email-counts.js';

/** The largest integer of SQLite. A list includes numbers that svc cannot read, so that their rows are set aside. */
const NUMBER_MAX = '9223372036854775807';

/** Lists and counts emails. */
export class EmailLists {
  readonly counts: EmailCountTable;
  /** The statements of lists by their conditions. */
  readonly #lists = new Map<string, ListQueries>();

  constructor(
    private readonly db: Database.Database,
    private readonly rows: RowReader,
  ) {
    this.counts = new EmailCountTable(db);
  }

  list(filter: EmailFilter, { limit, offset }: Page): Paged<EmailHead> {
    const emails = filtered(filter);
    const { select, count } = memoized(this.#lists, emails.from + emails.where, () => prepareList(this.db, emails));
    const { total, upTo, skip } = emails.counted
      ? this.counts.place(emails.counted, offset)
      : { total: count.get(...emails.values) as number, upTo: null, skip: offset };
    const items = this.rows.all('emails', () => select.all(...emails.values, upTo, limit, skip), readHead);
    return { items, total };
  }
}

type ListQueries = ReturnType<typeof prepareList>;

function prepareList(db: Database.Database, { from, seq, where }: FilteredEmails) {
  const names = headRow.names.split(', ').map((name) => `emails.${name}`);
  return {
    select: new RowQuery(
      db,
      `SELECT emails.seq, ${names.join(', ')} FROM ${from} WHERE 1${where} AND ${seq} <= coalesce(?, ${NUMBER_MAX})
       ORDER BY ${seq} DESC LIMIT ? OFFSET ?`,
    ),
    count: db.prepare(`SELECT count(*) FROM ${from} WHERE 1${where}`).pluck(),
  };
}
