import type Database from 'better-sqlite3';
import type { SearchDocument } from '../../../core/model/search.js';
import { json } from '../../common/rows/columns.js';
import { CONTENT_MAX, indexedTexts } from '../../common/search/texts.js';
import type { DocumentPart, DocumentReader } from '../../common/tables/mail/documents.js';
import type { IndexWriter } from '../../common/tables/mail/searched-emails.js';
import { isIndexError, renewIndex } from './repair-index.js';
import { indexedText } from './trigrams.js';

const PARTS: ReadonlySet<DocumentPart> = new Set(['recipients', 'attachments', 'extracts']);

/** Writes the index of searches. An email without a row in it is in `unindexed`. */
export class SearchIndex implements IndexWriter {
  readonly #queue;
  readonly #waiting;
  readonly #count;
  readonly #countAll;
  readonly #countEmails;
  readonly #text;
  readonly #insert;
  readonly #delete;
  readonly #done;
  readonly #markTooLarge;
  #isDamaged = false;

  constructor(
    private readonly db: Database.Database,
    private readonly documents: DocumentReader,
  ) {
    this.#queue = db.prepare('INSERT OR REPLACE INTO unindexed (seq, waiting) VALUES (?, 1)');
    this.#waiting = db.prepare('SELECT seq FROM unindexed WHERE waiting = 1 ORDER BY seq LIMIT ?').pluck();
    this.#countAll = db.prepare('SELECT count(*) FROM unindexed WHERE waiting = 1').pluck();
    this.#countEmails = db.prepare("SELECT coalesce(sum(count), 0) FROM email_counts WHERE field = 'status'").pluck();
    this.#count = db.prepare('SELECT count(*) FROM (SELECT 1 FROM unindexed WHERE waiting = 1 LIMIT ?)').pluck();
    this.#text = db
      .prepare(
        `SELECT CASE WHEN text_key IS NULL THEN substr(text, 1, ${CONTENT_MAX + 1}) END FROM bodies WHERE email_seq = ?`,
      )
      .pluck();
    this.#insert = db.prepare('INSERT OR REPLACE INTO search (rowid, trigrams) VALUES (?, ?)');
    this.#delete = db.prepare('DELETE FROM search WHERE rowid IN (SELECT value FROM json_each(?))');
    this.#done = db.prepare('DELETE FROM unindexed WHERE seq = ?');
    this.#markTooLarge = db.prepare('INSERT OR REPLACE INTO unindexed (seq, waiting) VALUES (?, 0)');
  }

  leaveOut(seq: number): void {
    this.#markTooLarge.run(seq);
  }

  /** FTS5 writes at each savepoint, so new emails wait, and one write indexes many of them. Decision 086. */
  queue(seq: number): void {
    this.#queue.run(seq);
  }

  add({ seq }: SearchDocument): void {
    this.queue(seq);
  }

  addLate({ seq }: SearchDocument): void {
    this.queue(seq);
  }

  /** Returns the number of emails that wait to be indexed: at most `limit`. */
  waiting(limit: number): number {
    return this.#isDamaged ? limit : (this.#count.get(limit) as number);
  }

  /** Returns the number of all emails that wait to be indexed. */
  allWaiting(): number {
    return (this.#isDamaged ? this.#countEmails : this.#countAll).get() as number;
  }

  /** Makes the next `indexNext` renew the index, because it is damaged. */
  distrust(): void {
    this.#isDamaged = true;
  }

  /** Indexes the next emails inside a transaction: at most `limit`. Returns their number. */
  async indexNext(limit: number): Promise<number> {
    const isRenewed = this.#isDamaged;
    if (isRenewed) renewIndex(this.db);
    this.#isDamaged = false;
    try {
      return await this.#indexWaiting(limit);
    } catch (error) {
      this.#distrustAfter(error);
      if (isRenewed) throw error;
      return 0;
    }
  }

  async #indexWaiting(limit: number): Promise<number> {
    const seqs = await this.documents.firstStep(this.#waiting.all(limit) as number[]);
    for (const document of await this.documents.ofSeqs(seqs, PARTS)) {
      const { seq } = document;
      const text = this.#text.get(seq) as string | null | undefined;
      if (this.#insertOrMark(document, text === undefined ? '' : text)) this.#done.run(seq);
    }
    return seqs.length;
  }

  /** Indexes an email with this text, or marks it as too large. The text of a very large one is null. */
  #insertOrMark(document: SearchDocument, text: string | null): boolean {
    const html = document.extracts?.htmlText ?? '';
    if (text === null || text.length + html.length > CONTENT_MAX) {
      this.#markTooLarge.run(document.seq);
      return false;
    }
    this.#insert.run(document.seq, trigramText(document, `${text}\n${html}`));
    return true;
  }

  /** Removes emails, unless the index is renewed anyway. */
  delete(seqs: readonly number[]): void {
    if (this.#isDamaged) return;
    try {
      this.#delete.run(json(seqs));
    } catch (error) {
      this.#distrustAfter(error);
    }
  }

  /** Continues without the index after an error of it. Throws any other error. */
  #distrustAfter(error: unknown): void {
    if (!isIndexError(error)) throw error;
    this.distrust();
  }
}

/** Returns the text of an email as the index splits it. */
function trigramText(document: SearchDocument, whole: string): string {
  const { subject, address, content } = indexedTexts(document, whole);
  // The last character of each part begins a trigram too, because two more characters follow it.
  return `${indexedText(subject, 'subject')}\n${indexedText(address, 'address')}\n${indexedText(content, 'content')}\n\n`;
}
