import type Database from 'better-sqlite3';
import type { EmailMatcher, FoundEmail, SearchPage, SearchResult } from '../../../../core/model/search.js';
import { nextTurn } from '../../next-turn.js';
import type { Columns } from '../../rows/columns.js';
import { foundRow } from '../../rows/emails.js';
import { KEY_MAX } from '../../rows/keys.js';
import type { RowReader } from '../../rows/reader.js';
import { RowQuery } from '../../rows/row-query.js';
import { json } from '../../rows/rows.js';
import type { DocumentReader } from './documents.js';
import { NEXT_SEQ } from './next-seq.js';

/** Number of emails to test in one turn of the event loop. */
const EMAILS_PER_TURN = 100;

/** Finds the emails that match a query. */
export class EmailSearch {
  readonly #before;
  readonly #found;
  readonly #lastSeq;
  readonly #upTo;

  constructor(
    private readonly db: Database.Database,
    private readonly rows: RowReader,
    private readonly documents: DocumentReader,
  ) {
    this.#lastSeq = db.prepare(`SELECT ${NEXT_SEQ} - 1`).pluck();
    this.#upTo = db.prepare('SELECT seq, captured_at FROM emails WHERE seq <= ? ORDER BY seq DESC LIMIT 1');
    this.#before = db.prepare('SELECT seq FROM emails WHERE seq < ? AND seq > ? ORDER BY seq DESC LIMIT ?').pluck();
    this.#found = new RowQuery(
      db,
      `SELECT seq, ${foundRow.names} FROM emails WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq DESC`,
    );
  }

  /** Returns the number of the newest email that was ever accepted. */
  lastSeq(): number {
    return this.#lastSeq.get() as number;
  }

  /** Returns the number of the last email captured before an instant. The instants rise with the numbers. */
  seqSince(capturedAt: number): number {
    const since = (upTo: number) => this.#upTo.get(upTo) as { seq: number; captured_at: number } | undefined;
    let [low, high] = [0, this.lastSeq()];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const row = since(middle);
      if (row && row.captured_at >= capturedAt) high = row.seq - 1;
      else low = middle;
    }
    return since(low)?.seq ?? 0;
  }

  async run(
    matcher: EmailMatcher,
    { limit, offset = 0, before = KEY_MAX, after = 0, workspace }: SearchPage,
  ): Promise<SearchResult> {
    const matches: number[] = [];
    for (let from = before; ; ) {
      const seqs = this.#before.all(from, after, EMAILS_PER_TURN) as number[];
      const last = seqs.at(-1);
      if (last === undefined) break;
      for (const document of await this.documents.ofSeqs(seqs)) {
        if (workspace !== undefined && document.workspace !== workspace) continue;
        if (matcher.matches(document)) matches.push(document.seq);
      }
      from = last;
      await nextTurn();
      if (!this.db.open) break;
    }
    const page = matches.slice(offset, offset + limit);
    const next = matches.length > offset + limit ? (page.at(-1) ?? null) : null;
    return { emails: this.#read(page), total: matches.length, isTotalExact: before === KEY_MAX, next };
  }

  #read(seqs: readonly number[]): FoundEmail[] {
    return this.rows.all('emails', () => this.#found.all(json(seqs)), readFound);
  }
}

function readFound(row: Columns): FoundEmail {
  return { seq: row.key('seq'), ...foundRow.read(row) };
}
