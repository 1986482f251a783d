import type Database from 'better-sqlite3';
import type { NewRequest, RequestFilter, RequestRecord } from '../../core/model.js';
import { json, parseJson, type Row } from './rows.js';

const COLUMNS =
  'seq, id, created_at AS createdAt, method, path, status, ms, key_id AS keyId, error_code AS errorCode, warnings';

const WHERE = `(@from IS NULL OR status BETWEEN @from AND @to) AND (@path IS NULL OR path GLOB @path)
  AND (@method IS NULL OR method = @method)`;

/** The request log. */
export class RequestTable {
  readonly #insert;
  readonly #trim;
  readonly #newest;
  readonly #after;
  readonly #lastSeq;

  constructor(db: Database.Database) {
    this.#insert = db.prepare(
      `INSERT INTO requests (id, created_at, method, path, status, ms, key_id, error_code, warnings)
       VALUES (@id, @createdAt, @method, @path, @status, @ms, @keyId, @errorCode, @warnings)`,
    );
    this.#trim = db.prepare('DELETE FROM requests WHERE seq <= (SELECT max(seq) FROM requests) - ?');
    this.#newest = db.prepare(`SELECT ${COLUMNS} FROM requests WHERE ${WHERE} ORDER BY seq DESC LIMIT @limit`);
    this.#after = db.prepare(`SELECT ${COLUMNS} FROM requests WHERE seq > @seq AND ${WHERE} ORDER BY seq LIMIT @limit`);
    this.#lastSeq = db.prepare('SELECT coalesce(max(seq), 0) FROM requests').pluck();
  }

  async append(requests: readonly NewRequest[], keep: number): Promise<void> {
    for (const request of requests) this.#insert.run({ ...request, warnings: json(request.warnings) });
    this.#trim.run(keep);
  }

  async newest(filter: RequestFilter, limit: number): Promise<RequestRecord[]> {
    return (this.#newest.all({ ...conditions(filter), limit }) as Row[]).map(readRequest);
  }

  async after(seq: number, filter: RequestFilter, limit: number): Promise<RequestRecord[]> {
    return (this.#after.all({ ...conditions(filter), seq, limit }) as Row[]).map(readRequest);
  }

  async lastSeq(): Promise<number> {
    return this.#lastSeq.get() as number;
  }
}

function conditions({ status, path, method }: RequestFilter) {
  return {
    from: status?.from ?? null,
    to: status?.to ?? null,
    // In SQLite's GLOB, ? and [ have a meaning of their own; in brackets they stand for themselves.
    path: path?.replace(/[?[]/g, '[$&]') ?? null,
    method: method ?? null,
  };
}

function readRequest(row: Row): RequestRecord {
  return { ...(row as unknown as RequestRecord), warnings: parseJson<string[]>(row.warnings) };
}
