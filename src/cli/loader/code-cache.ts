import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { makeCacheDirectory } from './make-cache-directory.js';

/**
 * What V8 compiled modules to, kept from one run to the next. It only saves time: what is missing, damaged, of other sources or
 * of another V8 is compiled as ever, and what cannot be written is not kept.
 */
export class CodeCache {
  readonly #directory: string | undefined;
  readonly #fresh: { file: string; sourceSum: number; script: Script }[] = [];

  /** Without a directory, nothing is kept. */
  constructor(directory: string | undefined) {
    this.#directory = directory;
  }

  /** Compiles what stands in a file, with `source` made of its `bytes`. @throws SyntaxError when it is none. */
  compile(filename: string, name: string, { source, bytes }: { source: string; bytes: Uint8Array }): Script {
    if (this.#directory === undefined) return new Script(source, { filename });
    const file = join(this.#directory, name);
    const sourceSum = crc32(bytes);
    const cachedData = read(file, sourceSum);
    const script = new Script(source, { filename, ...(cachedData && { cachedData }) });
    if (!cachedData || script.cachedDataRejected) this.#fresh.push({ file, sourceSum, script });
    return script;
  }

  /** Keeps what was compiled by this process: at its end, when what it called has been compiled too. */
  keep(): void {
    if (this.#directory === undefined || this.#fresh.length === 0) return;
    try {
      makeCacheDirectory(this.#directory);
      for (const { file, sourceSum, script } of this.#fresh) write(file, sourceSum, script.createCachedData());
    } catch {
      // A disk that is full or read-only: the next run takes as long as this one.
    }
  }
}

/**
 * V8 knows code of another version or for other flags, but holds the source against its length alone and would run damaged code.
 * So a sum over both stands behind the code.
 */
const SUM_BYTES = 4;

function read(file: string, sourceSum: number): Buffer | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    return undefined;
  }
  const length = bytes.length - SUM_BYTES;
  if (length <= 0) return undefined;
  const code = bytes.subarray(0, length);
  return crc32(code, sourceSum) === bytes.readUInt32LE(length) ? code : undefined;
}

/** Written beside and moved into place: another process may read it now. */
function write(file: string, sourceSum: number, code: Buffer): void {
  const sum = Buffer.alloc(SUM_BYTES);
  sum.writeUInt32LE(crc32(code, sourceSum));
  const draft = `${file}.${process.pid}`;
  try {
    const descriptor = openSync(draft, 'wx', 0o600);
    try {
      writeSync(descriptor, code);
      writeSync(descriptor, sum);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
