import { linkKinds } from '../../../../contract/vocabulary/emails/link-kinds.js';
import type {
  Extraction,
  Extracts,
  HeaderField,
  MailCode,
  MailLink,
  UnextractedQuery,
} from '../../../../core/model/search.js';
import type { Column } from '../../rows/column-kinds.js';
import { text } from '../../rows/column-kinds.js';
import type { Columns } from '../../rows/columns.js';
import { type ColumnsOf, RowMapping } from '../../rows/mapping.js';
import { json } from '../../rows/rows.js';
import type { Rows, Sql } from '../../sql.js';

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
    private readonly sql: Sql,
    private readonly rows: Rows,
  ) {
    this.#queue = sql.prepare('INSERT INTO unextracted (seq) VALUES (?)');
    this.#unqueue = sql.prepare('DELETE FROM unextracted WHERE seq = ?');
    this.#insert = sql.prepare(
      `INSERT INTO email_extracts ${extractRow.into(['email_seq'])}
       ON CONFLICT (email_seq) DO UPDATE SET ${extractRow.setExcluded()}`,
    );
    this.#of = sql.prepare('SELECT * FROM email_extracts WHERE email_seq = ?');
    // Skips messages that are listed with their envelopes until they are parsed.
    const isParsed = 'unextracted.seq NOT IN (SELECT seq FROM unparsed)';
    this.#unextracted = sql.prepare(
      `SELECT seq FROM unextracted WHERE NOT (${sql.dialect.among('seq')}) AND ${isParsed}
         ORDER BY seq LIMIT ?`,
    );
    this.#unextractedOf = sql.prepare(
      `SELECT unextracted.seq FROM emails JOIN unextracted ON unextracted.seq = emails.seq
         WHERE ${sql.dialect.among('emails.id')} AND ${isParsed} ORDER BY unextracted.seq LIMIT ?`,
    );
    this.#state = sql.prepare(
      'SELECT seq, EXISTS (SELECT 1 FROM unparsed WHERE unparsed.seq = emails.seq) AS unparsed FROM emails WHERE id = ?',
    );
    const end = (order: string) =>
      sql.prepare(
        `SELECT seq FROM unextracted WHERE seq NOT IN (SELECT seq FROM unparsed) ORDER BY seq ${order} LIMIT 1`,
      );
    this.#first = end('ASC');
    this.#last = end('DESC');
  }

  /** Returns the state of the email with an ID; undefined if it does not exist. */
  async state(id: string): Promise<Extraction | undefined> {
    const row = await this.#state.tuple<[number, 0 | 1]>(id);
    return row && { seq: row[0], isParsed: row[1] === 0, extracts: await this.of(row[0]) };
  }

  /** Adds an email to those without extracts. */
  queue(seq: number): void {
    this.#queue.send(seq);
  }

  /** Stores the extracts of an email. Returns false if it does not wait for them. */
  async set(seq: number, extracts: Extracts): Promise<boolean> {
    if ((await this.#unqueue.run(seq)) === 0) return false;
    this.#insert.send(...extractRow.values(extracts), seq);
    return true;
  }

  of(seq: number): Promise<Extracts | undefined> {
    return this.rows.one('email_extracts', () => this.#of.get(seq), readExtracts);
  }

  /** Returns the numbers of parsed emails without extracts. */
  async unextracted(query: UnextractedQuery): Promise<number[]> {
    return 'ids' in query
      ? this.#unextractedOf.values<number>(this.sql.list(query.ids), query.limit)
      : this.#unextracted.values<number>(this.sql.list(query.except), query.limit);
  }

  async range(): Promise<{ first: number; last: number } | undefined> {
    const [first, last] = await Promise.all([this.#first.value<number>(), this.#last.value<number>()]);
    return first === undefined || last === undefined ? undefined : { first, last };
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
  headers: records<HeaderField>('headers', (field) => field.length > 1 && field.length < 4 && areTexts(...field)),
};

const extractRow = new RowMapping<Extracts>(extractColumns);

export function readExtracts(row: Columns): Extracts {
  row.key('email_seq');
  return extractRow.read(row);
}
