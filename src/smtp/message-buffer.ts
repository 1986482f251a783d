import { SMTP_RECEIVED_BYTES } from '../contract/vocabulary/limits.js';

/** Bytes of every message that the shared budget does not count: one of this size is accepted however full the budget is. */
export const UNBUDGETED_BYTES = 256 * 1024;
const BLOCK_BYTES_MIN = 4 * 1024;
const BLOCK_BYTES_MAX = 64 * 1024;
const COPIED_PER_TURN = 4 * 1024 * 1024;
const EMPTY = Buffer.alloc(0);

/**
 * Holds a message while it arrives, in blocks of its own. A client chooses the size of segments, and a Buffer for each
 * could use hundreds of bytes for one.
 */
export class MessageBuffer {
  readonly #blocks: Buffer[] = [];
  #block = Buffer.alloc(0);
  #used = 0;
  #bytes = 0;
  #budgeted = 0;
  #head = EMPTY;

  constructor(private readonly budget: MemoryBudget) {}

  /** The beginning of a message that was dropped before `content`, at most SMTP_RECEIVED_BYTES; else empty. */
  get head(): Buffer {
    return this.#head;
  }

  /** Appends a copy of a chunk and returns true, or returns false when the budget has no room for it. */
  append(chunk: Buffer): boolean {
    const total = this.#bytes + chunk.length;
    const wanted = Math.max(0, total - UNBUDGETED_BYTES) - this.#budgeted;
    if (wanted > 0) {
      if (!this.budget.take(wanted)) return false;
      this.#budgeted += wanted;
    }
    for (let from = 0; from < chunk.length; ) {
      if (this.#used === this.#block.length) this.#grow(chunk.length - from);
      const copied = chunk.copy(this.#block, this.#used, from);
      this.#used += copied;
      from += copied;
    }
    this.#bytes = total;
    return true;
  }

  /**
   * Returns the whole message and drops it. Its part of the budget stays taken until `release`, because the caller
   * holds the message. Copying a large one in one piece would delay other clients.
   */
  async content(): Promise<Buffer> {
    const blocks = [...this.#blocks.splice(0), this.#block.subarray(0, this.#used)];
    const bytes = this.#bytes;
    this.#clear();
    if (bytes <= COPIED_PER_TURN) return blocks.length === 1 ? (blocks[0] as Buffer) : Buffer.concat(blocks);
    const whole = Buffer.allocUnsafeSlow(bytes);
    let filled = 0;
    // Blocks that are copied can be freed at once: the system provides the memory of the whole as it fills.
    for (let block = blocks.shift(); block; block = blocks.shift()) {
      const turn = Math.floor(filled / COPIED_PER_TURN);
      filled += block.copy(whole, filled);
      if (Math.floor(filled / COPIED_PER_TURN) > turn) await new Promise((resolve) => setImmediate(resolve));
    }
    return whole;
  }

  /** Drops the message and returns its part of the budget. */
  release(): void {
    if (this.#bytes > 0) this.#keepHead();
    this.budget.release(this.#budgeted);
    this.#budgeted = 0;
    this.#clear();
  }

  #keepHead(): void {
    const blocks: Buffer[] = [];
    let kept = 0;
    for (const block of [...this.#blocks, this.#block.subarray(0, this.#used)]) {
      if (kept >= SMTP_RECEIVED_BYTES) break;
      blocks.push(block);
      kept += block.length;
    }
    this.#head = Buffer.concat(blocks).subarray(0, SMTP_RECEIVED_BYTES);
  }

  #clear(): void {
    this.#blocks.length = 0;
    this.#block = Buffer.alloc(0);
    this.#used = 0;
    this.#bytes = 0;
  }

  /** Adds a block as large as all before it together, within bounds: at most half of the memory is unused. */
  #grow(needed: number): void {
    if (this.#used > 0) this.#blocks.push(this.#block);
    const wanted = Math.max(needed, this.#bytes, BLOCK_BYTES_MIN);
    this.#block = Buffer.allocUnsafeSlow(Math.min(wanted, BLOCK_BYTES_MAX));
    this.#used = 0;
  }
}

/** Counts the bytes of messages that are being received, over all connections, against a limit. */
export class MemoryBudget {
  #used = 0;

  constructor(private readonly limit: number) {}

  /** Takes bytes and returns true, or returns false when the limit would be exceeded. */
  take(bytes: number): boolean {
    if (this.#used + bytes > this.limit) return false;
    this.#used += bytes;
    return true;
  }

  /** Returns bytes that were taken. */
  release(bytes: number): void {
    this.#used -= bytes;
  }
}
