import type Database from 'better-sqlite3';
import {
  type Extracts,
  linkKinds,
  type MailCode,
  type MailLink,
  type UnextractedEmail,
  type UnextractedQuery,
} from '../../../../core/model/search.js';
import type { Column } from '../../rows/column-kinds.js';
import { oneOf, text } from '../../rows/column-kinds.js';
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
  readonly #range;

  constructor(
    db: Database.Database,
    private readonly rows: RowReader,
  ) {
    this.#queue = db.prepare('INSERT INTO unextracted (seq) VALUES (?)');
    this.#unqueue = db.prepare('DELETE FROM unextracted WHERE seq = ?');
    this.#insert = db.prepare(`INSERT OR REPLACE INTO email_extracts ${extractRow.into(['email_seq'])}`);
    this.#of = new RowQuery(db, 'SELECT * FROM email_extracts WHERE email_seq = ?');
    // Skips messages that are listed with their envelopes until they are parsed.
    this.#unextracted = new RowQuery(
      db,
      `SELECT unextracted.seq, id, origin, size,
         CASE WHEN text_key IS NULL AND octet_length(text) <= @bytes THEN text END AS text,
         CASE WHEN html_key IS NULL AND octet_length(html) <= @bytes THEN html END AS html
       FROM unextracted JOIN emails ON emails.seq = unextracted.seq JOIN bodies ON email_seq = unextracted.seq
       WHERE unextracted.seq NOT IN (SELECT value FROM json_each(@except))
         AND unextracted.seq NOT IN (SELECT seq FROM unparsed)
       ORDER BY unextracted.seq LIMIT @limit`,
    );
    this.#range = db.prepare(
      `SELECT min(seq) AS first, max(seq) AS last FROM unextracted WHERE seq NOT IN (SELECT seq FROM unparsed)`,
    );
  }

  /** Adds an email to those without extracts. */
  queue(seq: number | bigint): void {
    this.#queue.run(seq);
  }

  /** Stores the extracts of an email that exists. */
  set(seq: number, extracts: Extracts): void {
    this.#insert.run(...extractRow.values(extracts), seq);
    this.#unqueue.run(seq);
  }

  of(seq: number): Extracts | undefined {
    return this.rows.one('email_extracts', () => this.#of.get(seq), readExtracts);
  }

  unextracted({ limit, except, bytesUpTo }: UnextractedQuery): UnextractedEmail[] {
    const values = { bytes: bytesUpTo, except: json(except), limit };
    return this.rows.all('emails', () => this.#unextracted.all(values), readUnextracted);
  }

  range(): { first: number; last: number } | undefined {
    const { first, last } = this.#range.get() as { first: number | null; last: number };
    return first === null ? undefined : { first, last };
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

const origin = oneOf('origin', ['rest', 'smtp']);

function readUnextracted(row: Columns): UnextractedEmail {
  return {
    seq: row.key('seq'),
    id: row.text('id'),
    origin: origin.read(row),
    size: row.integer('size', 0),
    text: row.textOrNull('text'),
    html: row.textOrNull('html'),
  };
}
