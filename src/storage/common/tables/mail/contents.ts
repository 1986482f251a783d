import { type Content, isStored, type StoredContent } from '../../../../core/model/contents.js';
import { StoreUnavailableError } from '../../../../core/store.js';
import type { Transaction } from '../../../../core/transaction.js';
import type { Columns, Row } from '../../rows/columns.js';
import { compress, decompress, type HeldContent } from '../../rows/held-content.js';
import { ObservedTable, type Statement } from '../../sql.js';

/** Selects contents that no row of an email refers to. */
export const HAS_NO_ROW = `
  NOT EXISTS (SELECT 1 FROM received WHERE received.content_key = chunks.content_key)
  AND NOT EXISTS (SELECT 1 FROM attachments WHERE attachments.content_key = chunks.content_key)
  AND NOT EXISTS (SELECT 1 FROM bodies WHERE bodies.text_key = chunks.content_key)
  AND NOT EXISTS (SELECT 1 FROM bodies WHERE bodies.html_key = chunks.content_key)`;

/**
 * Selects contents that no row refers to. Keys contain random bits, so a text search of quarantined rows finds only the
 * right content.
 */
export const IS_UNREFERENCED = `${HAS_NO_ROW}
  AND NOT EXISTS (SELECT 1 FROM deleted_contents WHERE deleted_contents.content_key = chunks.content_key)
  AND NOT EXISTS (SELECT 1 FROM quarantine WHERE instr(quarantine.content, chunks.content_key) > 0)`;

/** The columns with the keys of an email's large contents. */
const KEY_COLUMNS = [
  ['bodies', 'text_key'],
  ['bodies', 'html_key'],
  ['attachments', 'content_key'],
  ['received', 'content_key'],
];

/** The reasons for moving a row to `quarantine` if its content is incomplete. */
const INCOMPLETE = 'a part of its content is missing';
const DAMAGED = 'its content is damaged';

/**
 * Maximum size of a content, larger than any message. Contents of an imported database may exceed the size of a string
 * or a buffer.
 */
const CONTENT_BYTES_MAX = 256 * 1024 * 1024;

const EMPTY = Buffer.alloc(0);

/** Stores large contents in chunks. */
export class ContentTable extends ObservedTable implements Record<keyof Transaction['contents'], unknown> {
  readonly #append = this.sql.prepare('INSERT INTO chunks (content_key, position, bytes) VALUES (?, ?, ?)');
  readonly #delete = this.sql.prepare(`DELETE FROM chunks WHERE content_key = ? AND ${IS_UNREFERENCED}`);
  // SQLite does not read a blob to find its length.
  readonly #length = this.sql.prepare('SELECT sum(length(bytes)) FROM chunks WHERE content_key = ?');
  readonly #keysOf = this.sql.prepare(
    KEY_COLUMNS.map(
      ([table, key]) => `SELECT ${key} FROM ${table} WHERE ${this.among('email_seq', '@seqs')} AND ${key} IS NOT NULL`,
    ).join(' UNION '),
  );
  readonly #chunk = this.sql.prepare('SELECT bytes FROM chunks WHERE content_key = ? AND position = ?');
  /** Keys of contents that no row refers to yet. */
  readonly #unfinished = new Set<string>();

  async append(key: string, position: number, bytes: Uint8Array): Promise<void> {
    this.#unfinished.add(key);
    this.#append.send(key, position, bytes);
  }

  /** Returns the keys of the large contents of emails. */
  async keysOf(emailSeqs: readonly number[]): Promise<string[]> {
    return this.#keysOf.values<string>({ seqs: this.sql.list(emailSeqs) });
  }

  async delete(key: string): Promise<void> {
    this.#delete.send(key);
    this.changes().contents.push(key);
  }

  /**
   * Returns the columns for a content: a reference to its chunks, or the bytes if it is small, compressed if that is
   * shorter.
   * @throws StoreUnavailableError if its chunks were deleted meanwhile, for example by a reset.
   */
  async columnsOf(content: Content): Promise<{ bytes: Uint8Array; key: string | null; size: number }> {
    if (!isStored(content)) return { bytes: compress(content), key: null, size: content.byteLength };
    const { key, size } = content;
    if ((await this.#length.value(key)) !== size) throw new StoreUnavailableError('The state was replaced meanwhile.');
    this.changes().contents.push(key);
    return { bytes: EMPTY, key, size };
  }

  /**
   * Returns the columns for a text: a reference to its chunks, or the text itself.
   * @throws StoreUnavailableError like `columnsOf`.
   */
  async textColumnsOf(
    text: string | StoredContent,
  ): Promise<{ text: string; key: string | null; size: number | null }> {
    if (typeof text === 'string') return { text, key: null, size: null };
    const { key, size } = await this.columnsOf(text);
    return { text: '', key, size };
  }

  /**
   * Reads the contents of a row; null for each that is null. If a part is missing, moves the row to `quarantine` and
   * returns undefined. `refers` finds the row by the values of its primary key and the contents' keys.
   */
  async readOf(
    table: string,
    primaryKey: Row,
    held: readonly (HeldContent | null)[],
    refers: Statement,
  ): Promise<(Buffer | null)[] | undefined> {
    const contents: (Buffer | null)[] = [];
    for (const each of held) {
      const content =
        each && (each.key === null ? decompress(each) : await this.#read({ key: each.key, size: each.size }));
      if (content === undefined && each?.key === null) {
        await this.rows.setAside(table, primaryKey, DAMAGED);
        return undefined;
      }
      if (content === undefined) {
        // Checks the row first, because a reset may have deleted it too.
        const keys = held.map((other) => other?.key ?? null);
        if (this.sql.isOpen && (await refers.value(...Object.values(primaryKey), ...keys)))
          await this.rows.setAside(table, primaryKey, INCOMPLETE);
        return undefined;
      }
      contents.push(content);
    }
    return contents;
  }

  /** Reads a whole content and allows other work between its chunks. Returns undefined if a part is missing. */
  async #read({ key, size }: StoredContent): Promise<Buffer | undefined> {
    if (size > CONTENT_BYTES_MAX || (await this.#length.value(key)) !== size) return undefined;
    const whole = Buffer.allocUnsafeSlow(size);
    let filled = 0;
    for (let position = 0; filled < size; position += 1) {
      const chunk = await this.#chunk.value<Buffer>(key, position);
      if (!chunk?.length || chunk.length > size - filled) return undefined;
      filled += chunk.copy(whole, filled);
      await this.sql.pause();
      if (!this.sql.isOpen) return undefined;
    }
    return whole;
  }

  /** Records contents that rows refer to since a commit, or that were deleted. */
  finish(keys: readonly string[]): void {
    for (const key of keys) this.#unfinished.delete(key);
  }

  /** Deletes the chunks that this process wrote and no row refers to. Their messages were not acknowledged. */
  async deleteUnfinished(): Promise<void> {
    await Promise.all(Array.from(this.#unfinished, (key) => this.#delete.run(key)));
    this.#unfinished.clear();
  }
}

/** Checks a row of `chunks`. */
export function readChunk(row: Columns): void {
  row.text('content_key');
  row.integer('position', 0);
  row.bytes('bytes');
}
