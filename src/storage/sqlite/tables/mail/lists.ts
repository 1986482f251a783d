import type Database from 'better-sqlite3';
import { emailStatuses } from '../../../../contract/vocabulary/emails/statuses.js';
import { INSTANT_MAX, INSTANT_MIN } from '../../../../contract/vocabulary/instant-bounds.js';
import type { EmailFilter, EmailHead } from '../../../../core/model/emails.js';
import type { Page, Paged } from '../../../../core/model/pages.js';
import { memoized } from '../../memoized.js';
import type { Counted } from '../../rows/email-counts.js';
import { countedAs, type FilteredEmails, filtered, type ReadFirst } from '../../rows/email-filter.js';
import { headRow, readHead } from '../../rows/emails.js';
import type { RowReader } from '../../rows/reader.js';
import { RowQuery } from '../../rows/row-query.js';
import { EmailCountTable } from './email-counts.js';

/** The range of SQLite's integers. A list includes numbers that svc cannot read, so that their rows are set aside. */
const NUMBER_MIN = '-9223372036854775808';
const NUMBER_MAX = '9223372036854775807';

/** Lists and counts emails. */
export class EmailLists {
  readonly counts: EmailCountTable;
  readonly #toRecipient;
  /** The statements of lists by their conditions. */
  readonly #selects = new Map<string, RowQuery>();
  readonly #counters = new Map<string, Database.Statement>();

  constructor(
    private readonly db: Database.Database,
    private readonly rows: RowReader,
  ) {
    this.counts = new EmailCountTable(db);
    this.#toRecipient = db.prepare('SELECT count(*) FROM (SELECT 1 FROM recipients WHERE mailbox = ? LIMIT ?)').pluck();
  }

  list(filter: EmailFilter, { limit, offset }: Page): Paged<EmailHead> {
    const counted = countedAs(filter);
    const first = this.#rarest(filter);
    const emails = filtered(filter, first);
    const { total, upTo, skip } = counted
      ? this.counts.place(counted, offset)
      : { total: this.#total(filter, first), upTo: null, skip: offset };
    const { after, before } = this.#numbersOf(filter);
    const select: RowQuery = memoized(this.#selects, emails.from + emails.where, () => prepareSelect(this.db, emails));
    const range = [after, upTo ?? before];
    return {
      total,
      items: this.rows.all('emails', () => select.all(...emails.values, ...range, limit, skip), readHead),
    };
  }

  /** Returns the condition of a filter that has the fewest emails. */
  #rarest({ recipient, tags = [], status, sender }: EmailFilter): ReadFirst {
    const known: [ReadFirst, Counted][] = [];
    if (sender !== undefined) known.push(['sender', { field: 'sender', value: sender }]);
    if (status !== undefined) known.push(['status', { field: 'status', value: status }]);
    if (tags[0] !== undefined) known.push(['tag', { field: 'tag', value: tags[0] }]);
    if (recipient === undefined && known.length < 2) return known[0]?.[0] ?? 'all';
    const compared = known.map(([first, counted]) => ({ first, emails: this.counts.total(counted) }));
    const [rarest] = compared.sort((one, other) => one.emails - other.emails);
    if (recipient === undefined) return rarest?.first ?? 'all';
    const limit = rarest?.emails ?? 0;
    return rarest && (this.#toRecipient.get(recipient, limit + 1) as number) > limit ? rarest.first : 'recipient';
  }

  #total(filter: EmailFilter, first: ReadFirst): number {
    const { status, ...others } = filter;
    const { fromDate, toDate, ...undated } = filter;
    if (Object.values(undated).every((value) => value === undefined)) return this.counts.createdIn(fromDate, toDate);
    if (status === undefined) return this.#count(filtered(filter, first));
    // Usually few emails have another status. Counting those is faster, unless even fewer meet another condition.
    const excluded = emailStatuses.filter((other) => other !== status);
    const total = (value: string) => this.counts.total({ field: 'status', value });
    const sum = excluded.reduce((emails, other) => emails + total(other), 0);
    if (sum >= this.#read(filter, first, sum)) return this.#count(filtered(filter, first));
    const counted = countedAs(others);
    const all = counted ? this.counts.total(counted) : this.#count(filtered(others, this.#rarest(others)));
    return all - this.#count(filtered(others, 'status', excluded));
  }

  /** Returns the number of emails that are read for a filter: exactly up to `limit`. */
  #read({ recipient, tags = [], status, sender }: EmailFilter, first: ReadFirst, limit: number): number {
    if (first === 'recipient') return this.#toRecipient.get(recipient, limit + 1) as number;
    const field = first === 'all' ? 'status' : first;
    return this.counts.total({ field, value: { status, sender, tag: tags[0], all: undefined }[first] });
  }

  #count({ from, where, values }: FilteredEmails): number {
    const sql = `SELECT count(*) FROM ${from} WHERE 1${where}`;
    return memoized(this.#counters, sql, () => this.db.prepare(sql).pluck()).get(...values) as number;
  }

  /** Returns between which numbers the emails of a filter are: after the first, up to the last; null for any. */
  #numbersOf({ fromDate, toDate }: EmailFilter): { after: number | null; before: number | null } {
    if (fromDate === undefined && toDate === undefined) return { after: null, before: null };
    const { after, before } = this.counts.rangeOf(fromDate ?? INSTANT_MIN, toDate ?? INSTANT_MAX);
    return { after, before };
  }
}

function prepareSelect(db: Database.Database, { from, seq, where }: FilteredEmails): RowQuery {
  const names = headRow.names.split(', ').map((name) => `emails.${name}`);
  return new RowQuery(
    db,
    `SELECT emails.seq, ${names.join(', ')} FROM ${from} WHERE 1${where}
       AND ${seq} > coalesce(?, ${NUMBER_MIN}) AND ${seq} <= coalesce(?, ${NUMBER_MAX})
     ORDER BY ${seq} DESC LIMIT ? OFFSET ?`,
  );
}
