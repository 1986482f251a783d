import { createReadStream, existsSync, realpathSync, rmSync, type Stats, statSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Client } from '../../client/client.js';
import type { Imported } from '../../contract/control/state.js';
import { plural } from '../../contract/vocabulary/text.js';
import { OWNER_ONLY } from '../../file-modes.js';
import { svcCommand } from '../data-dir/svc-command.js';
import { CommandError, UsageError } from '../errors/exit-codes.js';
import { describeFileError } from '../errors/fs-errors.js';
import { draftName } from '../process/files.js';
import { writeStdout } from '../process/write-stdout.js';

/**
 * Reads and writes archives of the whole state. A file is written in full or not at all, and only its owner can read
 * it.
 */

/** Returns the path to write an archive to. @throws UsageError when an existing file must not be overwritten. */
export function archiveTarget(file: string, force: boolean): string {
  const there = look(file);
  if (!there) return resolve(file);
  if (there.isDirectory()) throw new UsageError(`${file} is a directory.`, 'Choose a file name in it.');
  if (!there.isFile()) throw new UsageError(`${file} is not a regular file.`, 'Pass - to write to stdout.');
  if (!force) throw new UsageError(`${file} already exists.`, 'Choose another file, or pass --force to overwrite it.');
  // Write to the target of a link, and keep the link.
  return realpathSync(file);
}

/**
 * Writes next to the file, and moves it into place once all of it is on disk. Returns the number of bytes.
 * @throws CommandError when it cannot be written; then no partial file is left.
 */
export async function writeArchive(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<number> {
  const draft = `${draftName(path)}.part`;
  const file = await open(draft, 'wx', OWNER_ONLY).catch((error: Error) => cannotWrite(path, error));
  let size = 0;
  try {
    for await (const chunk of bytes) {
      signal.throwIfAborted();
      await file.writeFile(chunk).catch((error: Error) => cannotWrite(path, error));
      size += chunk.length;
    }
    // A cancelled stream ends in the same way as a complete one.
    signal.throwIfAborted();
    await file.sync();
    await file.close();
    await rename(draft, path).catch((error: Error) => cannotWrite(path, error));
    return size;
  } catch (error) {
    await file.close().catch(() => {});
    rmSync(draft, { force: true });
    throw error;
  }
}

/**
 * Writes to stdout until its reader closes it. Returns the number of bytes; undefined when the reader did not read all
 * of them.
 */
export async function writeArchiveToStdout(
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<number | undefined> {
  let size = 0;
  for await (const chunk of bytes) {
    signal.throwIfAborted();
    await writeStdout(chunk);
    size += chunk.length;
  }
  const failed = await new Promise((done) => process.stdout.write('', done));
  return failed ? undefined : size;
}

export interface ArchiveSource {
  bytes: AsyncIterable<Uint8Array>;
  /** The size in bytes; undefined where it is not known in advance. */
  size: number | undefined;
}

/** Opens the archive in a file, or on stdin for `-`. @throws UsageError when the file does not exist. */
export function openArchive(file: string): ArchiveSource {
  if (file === '-') {
    if (process.stdin.isTTY)
      throw new UsageError('Cannot read an archive from a terminal.', 'Pass a file name, or redirect a file to stdin.');
    return { bytes: process.stdin, size: undefined };
  }
  if (!existsSync(file)) throw new UsageError(`${file} not found.`, 'Create an archive with "svc dev export FILE".');
  const there: Stats = statSync(file);
  if (there.isDirectory()) throw new UsageError(`${file} is a directory.`);
  const stream = createReadStream(file);
  return { bytes: readable(file, stream), size: there.isFile() ? there.size : undefined };
}

async function* readable(file: string, stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw new CommandError(`Cannot read ${file}: ${describeFileError(error)}.`);
  }
}

function look(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    return cannotWrite(file, error as Error);
  }
}

function cannotWrite(path: string, error: Error): never {
  throw new CommandError(
    `Cannot write ${path}: ${describeFileError(error)}.`,
    'No partial file was left. Choose another file.',
  );
}

/** Returns messages about what an import brings that a person may not expect. */
export function importNotices({ active_webhooks, api_keys, admin_keys }: Imported): string[] {
  const lines: string[] = [];
  if (active_webhooks.length > 0) {
    lines.push(`Active webhooks that receive events from now on: ${active_webhooks.join(', ')}`);
  }
  if (api_keys > 0) {
    const admins = admin_keys > 0 ? `, ${admin_keys} of them admin keys` : '';
    const are = api_keys === 1 ? 'is' : 'are';
    lines.push(
      `${plural(api_keys, 'API key')} of the archive ${are} valid on this server${admins}. ` +
        'List them with "svc api-keys list", and revoke those that must not be.',
    );
  }
  return lines;
}

/** Returns a message about damaged rows. It names the server's data directory, for `svc doctor` to find its database. */
export async function damageNotice(client: Client, rows: number): Promise<string> {
  const { data_dir } = await client.control('info', {});
  const notice = `${plural(rows, 'damaged row')} set aside.`;
  return data_dir === null ? notice : `${notice} List them with "${svcCommand('doctor', data_dir)}".`;
}
