import type Database from 'better-sqlite3';
import type { EmailFilter, EmailHead } from '../../../../core/model/emails.js';
import type { Page, Paged } from '../../../../core/model/pages.js';
import { memoized } from '../../memoized.js';
import { conditionsOf } from '../../rows/email-filter.js';
import { headRow, readHead } from '../../rows/emails.js';
import type { RowReader } from '../../rows/reader.js';
import { RowQuery } from '../../rows/row-query.js';

/** Lists and counts emails. */
export class EmailLists {
  readonly #countByStatus;
  /** The statements of lists by their conditions. */
  readonly #lists = new Map<string, ListQueries>();

  constructor(
    private readonly db: Database.Database,
    private readonly rows: RowReader,
  ) {
    this.#countByStatus = db.prepare('SELECT status, count(*) FROM emails GROUP BY status').raw();
  }

  list(filter: EmailFilter, page: Page): Paged<EmailHead> {
    const { where, values } = conditionsOf(filter);
    const { select, count } = memoized(this.#lists, where, () => prepareList(this.db, where));
    const items = this.rows.all('emails', () => select.all(...values, page.limit, page.offset), readHead);
    return { items, total: count.get(...values) as number };
  }

  countByStatus(): Map<string, number> {
    return new Map(this.#countByStatus.all() as [string, number][]);
  }
}

type ListQueries = ReturnType<typeof prepareList>;

function prepareList(db: Database.Database, where: string) {
  return {
    select: new RowQuery(db, `SELECT seq, ${headRow.names} FROM emails ${where} ORDER BY seq DESC LIMIT ? OFFSET ?`),
    count: db.prepare(`SELECT count(*) FROM emails ${where}`).pluck(),
  };
}
