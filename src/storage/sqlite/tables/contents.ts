import type Database from 'better-sqlite3';
import { type Content, isStored, type StoredContent } from '../../../core/model.js';
import { StoreUnavailableError } from '../../../core/store.js';
import type { Transaction } from '../../../core/transaction.js';
import type { CurrentChanges } from '../changes.js';
import { nextTurn } from '../next-turn.js';
import type { Columns } from '../rows/columns.js';
import type { RowReader } from '../rows/reader.js';
import type { Row } from '../rows/rows.js';

/** A key contains random bits, so a search of the quarantined rows' text cannot confuse two of them. */
const IS_UNREFERENCED = `
  NOT EXISTS (SELECT 1 FROM received WHERE received.content_key = chunks.content_key)
  AND NOT EXISTS (SELECT 1 FROM attachments WHERE attachments.content_key = chunks.content_key)
  AND NOT EXISTS (SELECT 1 FROM emails WHERE emails.text_key = chunks.content_key)
  AND NOT EXISTS (SELECT 1 FROM emails WHERE emails.html_key = chunks.content_key)
  AND NOT EXISTS (SELECT 1 FROM quarantine WHERE instr(quarantine.content, chunks.content_key) > 0)`;

/** The reason for setting a row aside whose content cannot be read completely. */
const INCOMPLETE = 'a part of its content is missing';

/** Larger than any message. A content in an imported database may exceed what a string or a buffer can hold. */
const CONTENT_BYTES_MAX = 256 * 1024 * 1024;

const EMPTY = Buffer.alloc(0);

/** Large contents in chunks. */
export class ContentTable implements Record<keyof Transaction['contents'], unknown> {
  readonly #append;
  readonly #delete;
  readonly #length;
  readonly #chunk;
  /** Keys of contents that no row refers to yet. */
  readonly #unfinished = new Set<string>();

  constructor(
    private readonly db: Database.Database,
    private readonly rows: RowReader,
    private readonly changes: CurrentChanges,
  ) {
    this.#append = db.prepare('INSERT INTO chunks (content_key, position, bytes) VALUES (?, ?, ?)');
    this.#delete = db.prepare(`DELETE FROM chunks WHERE content_key = ? AND ${IS_UNREFERENCED}`);
    // SQLite does not read a blob to find its length.
    this.#length = db.prepare('SELECT sum(length(bytes)) FROM chunks WHERE content_key = ?').pluck();
    this.#chunk = db.prepare('SELECT bytes FROM chunks WHERE content_key = ? AND position = ?').pluck();
  }

  async append(key: string, position: number, bytes: Uint8Array): Promise<void> {
    this.#unfinished.add(key);
    this.#append.run(key, position, bytes);
  }

  async delete(key: string): Promise<void> {
    this.#delete.run(key);
    this.changes().contents.push(key);
  }

  /**
   * Returns the columns that refer to a content, or hold it if it is small.
   * @throws StoreUnavailableError when its chunks were deleted meanwhile, as a reset does.
   */
  columnsOf(content: Content): { bytes: Uint8Array; key: string | null; size: number } {
    if (!isStored(content)) return { bytes: content, key: null, size: content.byteLength };
    const { key, size } = content;
    if (this.#length.get(key) !== size) throw new StoreUnavailableError('The state was replaced meanwhile.');
    this.changes().contents.push(key);
    return { bytes: EMPTY, key, size };
  }

  /** Returns the columns that refer to a text, or hold it if it is not stored. @throws StoreUnavailableError likewise. */
  textColumnsOf(text: string | StoredContent): { text: string; key: string | null; size: number | null } {
    if (typeof text === 'string') return { text, key: null, size: null };
    const { key, size } = this.columnsOf(text);
    return { text: '', key, size };
  }

  /**
   * Reads the contents that a row refers to; null for each that the row itself holds. Sets the row aside and returns undefined
   * when a part of one is missing. `refers` finds the row by the values of its primary key and the contents' keys.
   */
  async readOf(
    table: string,
    primaryKey: Row,
    stored: readonly (StoredContent | null)[],
    refers: Database.Statement,
  ): Promise<(Buffer | null)[] | undefined> {
    const contents: (Buffer | null)[] = [];
    for (const each of stored) {
      const content = each && (await this.#read(each));
      if (content === undefined) {
        // A reset may have deleted the row as well.
        const keys = stored.map((other) => other?.key ?? null);
        if (this.db.open && refers.get(...Object.values(primaryKey), ...keys))
          this.rows.setAside(table, primaryKey, INCOMPLETE);
        return undefined;
      }
      contents.push(content);
    }
    return contents;
  }

  /** Reads a whole content and lets other work run between its chunks. Returns undefined when a part is missing. */
  async #read({ key, size }: StoredContent): Promise<Buffer | undefined> {
    if (size > CONTENT_BYTES_MAX || this.#length.get(key) !== size) return undefined;
    const whole = Buffer.allocUnsafeSlow(size);
    let filled = 0;
    for (let position = 0; filled < size; position += 1) {
      const chunk = this.#chunk.get(key, position) as Buffer | undefined;
      if (!chunk?.length || chunk.length > size - filled) return undefined;
      filled += chunk.copy(whole, filled);
      // A transaction must end in the turn of the event loop in which it began.
      if (!this.db.inTransaction) await nextTurn();
      if (!this.db.open) return undefined;
    }
    return whole;
  }

  /** Records that rows refer to these contents, or that they were deleted, since a commit. */
  finish(keys: readonly string[]): void {
    for (const key of keys) this.#unfinished.delete(key);
  }

  /** Deletes the chunks that this process wrote and no row refers to: their messages were not acknowledged. */
  deleteUnfinished(): void {
    for (const key of this.#unfinished) this.#delete.run(key);
    this.#unfinished.clear();
  }
}

/** Deletes every chunk that no row refers to. No process may be storing a content. */
export function deleteUnreferencedChunks(db: Database.Database): void {
  db.exec(`DELETE FROM main.chunks WHERE ${IS_UNREFERENCED}`);
}

/** Reads where a content of a row is stored; null when the row itself holds it. */
export function readStored(row: Columns, keyColumn = 'content_key', sizeColumn = 'size'): StoredContent | null {
  const key = row.textOrNull(keyColumn);
  return key === null ? null : { key, size: row.integer(sizeColumn, 0) };
}

/** Checks a row of `chunks`. */
export function readChunk(row: Columns): void {
  row.text('content_key');
  row.integer('position', 0);
  row.bytes('bytes');
}
