import type Database from 'better-sqlite3';
import type {
  EmailMatcher,
  Extraction,
  Extracts,
  SearchDocument,
  SearchPage,
  SearchResult,
  UnextractedEmail,
  UnextractedQuery,
} from '../../../../core/model/search.js';
import type { CurrentChanges } from '../../changes.js';
import type { RowReader } from '../../rows/reader.js';
import { EmailSearch } from '../../search/email-search.js';
import { SearchIndex } from '../../search/search-index.js';
import type { ContentTable } from './contents.js';
import { DocumentReader } from './documents.js';
import { ExtractTable } from './extracts.js';

/** Stores what searches need of emails, and searches. */
export class SearchedEmails {
  protected readonly extracts;
  readonly #documents;
  readonly #search;
  readonly #index;
  readonly #idOf;
  readonly #readAtOf;
  readonly #setRead;

  constructor(
    db: Database.Database,
    rows: RowReader,
    contents: ContentTable,
    protected readonly changes: CurrentChanges,
  ) {
    this.extracts = new ExtractTable(db, rows);
    this.#documents = new DocumentReader(db, rows, contents);
    this.#index = new SearchIndex(db, this.#documents);
    this.#search = new EmailSearch(db, rows, this.#documents, () => this.#index.distrust());
    this.#idOf = db.prepare('SELECT id FROM emails WHERE seq = ?').pluck();
    this.#readAtOf = db.prepare('SELECT seq, read_at IS NOT NULL FROM emails WHERE id = ?').raw();
    this.#setRead = db.prepare('UPDATE emails SET read_at = ? WHERE id = ?');
  }

  async setRead(id: string, readAt: number | null): Promise<boolean> {
    const changes = this.changes();
    changes.emails.push(id);
    const [seq, wasRead] = (this.#readAtOf.get(id) ?? []) as [number?, (0 | 1)?];
    if (seq === undefined) return false;
    const by = (readAt === null ? 0 : 1) - (wasRead ?? 0);
    if (by !== 0) changes.count([{ field: 'is', value: 'read', seq, by }]);
    this.#setRead.run(readAt, id);
    return true;
  }

  async setExtracts(seq: number, extracts: Extracts, email?: SearchDocument): Promise<boolean> {
    const id = this.#idOf.get(seq) as string | undefined;
    // After a reset or an import, the number may belong to another email.
    if (id === undefined || (email && email.id !== id) || !this.extracts.set(seq, extracts)) return false;
    if (email) this.#index.add({ ...email, extracts });
    else this.#index.queue(seq);
    this.changes().emails.push(id);
    return true;
  }

  async extraction(id: string): Promise<Extraction | undefined> {
    return this.extracts.state(id);
  }

  async unextracted(query: UnextractedQuery): Promise<{ seqs: readonly number[]; emails: UnextractedEmail[] }> {
    return this.#documents.unextracted(this.extracts.unextracted(query));
  }

  async unextractedRange(): Promise<{ first: number; last: number } | undefined> {
    return this.extracts.range();
  }

  async unindexed(limit: number): Promise<number> {
    return this.#index.waiting(limit);
  }

  async waitingForIndex(): Promise<number> {
    return this.#index.allWaiting();
  }

  async indexNext(limit: number): Promise<number> {
    return this.#index.indexNext(limit);
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
    this.#index.distrust();
  }

  /** Removes an email from the index. */
  protected removeFromIndex(seq: number): void {
    this.#index.delete(seq);
  }
}
