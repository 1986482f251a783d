import type {
  EmailMatcher,
  Extent,
  Extraction,
  Extracts,
  SearchDocument,
  SearchPage,
  SearchResult,
  UnextractedEmail,
  UnextractedQuery,
} from '../../../../core/model/search.js';
import type { CurrentChanges } from '../../changes.js';
import { type Awaitable, ObservedTable, type Rows, type Sql } from '../../sql.js';
import type { ContentTable } from './contents.js';
import { DocumentReader } from './documents.js';
import { type CandidateFinder, EmailSearch } from './email-search.js';
import { ExtractTable } from './extracts.js';

/** Writes the index of searches. An email without a row in it is in `unindexed`. */
export interface IndexWriter {
  /** Leaves an email out of the index: searches test it. */
  leaveOut(seq: number): void;
  /** Queues an email for indexing. */
  queue(seq: number): void;
  /** Indexes a new email inside a transaction, or queues it. */
  add(email: SearchDocument): void;
  /** Indexes an email that was left out, or queues it. */
  addLate(email: SearchDocument): void;
  /** Returns the number of emails that wait to be indexed: at most `limit`. */
  waiting(limit: number): Awaitable<number>;
  /** Returns the number of all emails that wait to be indexed. */
  allWaiting(): Awaitable<number>;
  /** Indexes the next emails inside a transaction: at most `limit`. Returns their number. */
  indexNext(limit: number): Promise<number>;
  /** Removes emails. */
  delete(seqs: readonly number[]): void;
  /** Makes the next `indexNext` renew the index, because it is damaged. */
  distrust(): void;
}

/** The index of searches of an engine. */
export interface SearchEngine {
  /** Runs searches apart from other reads, if the engine can. */
  sql?: Sql;
  index(documents: DocumentReader): IndexWriter;
  candidates(onDamagedIndex: () => void): CandidateFinder;
}

/** Stores what searches need of emails, and searches. */
export class SearchedEmails extends ObservedTable {
  protected readonly extracts = new ExtractTable(this.sql, this.rows);
  readonly #documents;
  readonly #search;
  protected readonly index;
  readonly #idOf = this.sql.prepare('SELECT id FROM emails WHERE seq = ?');
  readonly #readAtOf = this.sql.prepare('SELECT seq, read_at IS NOT NULL FROM emails WHERE id = ?');
  readonly #setRead = this.sql.prepare('UPDATE emails SET read_at = ? WHERE id = ?');

  constructor(sql: Sql, rows: Rows, contents: ContentTable, changes: CurrentChanges, search: SearchEngine) {
    super(sql, rows, changes);
    this.#documents = new DocumentReader(sql, rows, contents);
    this.index = search.index(this.#documents);
    const candidates = search.candidates(() => this.index.distrust());
    const { sql: apart } = search;
    const searched = apart ? new DocumentReader(apart, rows, contents) : this.#documents;
    this.#search = new EmailSearch(apart ?? sql, rows, searched, candidates);
  }

  async setRead(id: string, readAt: number | null): Promise<boolean> {
    const changes = this.changes();
    changes.emails.push(id);
    const [seq, wasRead] = (await this.#readAtOf.tuple<[number, 0 | 1]>(id)) ?? [];
    if (seq === undefined) return false;
    const by = (readAt === null ? 0 : 1) - (wasRead ?? 0);
    if (by !== 0) changes.count([{ field: 'is', value: 'read', seq, by }]);
    this.#setRead.send(readAt, id);
    return true;
  }

  async setExtracts(email: SearchDocument, extracts: Extracts): Promise<boolean> {
    const { seq, id } = email;
    // After a reset or an import, the number may belong to another email.
    if ((await this.#idOf.value<string>(seq)) !== id || !(await this.extracts.set(seq, extracts))) return false;
    if (email.extracts === undefined) this.index.addLate({ ...email, extracts });
    this.changes().emails.push(id);
    return true;
  }

  async extraction(id: string): Promise<Extraction | undefined> {
    return this.extracts.state(id);
  }

  async unextracted(query: UnextractedQuery): Promise<{ seqs: readonly number[]; emails: UnextractedEmail[] }> {
    return this.#documents.unextracted(await this.extracts.unextracted(query));
  }

  async unextractedRange(extent: Extent, after = 0): Promise<{ first: number; last: number } | undefined> {
    return this.extracts.range(extent, after);
  }

  async unindexed(limit: number): Promise<number> {
    return this.index.waiting(limit);
  }

  async waitingForIndex(): Promise<number> {
    return this.index.allWaiting();
  }

  async indexNext(limit: number): Promise<number> {
    return this.index.indexNext(limit);
  }

  async lastSeq(): Promise<number> {
    return this.#search.lastSeq();
  }

  async seqSince(capturedAt: number): Promise<number> {
    return this.#search.seqSince(capturedAt);
  }

  async documents(ids: readonly string[]): Promise<SearchDocument[]> {
    return this.#documents.ofIds(ids);
  }

  async search(matcher: EmailMatcher, page: SearchPage): Promise<SearchResult> {
    return this.#search.run(matcher, page);
  }

  /** Makes the index again, because it is damaged. */
  distrustIndex(): void {
    this.index.distrust();
  }

  /** Removes emails from the index. */
  protected removeFromIndex(seqs: readonly number[]): void {
    this.index.delete(seqs);
  }
}
