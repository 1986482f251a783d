import type Database from 'better-sqlite3';
import { linkKinds } from '../../../../contract/vocabulary/emails/link-kinds.js';
import type { Extraction, Extracts, MailCode, MailLink, UnextractedQuery } from '../../../../core/model/search.js';
import type { Column } from '../../rows/column-kinds.js';
import { text } from '../../rows/column-kinds.js';
import type { Columns } from '../../rows/columns.js';
import { type ColumnsOf, RowMapping } from '../../rows/mapping.js';
import type { RowReader } from '../../rows/reader.js';
import { RowQuery } from '../../rows/row-query.js';
import { json } from '../../rows/rows.js';

/** Stores what was found in the contents of emails, and the list of those that were not searched for it yet. */
export class ExtractTable {
  readonly #queue;
  readonly #unqueue;
  readonly #insert;
  readonly #of;
  readonly #unextracted;
  readonly #unextractedOf;
  readonly #first;
  readonly #last;
  readonly #state;

  constructor(
    db: Database.Database,
    private readonly rows: RowReader,
  ) {
    this.#queue = db.prepare('INSERT INTO unextracted (seq) VALUES (?)');
    this.#unqueue = db.prepare('DELETE FROM unextracted WHERE seq = ?');
    this.#insert = db.prepare(`INSERT OR REPLACE INTO email_extracts ${extractRow.into(['email_seq'])}`);
    this.#of = new RowQuery(db, 'SELECT * FROM email_extracts WHERE email_seq = ?');
    // Skips messages that are listed with their envelopes until they are parsed.
    const isParsed = 'unextracted.seq NOT IN (SELECT seq FROM unparsed)';
    this.#unextracted = db
      .prepare(
        `SELECT seq FROM unextracted WHERE seq NOT IN (SELECT value FROM json_each(?)) AND ${isParsed}
         ORDER BY seq LIMIT ?`,
      )
      .pluck();
    this.#unextractedOf = db
      .prepare(
        `SELECT unextracted.seq FROM json_each(?) AS ids JOIN emails ON emails.id = ids.value
         JOIN unextracted ON unextracted.seq = emails.seq WHERE ${isParsed} ORDER BY unextracted.seq LIMIT ?`,
      )
      .pluck();
    this.#state = db.prepare(
      'SELECT seq, EXISTS (SELECT 1 FROM unparsed WHERE unparsed.seq = emails.seq) AS unparsed FROM emails WHERE id = ?',
    );
    const end = (order: string) =>
      db
        .prepare(
          `SELECT seq FROM unextracted WHERE seq NOT IN (SELECT seq FROM unparsed) ORDER BY seq ${order} LIMIT 1`,
        )
        .pluck();
    this.#first = end('ASC');
    this.#last = end('DESC');
  }

  /** Returns the state of the email with an ID; undefined if it does not exist. */
  state(id: string): Extraction | undefined {
    const row = this.#state.get(id) as { seq: number; unparsed: 0 | 1 } | undefined;
    return row && { seq: row.seq, isParsed: row.unparsed === 0, extracts: this.of(row.seq) };
  }

  /** Adds an email to those without extracts. */
  queue(seq: number | bigint): void {
    this.#queue.run(seq);
  }

  /** Stores the extracts of an email. Returns false if it does not wait for them. */
  set(seq: number, extracts: Extracts): boolean {
    if (this.#unqueue.run(seq).changes === 0) return false;
    this.#insert.run(...extractRow.values(extracts), seq);
    return true;
  }

  of(seq: number): Extracts | undefined {
    return this.rows.one('email_extracts', () => this.#of.get(seq), readExtracts);
  }

  /** Returns the numbers of parsed emails without extracts. */
  unextracted(query: UnextractedQuery): number[] {
    const found =
      'ids' in query
        ? this.#unextractedOf.all(json(query.ids), query.limit)
        : this.#unextracted.all(json(query.except), query.limit);
    return found as number[];
  }

  range(): { first: number; last: number } | undefined {
    const first = this.#first.get() as number | undefined;
    return first === undefined ? undefined : { first, last: this.#last.get() as number };
  }
}

/** An array of records, stored as JSON. */
const records = <T>(name: string, isValid: (record: T) => boolean): Column<T[]> => ({
  name,
  read: (row) => row.records(name, isValid),
  write: json,
});

const areTexts = (...values: unknown[]) => values.every((value) => typeof value === 'string');

const extractColumns: ColumnsOf<Extracts> = {
  htmlText: text('html_text'),
  links: records<MailLink>('links', ({ text, href, kind }) => areTexts(text, href) && linkKinds.includes(kind)),
  codes: records<MailCode>(
    'codes',
    ({ value, context, confidence }) => areTexts(value, context) && Number.isFinite(confidence),
  ),
  headers: records<[string, string]>('headers', (pair) => pair.length === 2 && areTexts(...pair)),
};

const extractRow = new RowMapping<Extracts>(extractColumns);

export function readExtracts(row: Columns): Extracts {
  row.key('email_seq');
  return extractRow.read(row);
}
