import { UnusableStateError } from '../core/store.js';

/** Reads a stream by numbers of bytes instead of by the pieces that it happens to come in. */
export class ByteReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#pieces = bytes[Symbol.asyncIterator]();
  }

  /** @throws UnusableStateError when there are fewer. */
  async exactly(count: number): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.upTo(count)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /**
   * The next `count` bytes, as they come; what is left of them is read by asking again.
   * @throws UnusableStateError when there are fewer.
   */
  upTo(count: number): AsyncIterable<Uint8Array> & AsyncIterator<Uint8Array> {
    let left = count;
    const next = async (): Promise<IteratorResult<Uint8Array>> => {
      if (left === 0) return { done: true, value: undefined };
      if (this.#rest.length === 0) this.#rest = await this.#piece();
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      return { done: false, value: piece };
    };
    return { next, [Symbol.asyncIterator]: () => ({ next }) as AsyncIterator<Uint8Array> & AsyncIterable<Uint8Array> };
  }

  /** Reads on to the end, which may turn out to be damaged. */
  async toEnd(): Promise<void> {
    while (!(await this.#pieces.next()).done);
  }

  async #piece(): Promise<Buffer> {
    for (;;) {
      const { done, value } = await this.#pieces.next();
      if (done) throw new UnusableStateError('The archive is cut off.');
      if (value.length > 0) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
  }
}
