import { searchForm } from '../../../contract/vocabulary/text.js';
import type { SearchDocument } from '../../../core/model/search.js';
import { CONTENT_MAX, indexedTexts } from '../../common/search/texts.js';
import type { Sql } from '../../common/sql.js';
import type { DocumentPart, DocumentReader } from '../../common/tables/mail/documents.js';
import type { IndexWriter } from '../../common/tables/mail/searched-emails.js';

const PARTS: ReadonlySet<DocumentPart> = new Set(['text', 'recipients', 'attachments', 'extracts']);

/** Writes the texts that searches compare to the table `search`. */
export class SearchIndex implements IndexWriter {
  readonly #queue;
  readonly #waiting;
  readonly #count;
  readonly #countAll;
  readonly #insert;
  readonly #done;
  readonly #markTooLarge;

  constructor(
    sql: Sql,
    private readonly documents: DocumentReader,
  ) {
    this.#queue = sql.prepare('INSERT INTO unindexed (seq, waiting) VALUES (?, 1) ON CONFLICT DO NOTHING');
    this.#waiting = sql.prepare('SELECT seq FROM unindexed WHERE waiting = 1 ORDER BY seq LIMIT ?');
    this.#count = sql.prepare('SELECT count(*) FROM (SELECT 1 FROM unindexed WHERE waiting = 1 LIMIT ?) AS few');
    this.#countAll = sql.prepare('SELECT count(*) FROM unindexed WHERE waiting = 1');
    this.#insert = sql.prepare(
      `INSERT INTO search (seq, subject, address, content) VALUES (?, ?, ?, ?) ON CONFLICT (seq)
       DO UPDATE SET subject = excluded.subject, address = excluded.address, content = excluded.content`,
    );
    this.#done = sql.prepare('DELETE FROM unindexed WHERE seq = ?');
    this.#markTooLarge = sql.prepare(
      'INSERT INTO unindexed (seq, waiting) VALUES (?, 0) ON CONFLICT (seq) DO UPDATE SET waiting = 0',
    );
  }

  leaveOut(seq: number): void {
    this.#markTooLarge.send(seq);
  }

  queue(seq: number): void {
    this.#queue.send(seq);
  }

  add(email: SearchDocument): void {
    this.#insertOrMark(email);
  }

  addLate(email: SearchDocument): void {
    if (this.#insertOrMark(email)) this.#done.send(email.seq);
  }

  async waiting(limit: number): Promise<number> {
    return (await this.#count.value<number>(limit)) ?? 0;
  }

  async allWaiting(): Promise<number> {
    return (await this.#countAll.value<number>()) ?? 0;
  }

  async indexNext(limit: number): Promise<number> {
    const seqs = await this.documents.firstStep(await this.#waiting.values<number>(limit));
    for (const document of await this.documents.ofSeqs(seqs, PARTS)) {
      if (this.#insertOrMark(document)) this.#done.send(document.seq);
    }
    return seqs.length;
  }

  /** A trigger deletes the texts of a deleted email. */
  delete(): void {}

  /** PostgreSQL keeps its indexes itself. */
  distrust(): void {}

  /** Indexes an email, or marks it as too large. */
  #insertOrMark(document: SearchDocument): boolean {
    const { seq, text, extracts } = document;
    const html = extracts?.htmlText ?? '';
    if (text.length + html.length > CONTENT_MAX) {
      this.#markTooLarge.send(seq);
      return false;
    }
    const { subject, address, content } = indexedTexts(document, `${text}\n${html}`);
    this.#insert.send(seq, searchForm(subject), searchForm(address), searchForm(content));
    return true;
  }
}
