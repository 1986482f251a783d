import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TemplateSource } from '../../contract/service/render-template.js';
import { isLoopback } from '../../contract/vocabulary/parsers/loopback.js';
import { dataDirId, memorySyncFile } from '../data-dir/data-dir.js';
import { dataDirPath } from '../data-dir/find.js';
import { readRunningServer } from '../data-dir/server-file.js';
import { CommandError } from '../errors/exit-codes.js';
import { describeFileError } from '../errors/fs-errors.js';
import type { DataDirFlags } from '../flags/data-dir.js';
import { writeFileAtomically } from '../process/atomic-write.js';
import { makeDirectory } from '../process/make-directory.js';
import type { Target } from '../target/target.js';

/**
 * Records the last common version of both sides, next to the templates, so that the next sync can detect who changed
 * what.
 */

const SYNC_FILE = '.svc-sync.json';

/** By template name, the digest of the common version. */
export type Synced = Record<string, string>;

/** By server. */
type SyncRecord = Record<string, Synced>;

interface SyncServer {
  /** The server's name in a record; undefined when nothing can be recorded for it. */
  id: string | undefined;
  /** Whether it runs on this machine, where servers are emptied and started from scratch. */
  local: boolean;
}

export interface SyncContext {
  /** The directory of the templates. */
  directory: string;
  server: SyncServer;
  /** The file that contains the record. */
  record: string;
}

export interface SyncedContent extends TemplateSource {
  name: string;
}

/**
 * Opens the record. A local server is its data directory, on any port, running or not; any other is its address. A
 * server in memory is only itself, whatever its data directory contains: its record is deleted with it, and never kept
 * among the templates.
 */
export function openSyncContext(
  directory: string,
  { kind, baseUrl }: Pick<Target, 'kind' | 'baseUrl'>,
  flags: DataDirFlags,
): SyncContext {
  const record = join(directory, SYNC_FILE);
  if (kind === 'remote') {
    return { directory, record, server: { id: baseUrl, local: isLoopback(new URL(baseUrl).hostname) } };
  }
  // Choosing the target has checked its owner.
  const found = dataDirPath(flags, process.env, process.cwd());
  const running = kind === 'local' ? readRunningServer(found)?.server : undefined;
  if (running?.data_dir === null) {
    return {
      directory,
      record: memorySyncFile(found),
      server: { id: `${running.instance} ${directory}`, local: true },
    };
  }
  const id = dataDirId(found);
  return { directory, record, server: { id: id && `local:${id}`, local: true } };
}

export function digestOf({ subject, html, text }: TemplateSource): string {
  return createHash('sha256')
    .update(JSON.stringify([subject, html, text]))
    .digest('hex');
}

/**
 * Returns the record; empty when nothing was synced with the server. @throws CommandError when the record cannot be
 * read.
 */
export function readSynced({ record, server: { id } }: SyncContext): Synced {
  const all = readRecord(record);
  return id !== undefined && Object.hasOwn(all, id) ? (all[id] ?? {}) : {};
}

/** Records that both sides have this content. */
export function recordSynced(context: SyncContext, content: SyncedContent): void {
  updateRecord(context, content.name, digestOf(content));
}

/** Records that neither side has the template now, or that the server's template is unrelated to the earlier one. */
export function recordRemoved(context: SyncContext, name: string): void {
  updateRecord(context, name, undefined);
}

/** Writes at once, so that an interrupted sync leaves a true record. */
function updateRecord(context: SyncContext, name: string, digest: string | undefined): void {
  const { record, server } = context;
  if (server.id === undefined) return;
  const synced = readSynced(context);
  if ((Object.hasOwn(synced, name) ? synced[name] : undefined) === digest) return;
  // JSON omits undefined values.
  writeRecord(record, { ...readRecord(record), [server.id]: { ...synced, [name]: digest } });
}

/** Writes the record. @throws CommandError when it cannot be written; then it is unchanged. */
function writeRecord(file: string, record: Record<string, Record<string, string | undefined>>): void {
  try {
    makeDirectory(dirname(file));
    writeFileAtomically(file, `${JSON.stringify(record, null, 2)}\n`);
  } catch (error) {
    throw new CommandError(
      `Cannot write ${file}: ${describeFileError(error)}.`,
      'Make the file writable for this user.',
    );
  }
}

/**
 * Reads the record. An unreadable one is not treated as missing: it would be overwritten, and the common versions
 * lost.
 */
function readRecord(file: string): SyncRecord {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    const hint = code === 'EACCES' ? 'Make the file readable for this user.' : undefined;
    throw new CommandError(`Cannot read ${file}: ${describeFileError(error)}.`, hint);
  }
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch (error) {
    throw new CommandError(`Cannot read ${file}: ${(error as Error).message}.`, FIX);
  }
  if (isObject(record) && Object.values(record).every(isSynced)) return record as SyncRecord;
  throw new CommandError(`${file} does not contain valid sync records.`, FIX);
}

const FIX =
  'Fix the file (resolve any merge conflict) or delete it; templates that differ then conflict until you use --force.';

function isSynced(value: unknown): value is Synced {
  return isObject(value) && Object.values(value).every((digest) => typeof digest === 'string');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
