import type Database from 'better-sqlite3';
import { inUnicode } from '../../../contract/recipient-pattern.js';
import type { SearchDocument } from '../../../core/model/search.js';
import type { DocumentPart, DocumentReader } from '../tables/mail/documents.js';
import { isIndexError, renewIndex } from './repair-index.js';
import { indexedText } from './trigrams.js';

/** Characters of content above which an email is not indexed. Searches test it themselves. */
const CONTENT_MAX = 100_000;

const PARTS: ReadonlySet<DocumentPart> = new Set(['recipients', 'attachments', 'extracts']);

/** Writes the index of searches. An email without a row in it is in `unextracted` or `unindexed`. */
export class SearchIndex {
  readonly #queue;
  readonly #waiting;
  readonly #count;
  readonly #text;
  readonly #insert;
  readonly #delete;
  readonly #done;
  readonly #tooLarge;
  #isDamaged = false;

  constructor(
    private readonly db: Database.Database,
    private readonly documents: DocumentReader,
  ) {
    this.#queue = db.prepare('INSERT OR IGNORE INTO unindexed (seq, waiting) VALUES (?, 1)');
    this.#waiting = db.prepare('SELECT seq FROM unindexed WHERE waiting = 1 ORDER BY seq LIMIT ?').pluck();
    this.#count = db.prepare('SELECT count(*) FROM (SELECT 1 FROM unindexed WHERE waiting = 1 LIMIT ?)').pluck();
    this.#text = db
      .prepare(
        `SELECT CASE WHEN text_key IS NULL THEN substr(text, 1, ${CONTENT_MAX + 1}) END FROM bodies WHERE email_seq = ?`,
      )
      .pluck();
    this.#insert = db.prepare('INSERT OR REPLACE INTO search (rowid, trigrams) VALUES (?, ?)');
    this.#delete = db.prepare('DELETE FROM search WHERE rowid = ?');
    this.#done = db.prepare('DELETE FROM unindexed WHERE seq = ?');
    this.#tooLarge = db.prepare('UPDATE unindexed SET waiting = 0 WHERE seq = ?');
  }

  /** Adds an email to those that wait to be indexed. */
  queue(seq: number): void {
    this.#queue.run(seq);
  }

  /** Returns the number of emails that wait to be indexed: at most `limit`. */
  waiting(limit: number): number {
    return this.#isDamaged ? limit : (this.#count.get(limit) as number);
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
    const seqs = this.documents.firstStep(this.#waiting.all(limit) as number[]);
    for (const document of await this.documents.ofSeqs(seqs, PARTS)) {
      const { seq, extracts } = document;
      const text = this.#text.get(seq) as string | null | undefined;
      const html = extracts?.htmlText ?? '';
      if (text === null || (text?.length ?? 0) + html.length > CONTENT_MAX) {
        this.#tooLarge.run(seq);
      } else {
        this.#insert.run(seq, trigramText(document, `${text ?? ''}\n${html}`));
        this.#done.run(seq);
      }
    }
    return seqs.length;
  }

  /** Removes an email, unless the index is renewed anyway. */
  delete(seq: number): void {
    if (this.#isDamaged) return;
    try {
      this.#delete.run(seq);
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
function trigramText(document: SearchDocument, content: string): string {
  const { subject, from, fromMailbox, replyTo, recipients, attachments, extracts } = document;
  const messageIds = (extracts?.headers ?? []).filter(([name]) => name.toLowerCase() === 'message-id');
  const addresses = [
    from,
    ...mailboxOf(from, fromMailbox),
    replyTo ?? '',
    ...recipients.flatMap(({ address, mailbox }) => [address, ...mailboxOf(address, mailbox)]),
    ...attachments,
    ...messageIds.map(([, value]) => value),
  ];
  const address = indexedText(addresses.join('\n'), 'address');
  return `${indexedText(subject, 'subject')}\n${address}\n${indexedText(content, 'content')}`;
}

/** Returns the mailbox if its address has another form, and its domain in Unicode, which searches compare too. */
function mailboxOf(address: string, mailbox: string): string[] {
  if (mailbox.includes('xn--')) return [mailbox, inUnicode(mailbox)];
  return address.includes(mailbox) ? [] : [mailbox];
}
