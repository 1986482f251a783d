import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import Database from 'better-sqlite3';
import { type StagedState, UnusableStateError } from '../../core/store.js';
import { migrate, refuseForeign, UnusableDatabaseError } from './migrations.js';
import type { Location } from './open.js';
import { makeTransferDir, removeTransferDir } from './transfer-dir.js';

/** A database that came from outside, attached to the store's own connection under a name. */
export class StagedFile implements StagedState {
  constructor(
    readonly schema: string,
    private readonly remove: () => Promise<void>,
  ) {}

  discard(): Promise<void> {
    return this.remove();
  }
}

/**
 * Writes a database to a file of its own, brings it up to date, and checks that it is one that svc wrote.
 * @throws UnusableStateError when it is not.
 */
export async function writeStagedFile(
  bytes: AsyncIterable<Uint8Array>,
  location: Location,
  schemaNow: string,
): Promise<{ file: string; remove(): void }> {
  const directory = makeTransferDir(location);
  const remove = () => removeTransferDir(directory);
  const file = join(directory, 'mail.db');
  try {
    await pipeline(Readable.from(bytes, { objectMode: true }), createWriteStream(file, { mode: 0o600 }));
    prepare(file, schemaNow);
    return { file, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function prepare(file: string, schemaNow: string): void {
  const db = new Database(file);
  try {
    refuseForeign(db, { name: 'The database in the archive' });
    migrate(db);
    if (schemaOf(db) !== schemaNow) throw new UnusableStateError('The database in the archive was changed by hand.');
    const [broken] = db.pragma('foreign_key_check') as { table: string }[];
    if (broken) {
      throw new UnusableStateError(
        `The database in the archive is damaged: ${broken.table} contains dangling references.`,
      );
    }
  } catch (error) {
    if (error instanceof UnusableDatabaseError) throw new UnusableStateError(error.message);
    if (isDamage(error)) {
      throw new UnusableStateError(`The database in the archive is damaged: ${(error as Error).message}.`);
    }
    throw error;
  } finally {
    db.close();
  }
}

/** Everything that makes a schema, as text: two databases with the same one have the same tables and columns. */
export function schemaOf(db: Database.Database): string {
  const rows = db
    .prepare(
      "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name",
    )
    .raw()
    .all();
  return JSON.stringify(rows);
}

/** Result codes of a file whose contents make no sense. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB|CONSTRAINT|MISMATCH)/.test((error as { code?: string } | null)?.code ?? '');
}
