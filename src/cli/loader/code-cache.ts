import { closeSync, openSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { OWNER_ONLY, PRIVATE } from '../../file-modes.js';
import { makeDirectory } from '../process/files.js';

/** Number of directories to keep, newest first. Older ones belong to earlier builds and versions of Node. */
const KEPT = 8;

/** Creates the directory and removes the oldest of those next to it. */
function makeCacheDirectory(directory: string): void {
  makeDirectory(directory, PRIVATE);
  const parent = dirname(directory);
  const byAge = readdirSync(parent)
    .map((name) => ({ path: join(parent, name), changed: statSync(join(parent, name)).mtimeMs }))
    .sort((a, b) => b.changed - a.changed);
  for (const { path } of byAge.slice(KEPT)) if (path !== directory) rmSync(path, { recursive: true, force: true });
}

/**
 * Caches V8's compiled code of modules between runs, to save time. Code that is missing, damaged, or from other sources
 * or another V8 is compiled again. A failed write is ignored.
 *
 * V8 compiles a function when it is first called, so the cache contains the functions that earlier runs called. The
 * first run of each command adds its own.
 */
export class CodeCache {
  readonly #directory: string | undefined;
  readonly #command: number;
  readonly #uncached: UncachedModule[] = [];

  /** `command` is the command that this process runs. Without a directory, nothing is cached. */
  constructor(directory: string | undefined, command: string) {
    this.#directory = directory;
    this.#command = crc32(command);
  }

  /** Compiles the `source` of a file. `bytes` are the file's content. @throws SyntaxError when it is not JavaScript. */
  compile(filename: string, name: string, { source, bytes }: { source: string; bytes: Uint8Array }): Script {
    if (this.#directory === undefined) return new Script(source, { filename });
    const file = join(this.#directory, name);
    const sourceSum = crc32(bytes);
    const known = read(file, sourceSum);
    const script = new Script(source, { filename, ...(known && { cachedData: known.code }) });
    const kept = script.cachedDataRejected ? undefined : known;
    if (!kept || !hasRun(this.#command, kept)) this.#uncached.push({ file, sourceSum, script, kept });
    return script;
  }

  /**
   * Writes the code that this process compiled. Call it when the process exits, when all called functions are compiled.
   */
  keep(): void {
    if (this.#directory === undefined || this.#uncached.length === 0) return;
    try {
      makeCacheDirectory(this.#directory);
      for (const { file, sourceSum, script, kept } of this.#uncached) {
        const commands = [...(kept?.commands ?? []), this.#command];
        write(file, sourceSum, { code: fuller(script.createCachedData(), kept?.code), commands });
      }
    } catch {
      // The disk is full or read-only: the next run compiles the code again.
    }
  }
}

/** A module whose code for this command is not in the cache. */
interface UncachedModule {
  file: string;
  sourceSum: number;
  script: Script;
  kept: Kept | undefined;
}

/** Compiled code, and the checksums of the names of the commands that it was compiled for. */
interface Kept {
  code: Buffer;
  commands: number[];
}

/**
 * Maximum number of commands in a file, more than svc has. Without it, mistyped commands would make the files grow
 * without limit.
 */
const COMMANDS_KEPT = 250;

function hasRun(command: number, { commands }: Kept): boolean {
  return commands.includes(command) || commands.length >= COMMANDS_KEPT;
}

/** Returns the longer code, because V8 discards functions that a long-running process no longer calls. */
function fuller(code: Buffer, kept: Buffer | undefined): Buffer {
  return kept && kept.length > code.length ? kept : code;
}

/**
 * Sizes in a cache file. It contains the code, four bytes for each command, their number in one byte, and in four bytes
 * a checksum of all of this and the source. V8 rejects code of another version or for other flags, but it would run
 * damaged code, and compares only the length of the source.
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

/** Writes to a temporary file and renames it, because another process may be reading the file. */
function write(file: string, sourceSum: number, { code, commands }: Kept): void {
  const rest = Buffer.alloc(COMMAND_BYTES * commands.length + 1 + SUM_BYTES);
  for (const [index, command] of commands.entries()) rest.writeUInt32LE(command, COMMAND_BYTES * index);
  const summed = rest.length - SUM_BYTES;
  rest.writeUInt8(commands.length, summed - 1);
  rest.writeUInt32LE(crc32(rest.subarray(0, summed), crc32(code, sourceSum)), summed);
  const draft = `${file}.${process.pid}`;
  try {
    const descriptor = openSync(draft, 'wx', OWNER_ONLY);
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
