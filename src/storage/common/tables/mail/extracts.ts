import { linkKinds } from '../../../../contract/vocabulary/emails.js';
import type {
  Extent,
  Extraction,
  Extracts,
  HeaderField,
  KnownExtracts,
  MailCode,
  MailLink,
  ShownContent,
  UnextractedQuery,
} from '../../../../core/model/search.js';
import { type Column, text } from '../../rows/column-kinds.js';
import type { Columns } from '../../rows/columns.js';
import { json } from '../../rows/columns.js';
import { type ColumnsOf, RowMapping } from '../../rows/mapping.js';
import { Table } from '../../sql.js';

const each = <T>(prepare: (lacking: string) => T) => ({
  all: prepare('links IS NULL AND email_seq NOT IN (SELECT seq FROM unparsed)'),
  shown: prepare('html_text IS NULL AND email_seq NOT IN (SELECT seq FROM unparsed)'),
});

/** Stores what was found in the contents of emails. An email that is not parsed may have no row. */
export class ExtractTable extends Table {
  readonly #insert = this.sql.prepare('INSERT INTO email_extracts (email_seq, html_text, headers) VALUES (?, ?, ?)');
  readonly #set = this.sql.prepare(
    `UPDATE email_extracts SET ${extractRow.set(extractRow.fields)} WHERE email_seq = ? AND links IS NULL`,
  );
  readonly #of = this.sql.prepare('SELECT * FROM email_extracts WHERE email_seq = ?');
  readonly #lacking = each((lacking) =>
    this.sql.prepare(
      `SELECT email_seq FROM email_extracts WHERE email_seq < ? AND ${lacking} ORDER BY email_seq DESC LIMIT ?`,
    ),
  );
  readonly #lackingOf = each((lacking) =>
    this.sql.prepare(
      `SELECT email_seq FROM emails JOIN email_extracts ON email_seq = seq
       WHERE ${this.among('emails.id')} AND ${lacking} ORDER BY email_seq LIMIT ?`,
    ),
  );
  readonly #ends = each((lacking) =>
    ['ASC', 'DESC'].map((order) =>
      this.sql.prepare(
        `SELECT email_seq FROM email_extracts WHERE email_seq > ? AND ${lacking} ORDER BY email_seq ${order} LIMIT 1`,
      ),
    ),
  );
  readonly #state = this.sql.prepare(
    'SELECT seq, EXISTS (SELECT 1 FROM unparsed WHERE unparsed.seq = emails.seq) AS unparsed FROM emails WHERE id = ?',
  );

  /** Returns the state of the email with an ID; undefined if it does not exist. */
  async state(id: string): Promise<Extraction | undefined> {
    const row = await this.#state.tuple<[number, 0 | 1]>(id);
    return row && { seq: row[0], isParsed: row[1] === 0, extracts: await this.of(row[0]) };
  }

  /** Adds the row of an email. */
  insert(seq: number, shown: ShownContent | undefined): void {
    this.#insert.send(seq, shown?.htmlText ?? null, shown ? json(shown.headers) : null);
  }

  /** Stores all extracts of an email. Returns false if its links were found before, or it does not exist. */
  async set(seq: number, extracts: Extracts): Promise<boolean> {
    return (await this.#set.run(...extractRow.values(extracts), seq)) > 0;
  }

  of(seq: number): Promise<KnownExtracts | undefined> {
    return this.rows.one('email_extracts', () => this.#of.get(seq), readExtracts);
  }

  /** Returns the numbers of parsed emails in whose content less is found. */
  async unextracted({ extent, limit, before = Number.MAX_SAFE_INTEGER, ids }: UnextractedQuery): Promise<number[]> {
    if (extent === 'nothing') return [];
    return ids
      ? this.#lackingOf[extent].values<number>(this.sql.list(ids), limit)
      : this.#lacking[extent].values<number>(before, limit);
  }

  async range(extent: Extent, after: number): Promise<{ first: number; last: number } | undefined> {
    if (extent === 'nothing') return undefined;
    const [first, last] = await Promise.all(this.#ends[extent].map((end) => end.value<number>(after)));
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

export function readExtracts(row: Columns): KnownExtracts | undefined {
  row.key('email_seq');
  if (row.textOrNull('html_text') === null) return undefined;
  const { links, codes, ...shown } = extractColumns;
  const known = { htmlText: shown.htmlText.read(row), headers: shown.headers.read(row) };
  return row.textOrNull('links') === null ? known : { ...known, links: links.read(row), codes: codes.read(row) };
}
