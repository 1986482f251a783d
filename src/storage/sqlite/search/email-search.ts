import type Database from 'better-sqlite3';
import type { EmailMatcher, FoundEmail, SearchPage, SearchResult } from '../../../core/model/search.js';
import { nextTurn } from '../next-turn.js';
import type { Columns } from '../rows/columns.js';
import { foundRow } from '../rows/emails.js';
import { KEY_MAX } from '../rows/keys.js';
import type { RowReader } from '../rows/reader.js';
import { RowQuery } from '../rows/row-query.js';
import { json } from '../rows/rows.js';
import type { DocumentReader } from '../tables/mail/documents.js';
import { NEXT_SEQ } from '../tables/mail/next-seq.js';
import { CandidateSearch } from './candidates.js';
import { partsOf } from './query-parts.js';
import type { Candidates } from './steps.js';

/** Maximum number of emails to test in one turn of the event loop, which takes a few milliseconds. */
const TESTED_PER_TURN = 128;
/** Maximum number of emails that one search tests. Another search can continue where it stopped. */
const TESTED_MAX = 10_000;

/** Characters of the text to read for a preview. White space is removed from them later. */
const PREVIEW_READ = 600;
/** SQL for the start of an email's text, or of its HTML as text. */
const PREVIEW = `coalesce(
  nullif((SELECT ltrim(substr(text, 1, ${PREVIEW_READ}), char(32, 9, 10, 13)) FROM bodies WHERE email_seq = seq), ''),
  (SELECT substr(html_text, 1, ${PREVIEW_READ}) FROM email_extracts WHERE email_seq = seq),
  '')`;

/** Finds the emails that match a query. SQL narrows the search, and the query's matcher decides. */
export class EmailSearch {
  readonly #candidates;
  readonly #found;
  readonly #lastSeq;
  readonly #upTo;

  constructor(
    private readonly db: Database.Database,
    private readonly rows: RowReader,
    private readonly documents: DocumentReader,
    onDamagedIndex: () => void,
  ) {
    this.#candidates = new CandidateSearch(db, onDamagedIndex);
    this.#found = new RowQuery(
      db,
      `SELECT seq, ${foundRow.names}, ${PREVIEW} AS preview,
         (SELECT count(*) FROM attachments WHERE email_seq = seq) AS attachments,
         (SELECT count(*) FROM recipients WHERE email_seq = seq) AS recipient_count,
         (SELECT count(*) FROM recipients WHERE email_seq = seq AND status = 'dropped') AS dropped_count
       FROM emails WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq DESC`,
    );
    this.#lastSeq = db.prepare(`SELECT ${NEXT_SEQ} - 1`).pluck();
    this.#upTo = db.prepare('SELECT seq, captured_at FROM emails WHERE seq <= ? ORDER BY seq DESC LIMIT 1');
  }

  /** Returns the number of the newest email that was ever accepted. */
  lastSeq(): number {
    return this.#lastSeq.get() as number;
  }

  /** Returns the number of the last email captured before an instant. The instants rise with the numbers. */
  seqSince(capturedAt: number): number {
    const last = (upTo: number) => this.#upTo.get(upTo) as { seq: number; captured_at: number } | undefined;
    let [low, high] = [0, this.lastSeq()];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const row = last(middle);
      if (row && row.captured_at >= capturedAt) high = row.seq - 1;
      else low = middle;
    }
    return last(low)?.seq ?? 0;
  }

  /** Stops counting when the page is full. Allows other work between its steps. */
  async run(matcher: EmailMatcher, page: SearchPage): Promise<SearchResult> {
    const { limit, offset = 0, before = KEY_MAX, after = 0, workspace } = page;
    const candidates = this.#candidates.of(matcher, { before, after, workspace });
    const parts = partsOf(matcher.query);
    const matches: number[] = [];
    const wanted = offset + limit + 1;
    for (let tested = 0; matches.length < wanted && tested < TESTED_MAX; ) {
      const seqs = candidates.next(candidates.isExact ? wanted - matches.length : TESTED_PER_TURN);
      const found = candidates.isExact ? seqs : await this.#matching(matcher, seqs, parts);
      for (const seq of found) matches.push(seq);
      tested += candidates.isExact ? 0 : seqs.length;
      if (candidates.isAtEnd) break;
      await nextTurn();
      if (!this.db.open) break;
    }
    const found = matches.slice(offset, offset + limit);
    return {
      emails: this.rows.all('emails', () => this.#found.all(json(found)), readFound),
      total: matches.length,
      isTotalExact: candidates.isAtEnd && page.before === undefined,
      next: nextOf(candidates, matches.length >= wanted ? found.at(-1) : undefined),
    };
  }

  async #matching(matcher: EmailMatcher, seqs: readonly number[], parts: ReturnType<typeof partsOf>) {
    const matching: number[] = [];
    for await (const documents of this.documents.steps(seqs, parts)) {
      for (const document of documents) if (matcher.matches(document)) matching.push(document.seq);
    }
    return matching;
  }
}

/** Returns where to continue: after the last email of a full page, else where the search stopped. */
function nextOf(candidates: Candidates, lastOfFullPage: number | undefined): number | null {
  if (lastOfFullPage !== undefined) return lastOfFullPage;
  return candidates.isAtEnd ? null : candidates.before;
}

function readFound(row: Columns): FoundEmail {
  return {
    seq: row.key('seq'),
    ...foundRow.read(row),
    preview: row.text('preview'),
    attachments: row.integer('attachments', 0),
    recipients: row.integer('recipient_count', 0),
    dropped: row.integer('dropped_count', 0),
  };
}
