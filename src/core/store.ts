import type { StoredEvent } from './model.js';
import type { Reads, Transaction } from './transaction.js';

/** The Store port. */

/** What a commit adds, for listeners before it. */
export interface Committing {
  events: boolean;
  jobs: boolean;
}

/** What a commit added, for listeners after it. */
export interface Committed extends Committing {
  /** The appended events, in order, without those of an imported archive. */
  appended: readonly StoredEvent[];
  /** The last row of each log, set when everything was replaced or emptied. Rows up to these are not new to any reader. */
  replaced?: { lastEvent: number; lastRequest: number };
}

/** A write could not be stored, because the disk is full for example. It had no effect and can be repeated. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';

  constructor(
    message: string,
    options?: ErrorOptions,
    /** What to do when no space can be freed. */
    readonly lastResort: string | undefined = undefined,
  ) {
    super(message, options);
  }
}

/** Length of a job's lease in milliseconds. Longer than any job: a webhook attempt waits 30 s for its response. */
export const LEASE_MS = 60_000;

/** Milliseconds to wait before writing again to a store that could not write. */
export const STORE_RETRY_MS = 1_000;

/** An imported state was not written by a store of this kind, or cannot be read by this version. */
export class UnusableStateError extends Error {
  override readonly name = 'UnusableStateError';
}

/** An imported state is larger than the limit. */
export class StateTooLargeError extends UnusableStateError {
  constructor(
    readonly bytes: number,
    readonly maxBytes: number,
  ) {
    super(`The archive unpacks to ${bytes} bytes; the limit is ${maxBytes} bytes.`);
  }
}

/** The database file is damaged, and the requested rows cannot be read. */
export class StoreDamagedError extends Error {
  override readonly name = 'StoreDamagedError';

  constructor(
    message: string,
    /** What to do about it. */
    readonly advice: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A row that could not be used and was moved to the table `quarantine`. */
export interface SetAside {
  table: string;
  /** The row's primary key, parts joined by a slash. */
  key: string;
  reason: string;
}

/** A copy of everything in a store. The caller discards it. */
export interface Snapshot {
  schemaVersion: number;
  /** In bytes. */
  size: number;
  read(): AsyncIterable<Uint8Array>;
  discard(): Promise<void>;
}

/** An imported state, checked and migrated. The caller discards it. */
export interface StagedState {
  /** Number of rows that could not be used and were moved to the table `quarantine`. */
  readonly setAside: number;
  discard(): Promise<void>;
}

export interface Store {
  readonly read: Reads;
  /**
   * Runs `work` in a transaction and resolves when it is on disk. Writes that arrive within a few turns of the event loop share
   * a commit; one whose work throws is undone alone. `work` may await the transaction's methods and nothing else.
   * @throws StoreUnavailableError when it could not be stored.
   */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Calls back before each commit that adds events or jobs. Writes that the listener starts synchronously belong to the same
   * commit, and see what it adds. Returns the function that removes the listener.
   */
  beforeCommit(listener: (committing: Committing) => void): () => void;
  /** Calls back after each commit that added events or jobs. Returns the function that removes the listener. */
  onCommit(listener: (committed: Committed) => void): () => void;
  /**
   * Copies everything as of one moment, while reads and writes go on.
   * @throws StoreUnavailableError when the disk has no space for it.
   */
  snapshot(): Promise<Snapshot>;
  /**
   * Prepares a snapshot to replace everything. Changes nothing yet.
   * @throws UnusableStateError when it is not a snapshot, or is a newer version's.
   * @throws StoreUnavailableError when the disk has no space for it.
   */
  stage(bytes: AsyncIterable<Uint8Array>): Promise<StagedState>;
  /** Waits for the pending writes, then closes. */
  close(): Promise<void>;
}
