import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { makeCacheDirectory } from './make-cache-directory.js';

/**
 * What V8 compiled modules to, kept from one run to the next. It only saves time: what is missing, damaged, of other sources or
 * of another V8 is compiled as ever, and what cannot be written is not kept.
 *
 * V8 compiles a function when it is first called, so code holds what the runs before it called. A command's first run adds to it.
 */
export class CodeCache {
  readonly #directory: string | undefined;
  readonly #command: number;
  readonly #lacking: Lacking[] = [];

  /** Of a process that runs `command`. Without a directory, nothing is kept. */
  constructor(directory: string | undefined, command: string) {
    this.#directory = directory;
    this.#command = crc32(command);
  }

  /** Compiles what stands in a file, with `source` made of its `bytes`. @throws SyntaxError when it is none. */
  compile(filename: string, name: string, { source, bytes }: { source: string; bytes: Uint8Array }): Script {
    if (this.#directory === undefined) return new Script(source, { filename });
    const file = join(this.#directory, name);
    const sourceSum = crc32(bytes);
    const known = read(file, sourceSum);
    const script = new Script(source, { filename, ...(known && { cachedData: known.code }) });
    const kept = script.cachedDataRejected ? undefined : known;
    if (!kept || !hasRun(this.#command, kept)) this.#lacking.push({ file, sourceSum, script, kept });
    return script;
  }

  /** Keeps what was compiled by this process: at its end, when what it called has been compiled too. */
  keep(): void {
    if (this.#directory === undefined || this.#lacking.length === 0) return;
    try {
      makeCacheDirectory(this.#directory);
      for (const { file, sourceSum, script, kept } of this.#lacking) {
        const commands = [...(kept?.commands ?? []), this.#command];
        write(file, sourceSum, { code: fuller(script.createCachedData(), kept?.code), commands });
      }
    } catch {
      // A disk that is full or read-only: the next run takes as long as this one.
    }
  }
}

/** A module of which nothing is kept, or nothing of this command's runs. */
interface Lacking {
  file: string;
  sourceSum: number;
  script: Script;
  kept: Kept | undefined;
}

/** Compiled code, and the sums of the names of the commands that it was compiled for. */
interface Kept {
  code: Buffer;
  commands: number[];
}

/** Commands that are remembered for a module: more than svc has. What else is typed for one must not make files grow for ever. */
const COMMANDS_KEPT = 250;

function hasRun(command: number, { commands }: Kept): boolean {
  return commands.includes(command) || commands.length >= COMMANDS_KEPT;
}

/** A process that ran for long has thrown code away that it did not call again. */
function fuller(code: Buffer, kept: Buffer | undefined): Buffer {
  return kept && kept.length > code.length ? kept : code;
}

/**
 * A file: the code, four bytes for each command, their number in one byte, and a sum over all of it and the source in four. V8 knows code of
 * another version or for other flags, but holds the source against its length alone and would run damaged code.
 */
const SUM_BYTES = 4;
const COMMAND_BYTES = 4;

function read(file: string, sourceSum: number): Kept | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    return undefined;
  }
  const summed = bytes.length - SUM_BYTES;
  if (summed <= 0 || crc32(bytes.subarray(0, summed), sourceSum) !== bytes.readUInt32LE(summed)) return undefined;
  const codeBytes = summed - 1 - COMMAND_BYTES * bytes.readUInt8(summed - 1);
  const commands: number[] = [];
  for (let at = codeBytes; at < summed - 1; at += COMMAND_BYTES) commands.push(bytes.readUInt32LE(at));
  return { code: bytes.subarray(0, codeBytes), commands };
}

/** Written beside and moved into place: another process may read it now. */
function write(file: string, sourceSum: number, { code, commands }: Kept): void {
  const rest = Buffer.alloc(COMMAND_BYTES * commands.length + 1 + SUM_BYTES);
  for (const [index, command] of commands.entries()) rest.writeUInt32LE(command, COMMAND_BYTES * index);
  const summed = rest.length - SUM_BYTES;
  rest.writeUInt8(commands.length, summed - 1);
  rest.writeUInt32LE(crc32(rest.subarray(0, summed), crc32(code, sourceSum)), summed);
  const draft = `${file}.${process.pid}`;
  try {
    const descriptor = openSync(draft, 'wx', 0o600);
    try {
      writeSync(descriptor, code);
      writeSync(descriptor, rest);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
