import { OWN_USER_AGENT } from '../../../contract/vocabulary/headers.js';
import type { NewRequest, RequestFilter, RequestRecord } from '../../../core/model/logs.js';
import { errorDetails, instant, integer, number, text, textOrNull, warnings } from '../rows/column-kinds.js';
import { bit, type Columns } from '../rows/columns.js';
import { RowMapping } from '../rows/mapping.js';
import { type Dialect, ObservedTable } from '../sql.js';

/** The reads of svc's own commands. */
const OWN_READS = `method = 'GET' AND substr(coalesce(user_agent, ''), 1, ${OWN_USER_AGENT.length}) = '${OWN_USER_AGENT}'`;

const conditionsIn = ({ matches }: Dialect) => `(status BETWEEN @from AND @to OR @from IS NULL)
  AND (${matches('path', '@path')} OR @path IS NULL) AND (method = @method OR @method IS NULL)
  AND (@all = 1 OR NOT (${OWN_READS}))`;

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
export class RequestTable extends ObservedTable {
  readonly #insert = this.sql.prepare(`INSERT INTO requests ${requestRow.into()}`);
  readonly #trim = this.sql.prepare(deleteAllBut(`NOT (${OWN_READS})`));
  readonly #trimOwnReads = this.sql.prepare(deleteAllBut(OWN_READS));
  readonly #where = conditionsIn(this.sql.dialect);
  readonly #newest = this.sql.prepare(`SELECT * FROM requests WHERE ${this.#where} ORDER BY seq DESC LIMIT @limit`);
  readonly #after = this.sql.prepare(
    `SELECT * FROM requests WHERE seq > @seq AND ${this.#where} ORDER BY seq LIMIT @limit`,
  );
  readonly #lastSeq = this.sql.prepare('SELECT coalesce(max(seq), 0) FROM requests');
  readonly #before = this.sql.prepare('SELECT seq FROM requests WHERE created_at < ? ORDER BY seq LIMIT ?');
  readonly #remove = this.sql.prepare(`DELETE FROM requests WHERE ${this.among('seq')}`);

  async append(requests: readonly NewRequest[]): Promise<void> {
    for (const request of requests) this.#insert.send(...requestRow.values(request));
    this.changes().logs += 1;
  }

  async trim(kept: number, ownReadsKept: number): Promise<void> {
    this.#trim.send(kept);
    this.#trimOwnReads.send(ownReadsKept);
  }

  async before(instant: number, limit: number): Promise<number[]> {
    return this.#before.values<number>(instant, limit);
  }

  async remove(seqs: readonly number[]): Promise<void> {
    this.#remove.send(this.sql.list(seqs));
  }

  async newest(filter: RequestFilter, limit: number): Promise<RequestRecord[]> {
    return this.rows.all('requests', () => this.#newest.all({ ...this.#conditions(filter), limit }), readRequest);
  }

  async after(seq: number, filter: RequestFilter, limit: number): Promise<RequestRecord[]> {
    return this.rows.all('requests', () => this.#after.all({ ...this.#conditions(filter), seq, limit }), readRequest);
  }

  #conditions({ status, path, method, all }: RequestFilter) {
    return {
      from: status?.from ?? null,
      to: status?.to ?? null,
      path: path === undefined ? null : this.sql.glob(path),
      method: method ?? null,
      all: bit(all ?? false),
    };
  }

  async lastSeq(): Promise<number> {
    return (await this.#lastSeq.value<number>()) ?? 0;
  }
}

/** Returns the statement that deletes the requests of a condition, except a number of the newest. */
function deleteAllBut(condition: string): string {
  const newest = `SELECT seq FROM requests WHERE ${condition} ORDER BY seq DESC LIMIT 1 OFFSET ?`;
  return `DELETE FROM requests WHERE ${condition} AND seq <= (${newest})`;
}

export function readRequest(row: Columns): RequestRecord {
  return { seq: row.key('seq'), ...requestRow.read(row) };
}
