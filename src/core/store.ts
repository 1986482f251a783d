import type { StoredEvent } from './model.js';
import type { Reads, Transaction } from './transaction.js';

/** What the core needs of a store. */

/** What a commit is about to bring, for those who join it. */
export interface Committing {
  events: boolean;
  jobs: boolean;
}

/** What a commit brought, for those who wait on it. */
export interface Committed extends Committing {
  /** The events that were appended, in their order; none of those that an archive brought. */
  appended: readonly StoredEvent[];
  /**
   * Set when everything was replaced, or emptied: what is there up to these numbers is no news, to whatever number one had
   * read.
   */
  replaced?: { lastEvent: number; lastRequest: number };
}

/** A write could not be brought to the disk, which may be full. Nothing of it holds; it may be asked for again. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';

  constructor(
    message: string,
    options?: ErrorOptions,
    /** What to do when no room can be made for it. */
    readonly lastResort: string | undefined = undefined,
  ) {
    super(message, options);
  }
}

/** Milliseconds that a claimed job is leased for. Longer than any job takes: a webhook attempt waits 30 s for its response. */
export const LEASE_MS = 60_000;

/** How long to leave a store alone that could not write. */
export const STORE_RETRY_MS = 1_000;

/** What was given is not what a store of this kind wrote, or not what this version of it can read. */
export class UnusableStateError extends Error {
  override readonly name = 'UnusableStateError';
}

/** What was given is larger than the limit that its reader set. */
export class StateTooLargeError extends UnusableStateError {
  constructor(
    readonly bytes: number,
    readonly maxBytes: number,
  ) {
    super(`The archive unpacks to ${bytes} bytes; the limit is ${maxBytes} bytes.`);
  }
}

/** The database file is damaged, and what was asked for cannot be read. */
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
  /** Its primary key, parts joined by a slash. */
  key: string;
  reason: string;
}

/** A copy of everything that a store holds. Whoever asked for it discards it. */
export interface Snapshot {
  schemaVersion: number;
  /** In bytes. */
  size: number;
  read(): AsyncIterable<Uint8Array>;
  discard(): Promise<void>;
}

/** Everything that another store held, checked and brought up to date. Whoever asked for it discards it. */
export interface StagedState {
  /** How many rows could not be used and were moved to the table `quarantine`. */
  readonly setAside: number;
  discard(): Promise<void>;
}

export interface Store {
  readonly read: Reads;
  /**
   * Runs `work` in a transaction and resolves when it is on disk. Writes asked for in one turn of the event loop, or in
   * turns close together, share a commit; each is undone alone if its own work throws. `work` may await the transaction's
   * methods and nothing else.
   * @throws StoreUnavailableError when it could not be brought to the disk.
   */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Calls back before each commit that adds events or jobs. What the listener asks to be written there and then belongs to
   * the same commit, and sees what it follows from. Returns the function that stops it.
   */
  beforeCommit(listener: (committing: Committing) => void): () => void;
  /** Calls back after each commit that added events or jobs. Returns the function that stops it. */
  onCommit(listener: (committed: Committed) => void): () => void;
  /**
   * A copy of everything as it is at one moment, made while reads and writes go on.
   * @throws StoreUnavailableError when there is no room for it.
   */
  snapshot(): Promise<Snapshot>;
  /**
   * Takes in what a snapshot read, and makes it ready to replace everything. Nothing else is changed.
   * @throws UnusableStateError when it is not a store's, or a newer one's; StoreUnavailableError when there is no room for it.
   */
  stage(bytes: AsyncIterable<Uint8Array>): Promise<StagedState>;
  /** Waits for the writes under way, then closes. */
  close(): Promise<void>;
}
