import { closeSync, openSync, writeSync } from 'node:fs';
import { OWNER_ONLY } from '../../../../file-modes.js';

/** Bytes to collect before a write. */
const CHUNK = 256 * 1024;

/** Writes lines to a new file, some at a time. */
export class LineFile {
  readonly #handle: number;
  #lines: string[] = [];
  #length = 0;
  /** Number of lines so far. */
  count = 0;

  constructor(path: string) {
    this.#handle = openSync(path, 'wx', OWNER_ONLY);
  }

  add(value: unknown): void {
    const line = `${JSON.stringify(value)}\n`;
    this.#lines.push(line);
    this.#length += line.length;
    this.count += 1;
    if (this.#length >= CHUNK) this.#flush();
  }

  #flush(): void {
    let bytes = Buffer.from(this.#lines.join(''));
    this.#lines = [];
    this.#length = 0;
    // A disk that is almost full takes a part of the bytes.
    while (bytes.byteLength > 0) bytes = bytes.subarray(writeSync(this.#handle, bytes));
  }

  /** Writes the rest. */
  end(): void {
    this.#flush();
  }

  close(): void {
    closeSync(this.#handle);
  }
}
