import type Database from 'better-sqlite3';
import { OWN_USER_AGENT } from '../../../contract/vocabulary/headers.js';
import type { NewRequest, RequestFilter, RequestRecord } from '../../../core/model/requests.js';
import { errorDetails, instant, integer, number, text, textOrNull, warnings } from '../rows/column-kinds.js';
import type { Columns } from '../rows/columns.js';
import { RowMapping } from '../rows/mapping.js';
import type { RowReader } from '../rows/reader.js';
import { RowQuery } from '../rows/row-query.js';
import { bit } from '../rows/rows.js';

/** The reads of svc's own commands. */
const OWN_READS = `method = 'GET' AND coalesce(user_agent, '') GLOB '${OWN_USER_AGENT}*'`;

const WHERE = `(@from IS NULL OR status BETWEEN @from AND @to) AND (@path IS NULL OR path GLOB @path)
  AND (@method IS NULL OR method = @method)
  AND (@all OR NOT (${OWN_READS}))`;

const requestRow = new RowMapping<NewRequest>({
  id: text('id'),
  createdAt: instant('created_at'),
  method: text('method'),
  path: text('path'),
  status: integer('status'),
  ms: number('ms'),
  keyId: textOrNull('key_id'),
  userAgent: textOrNull('user_agent'),
  errorCode: textOrNull('error_code'),
  errorMessage: textOrNull('error_message'),
  errorDetails: errorDetails('error_details'),
  warnings: warnings('warnings'),
});

/** Stores the request log. */
export class RequestTable {
  readonly #insert;
  readonly #trim;
  readonly #trimOwnReads;
  readonly #newest;
  readonly #after;
  readonly #lastSeq;

  constructor(
    db: Database.Database,
    private readonly rows: RowReader,
  ) {
    this.#insert = db.prepare(`INSERT INTO requests ${requestRow.into()}`);
    this.#trim = db.prepare(deleteAllBut(`NOT (${OWN_READS})`));
    this.#trimOwnReads = db.prepare(deleteAllBut(OWN_READS));
    this.#newest = new RowQuery(db, `SELECT * FROM requests WHERE ${WHERE} ORDER BY seq DESC LIMIT @limit`);
    this.#after = new RowQuery(db, `SELECT * FROM requests WHERE seq > @seq AND ${WHERE} ORDER BY seq LIMIT @limit`);
    this.#lastSeq = db.prepare('SELECT coalesce(max(seq), 0) FROM requests').pluck();
  }

  async append(requests: readonly NewRequest[]): Promise<void> {
    for (const request of requests) this.#insert.run(...requestRow.values(request));
  }

  async trim(kept: number, ownReadsKept: number): Promise<void> {
    this.#trim.run(kept);
    this.#trimOwnReads.run(ownReadsKept);
  }

  async newest(filter: RequestFilter, limit: number): Promise<RequestRecord[]> {
    return this.rows.all('requests', () => this.#newest.all({ ...conditions(filter), limit }), readRequest);
  }

  async after(seq: number, filter: RequestFilter, limit: number): Promise<RequestRecord[]> {
    return this.rows.all('requests', () => this.#after.all({ ...conditions(filter), seq, limit }), readRequest);
  }

  async lastSeq(): Promise<number> {
    return this.#lastSeq.get() as number;
  }
}

/** Returns the statement that deletes the requests of a condition, except a number of the newest. */
function deleteAllBut(condition: string): string {
  const newest = `SELECT seq FROM requests WHERE ${condition} ORDER BY seq DESC LIMIT 1 OFFSET ?`;
  return `DELETE FROM requests WHERE ${condition} AND seq <= (${newest})`;
}

function conditions({ status, path, method, all }: RequestFilter) {
  return {
    from: status?.from ?? null,
    to: status?.to ?? null,
    // Escapes ? and [, which are special in SQLite's GLOB, with brackets.
    path: path?.replace(/[?[]/g, '[$&]') ?? null,
    method: method ?? null,
    all: bit(all ?? false),
  };
}

export function readRequest(row: Columns): RequestRecord {
  return { seq: row.key('seq'), ...requestRow.read(row) };
}
