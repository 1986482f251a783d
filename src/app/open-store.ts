import type { Ids } from '../core/ports.js';
import type { Connections, SetAside, Store } from '../core/store.js';
import { openSqliteStore } from '../storage/sqlite/store.js';
import type { AppOptions } from './app.js';

/** A store, with a count from when it was opened. */
export interface OpenedStore extends Store {
  /** Number of rows in the table `quarantine` that no one had reviewed when the store was opened. */
  readonly unreviewedRows: number;
  /** Returns the number of writes that are not committed yet. */
  pendingWrites(): number;
  /** Returns the number of database connections by use and state; undefined for a store without connections. */
  connections?(): Connections;
  /** Reads from the store. No other work delays it. */
  ping(): Promise<void>;
}

/**
 * Opens the store of an app. PostgreSQL's adapter is loaded only for a server that uses it.
 * @throws UnusableDatabaseError if the database cannot be used.
 */
export async function openStore(
  { storage, onMigration, onNotice }: Pick<AppOptions, 'storage' | 'onMigration' | 'onNotice'>,
  ids: Ids,
  onInternalError: (error: unknown) => void,
): Promise<OpenedStore> {
  if (storage === 'memory' || 'file' in storage) {
    const onSetAside = ({ table, key, reason }: SetAside) =>
      onInternalError(`A damaged row of ${table} (${key}) was set aside: ${reason}. Run "svc doctor" for details.`);
    return openSqliteStore(storage, { onInternalError, onMigration, onSetAside });
  }
  const onSetAside = ({ table, key, reason }: SetAside) =>
    onInternalError(`A damaged row of ${table} (${key}) is left out: ${reason}.`);
  const { openPostgresStore } = await import('../storage/postgres/store.js');
  return openPostgresStore(storage.postgres, {
    process: `svc_${ids.secret(16)}`,
    onInternalError,
    onSetAside,
    ...(onNotice && { onNotice }),
  });
}
