import { emailStatuses } from '../../../../contract/vocabulary/emails.js';
import { INSTANT_MAX, INSTANT_MIN } from '../../../../contract/vocabulary/instants.js';
import type { EmailFilter, EmailHead } from '../../../../core/model/emails.js';
import type { Page, Paged } from '../../../../core/model/resources.js';
import { memoized } from '../../listeners.js';
import type { Counted } from '../../rows/email-counts.js';
import { countedAs, type FilteredEmails, filtered, type ReadFirst } from '../../rows/email-filter.js';
import { headRow, readHead } from '../../rows/emails.js';
import { type Rows, type Sql, type Statement, Table } from '../../sql.js';
import { EmailCountTable } from './email-counts.js';

/** The range of stored integers. A list includes numbers that svc cannot read, so that their rows are set aside. */
const NUMBER_MIN = "CAST('-9223372036854775808' AS BIGINT)";
const NUMBER_MAX = "CAST('9223372036854775807' AS BIGINT)";

/** Lists and counts emails. */
export class EmailLists extends Table {
  readonly counts: EmailCountTable;
  readonly #toRecipient = this.sql.prepare(
    'SELECT count(*) FROM (SELECT 1 FROM recipients WHERE mailbox = ? LIMIT ?) AS few',
  );
  /** The statements of lists by their conditions. */
  readonly #selects = new Map<string, Statement>();
  readonly #counters = new Map<string, Statement>();

  constructor(sql: Sql, rows: Rows) {
    super(sql, rows);
    this.counts = new EmailCountTable(sql);
  }

  async list(filter: EmailFilter, { limit, offset }: Page): Promise<Paged<EmailHead>> {
    const counted = countedAs(filter);
    const first = await this.#rarest(filter);
    const emails = filtered(this.sql, filter, first);
    const { total, upTo, skip } = counted
      ? await this.counts.place(counted, offset)
      : { total: await this.#total(filter, first), upTo: null, skip: offset };
    const { after, before } = await this.#numbersOf(filter);
    const select = memoized(this.#selects, emails.from + emails.where, () => prepareSelect(this.sql, emails));
    const range = [after, upTo ?? before];
    return {
      total,
      items: await this.rows.all('emails', () => select.all(...emails.values, ...range, limit, skip), readHead),
    };
  }

  /** Returns the condition of a filter that has the fewest emails. */
  async #rarest({ recipient, tags = [], status, sender }: EmailFilter): Promise<ReadFirst> {
    const known: [ReadFirst, Counted][] = [];
    if (sender !== undefined) known.push(['sender', { field: 'sender', value: sender }]);
    if (status !== undefined) known.push(['status', { field: 'status', value: status }]);
    if (tags[0] !== undefined) known.push(['tag', { field: 'tag', value: tags[0] }]);
    if (recipient === undefined && known.length < 2) return known[0]?.[0] ?? 'all';
    const compared = await Promise.all(
      known.map(async ([first, counted]) => ({ first, emails: await this.counts.total(counted) })),
    );
    const [rarest] = compared.sort((one, other) => one.emails - other.emails);
    if (recipient === undefined) return rarest?.first ?? 'all';
    const limit = rarest?.emails ?? 0;
    return rarest && (await this.#emailsTo(recipient, limit + 1)) > limit ? rarest.first : 'recipient';
  }

  /** Returns the number of emails to a mailbox: at most `limit`. */
  async #emailsTo(recipient: string | undefined, limit: number): Promise<number> {
    return (await this.#toRecipient.value<number>(recipient, limit)) ?? 0;
  }

  async #total(filter: EmailFilter, first: ReadFirst): Promise<number> {
    const { status, ...others } = filter;
    const { fromDate, toDate, ...undated } = filter;
    if (Object.values(undated).every((value) => value === undefined)) return this.counts.createdIn(fromDate, toDate);
    if (status === undefined) return this.#count(filtered(this.sql, filter, first));
    // Usually few emails have another status. Counting those is faster, unless even fewer meet another condition.
    const excluded = emailStatuses.filter((other) => other !== status);
    const totals = await Promise.all(excluded.map((value) => this.counts.total({ field: 'status', value })));
    const sum = totals.reduce((emails, other) => emails + other, 0);
    if (sum >= (await this.#read(filter, first, sum))) return this.#count(filtered(this.sql, filter, first));
    const counted = countedAs(others);
    const all = counted
      ? await this.counts.total(counted)
      : await this.#count(filtered(this.sql, others, await this.#rarest(others)));
    return all - (await this.#count(filtered(this.sql, others, 'status', excluded)));
  }

  /** Returns the number of emails that are read for a filter: exactly up to `limit`. */
  async #read({ recipient, tags = [], status, sender }: EmailFilter, first: ReadFirst, limit: number): Promise<number> {
    if (first === 'recipient') return this.#emailsTo(recipient, limit + 1);
    const field = first === 'all' ? 'status' : first;
    return this.counts.total({ field, value: { status, sender, tag: tags[0], all: undefined }[first] });
  }

  async #count({ from, where, values }: FilteredEmails): Promise<number> {
    const text = `SELECT count(*) FROM ${from} WHERE true${where}`;
    const total = await memoized(this.#counters, text, () => this.sql.prepare(text)).value<number>(...values);
    return total ?? 0;
  }

  /** Returns between which numbers the emails of a filter are: after the first, up to the last; null for any. */
  async #numbersOf({ fromDate, toDate }: EmailFilter): Promise<{ after: number | null; before: number | null }> {
    if (fromDate === undefined && toDate === undefined) return { after: null, before: null };
    return this.counts.rangeOf(fromDate ?? INSTANT_MIN, toDate ?? INSTANT_MAX);
  }
}

function prepareSelect(sql: Sql, { from, seq, where }: FilteredEmails): Statement {
  const names = headRow.names.split(', ').map((name) => `emails.${name}`);
  return sql.prepare(`SELECT emails.seq, ${names.join(', ')} FROM ${from} WHERE true${where}
       AND ${seq} > coalesce(?, ${NUMBER_MIN}) AND ${seq} <= coalesce(?, ${NUMBER_MAX})
     ORDER BY ${seq} DESC LIMIT ? OFFSET ?`);
}
