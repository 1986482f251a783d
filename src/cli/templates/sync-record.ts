import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TemplateSource } from '../../contract/service/render-template.js';
import { isLoopback } from '../../contract/vocabulary/domains.js';
import { isJsonObject } from '../../contract/vocabulary/json.js';
import { dataDirId, memorySyncFile } from '../data-dir/data-dir.js';
import { dataDirPath } from '../data-dir/find.js';
import { readRunningServer } from '../data-dir/server-file.js';
import { CommandError } from '../errors/exit-codes.js';
import { describeFileError, refuseSpecialFile } from '../errors/fs-errors.js';
import type { DataDirFlags } from '../flags/data-dir.js';
import { makeDirectory, writeFileAtomically } from '../process/files.js';
import type { Target } from '../target/target.js';

/**
 * Stores the last common version of both sides next to the templates, so that the next sync can find out which side
 * changed.
 */

const SYNC_FILE = '.svc-sync.json';

/** The digest of the common version, by template name. */
export type Synced = Record<string, string>;

/** The records by server. */
type SyncRecord = Record<string, Synced>;

interface SyncServer {
  /** The server's name in a record; undefined when nothing can be recorded for it. */
  id: string | undefined;
  /** Whether the server runs on this machine. Local servers are often emptied and started from scratch. */
  local: boolean;
}

export interface SyncContext {
  /** The directory of the templates. */
  directory: string;
  server: SyncServer;
  /** The path of the file with the record. */
  record: string;
}

export interface SyncedContent extends TemplateSource {
  name: string;
}

/**
 * Opens the record for a server. A local server is identified by its data directory, whatever its port. Another server
 * is identified by its address. A server in memory is identified by its instance: its record is deleted with it, and
 * never stored next to the templates.
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
  // The owner was checked when the target was selected.
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

/** Records that both sides have this version. */
export function recordSynced(context: SyncContext, content: SyncedContent): void {
  updateRecord(context, content.name, digestOf(content));
}

/**
 * Records that neither side has the template now, or that the server's template is a different one of the same name.
 */
export function recordRemoved(context: SyncContext, name: string): void {
  updateRecord(context, name, undefined);
}

/** Updates the record at once, so that it is correct after an interrupted sync. */
function updateRecord(context: SyncContext, name: string, digest: string | undefined): void {
  const { record, server } = context;
  if (server.id === undefined) return;
  const synced = readSynced(context);
  if ((Object.hasOwn(synced, name) ? synced[name] : undefined) === digest) return;
  // JSON omits undefined values.
  writeRecord(record, { ...readRecord(record), [server.id]: { ...synced, [name]: digest } });
}

/** Writes the record. @throws CommandError when it cannot be written; it is then unchanged. */
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
 * Reads the record. An unreadable record is an error, because treating it as missing would overwrite the common
 * versions.
 */
function readRecord(file: string): SyncRecord {
  refuseSpecialFile(file);
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
  if (isJsonObject(record) && Object.values(record).every(isSynced)) return record as SyncRecord;
  throw new CommandError(`${file} does not contain valid sync records.`, FIX);
}

const FIX =
  'Fix the file (resolve any merge conflict) or delete it; templates that differ then conflict until you use --force.';

function isSynced(value: unknown): value is Synced {
  return isJsonObject(value) && Object.values(value).every((digest) => typeof digest === 'string');
}
