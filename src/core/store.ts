import type { StoredEvent } from './model/events.js';
import type { Reads } from './reads.js';
import type { StagedState, Transaction } from './transaction.js';

/** Defines the Store port. */

/** The additions of a commit, as listeners before the commit receive them. */
export interface Committing {
  events: boolean;
  jobs: boolean;
  /** The kinds of the added jobs; undefined if any kind may be among them. */
  jobKinds?: readonly string[];
}

/** A webhook attempt. */
export interface AttemptRef {
  deliveryId: string;
  attempt: number;
}

/** The additions of a commit, as listeners after the commit receive them. */
export interface Committed extends Committing {
  /**
   * The appended events in order, except those of an imported archive. Those of emails are missing in a commit of another
   * process, unless a listener follows events.
   */
  appended: readonly StoredEvent[];
  /** The IDs of emails that were inserted, deleted or changed: their rows, recipients, events, warnings or extracts. */
  emails: readonly string[];
  /** Set if emails were deleted. They are in `emails` too. */
  deleted?: true;
  /** Set if another process committed this. */
  foreign?: true;
  /** Set if settings or faults were changed, which processes keep in memory. */
  settings?: true;
  /** Set if requests, SMTP sessions or entries of the audit log were recorded. */
  logs?: true;
  /** The webhook attempts that were recorded. */
  attempts?: readonly AttemptRef[];
  /** The last row of each log, set if everything was replaced or emptied. Readers skip the rows up to these. */
  replaced?: { lastEvent: number; lastRequest: number; lastSmtpSession: number };
}

export interface ListenerNeeds {
  /** Also reads the events of emails in commits of other processes. */
  events?: true;
}

/** A write could not be stored, for example because the disk is full. It had no effect and can be retried. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';

  constructor(
    message: string,
    options?: ErrorOptions,
    /** What to do before retrying the write. */
    readonly advice: string | undefined = undefined,
    /** The last resort if no disk space can be freed. */
    readonly lastResort: string | undefined = undefined,
    /** What earlier writes of the same request have stored, as a sentence. */
    readonly stored: string | undefined = undefined,
  ) {
    super(message, options);
  }
}

/** A database on another machine cannot be used now, for example because it is restarted. */
export class DatabaseUnavailableError extends StoreUnavailableError {}

/** The database stopped a search because it took too long, or had no time for it. Others can succeed. */
export class SearchTimeoutError extends DatabaseUnavailableError {}

/** Returns an error of a store with what earlier writes of the same request have stored; any other error unchanged. */
export function withStored(error: unknown, stored: string): unknown {
  if (!(error instanceof StoreUnavailableError)) return error;
  const Same = error instanceof DatabaseUnavailableError ? DatabaseUnavailableError : StoreUnavailableError;
  return new Same(error.message, { cause: error }, error.advice, error.lastResort, stored);
}

/** The server has stopped. The next start does work that began too late, unless only a caller needed it. */
export class StoreClosedError extends StoreUnavailableError {
  constructor() {
    super('The store is closed');
  }
}

/**
 * Duration of a job's lease in milliseconds. Longer than most jobs: a webhook attempt waits 30 s for its response. The
 * pool that runs a longer one renews its lease.
 */
export const LEASE_MS = 60_000;

/**
 * Maximum remaining time of a valid lease: twice the length of a lease, because another process may have read system
 * time later. A longer lease is treated as expired: svc did not write it, or the clock was set back.
 */
export const LEASE_MAX_MS = 2 * LEASE_MS;

/** Returns whether a lease has ended, so that its job can be claimed. */
export function isLeaseOut(leaseUntil: number, systemNow: number): boolean {
  return leaseUntil <= systemNow || leaseUntil > systemNow + LEASE_MAX_MS;
}

/** Milliseconds to wait before retrying a write after the store was unavailable. */
export const STORE_RETRY_MS = 1_000;

/** The store is of a kind that cannot do this. */
export class UnsupportedStoreError extends Error {
  override readonly name = 'UnsupportedStoreError';
}

/** An imported state was not written by this kind of store, or this version cannot read it. */
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
    /** The advice to print with the error. */
    readonly advice: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A row that could not be used and was moved to the table `quarantine`. */
export interface SetAside {
  table: string;
  /** The row's primary key. Its parts are joined by slashes. */
  key: string;
  reason: string;
}

/** A copy of everything in a store. The caller must discard it. */
export interface Snapshot {
  schemaVersion: number;
  /** The size in bytes. */
  size: number;
  read(): AsyncIterable<Uint8Array>;
  discard(): Promise<void>;
}

/** A migration of stored emails that is about to run. */
export interface MigrationStep {
  /** Its number, from 1. */
  step: number;
  /** Number of migrations that this start runs. */
  steps: number;
  emails: number;
}

/** Numbers of connections for a use, and of the reads that wait for one. */
type ConnectionStates = Record<'busy' | 'idle' | 'waiting', number>;
/** Connections of a store by their use. */
export type Connections = Record<'reads' | 'searches', ConnectionStates>;

/** The size of a store in bytes. */
export interface StoreSize {
  bytes: number;
  /** The part that is not used. */
  free: number;
}

/** Values that all processes on a database keep together, until they expire. Snapshots do not have them. */
export interface Kept {
  /** Stores a value in place of an earlier one. `expiresAt` is in system time. */
  put(key: string, value: string, expiresAt: number): Promise<void>;
  /** Stores a value unless one exists. Returns the one that is stored. */
  first(key: string, value: string, expiresAt: number): Promise<string>;
  find(key: string): Promise<string | undefined>;
  /** Returns a value and deletes it. Only one of several callers receives it. */
  take(key: string): Promise<string | undefined>;
}

/** Calls of a caller in one window. */
export interface CountedCalls {
  caller: string;
  /** The end of the window, in milliseconds of the service's time. */
  endsAt: number;
  calls: number;
}

/** What processes on one database share besides its tables. */
export interface Shared {
  readonly kept: Kept;
  /**
   * Adds calls to windows. Returns the windows with the calls of all processes, in the same order; undefined for those
   * that could not be added to.
   */
  countCalls(calls: readonly CountedCalls[], now: number): Promise<(CountedCalls | undefined)[]>;
  /** Returns the database's time in milliseconds since 1970. */
  now(): Promise<number>;
}

export interface Store {
  readonly read: Reads;
  /** Undefined for a database of one server. */
  readonly shared?: Shared;
  /**
   * Runs `work` in a transaction and resolves when it is on disk. Writes that start within a few turns of the event
   * loop share a commit; if the `work` of one throws, only that one is undone. `work` may await the transaction's
   * methods and nothing else, and may run twice: what it changes besides the transaction must allow that.
   * @throws StoreUnavailableError if it could not be stored.
   */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Calls back before each commit that adds events or jobs. Writes that the listener starts synchronously join the same
   * commit and see its additions. Returns the function that removes the listener.
   */
  beforeCommit(listener: (committing: Committing) => void): () => void;
  /**
   * Calls back after each commit that added events, jobs, attempts or entries of logs, or changed emails, settings or
   * faults. Returns the function that removes the listener.
   */
  onCommit(listener: (committed: Committed) => void, needs?: ListenerNeeds): () => void;
  /**
   * Copies everything as of one moment. Reads and writes continue meanwhile.
   * @throws StoreUnavailableError if the disk has too little space.
   */
  snapshot(): Promise<Snapshot>;
  /**
   * Prepares a snapshot that can replace everything. Changes nothing yet.
   * @throws UnusableStateError if it is not a snapshot, or a newer version wrote it.
   * @throws StoreUnavailableError if the disk has too little space.
   */
  stage(bytes: AsyncIterable<Uint8Array>): Promise<StagedState>;
  size(): Promise<StoreSize>;
  /**
   * Returns unused space to the file system in short transactions, about `maxBytes` of it. With `full`, rewrites
   * everything at once instead; no other work is done meanwhile.
   * @throws UnsupportedStoreError if only a full rewrite is possible.
   * @throws StoreUnavailableError if the disk has too little space. Nothing is lost.
   */
  compact(options: { full: boolean; maxBytes: number }): Promise<void>;
  /** Waits for the pending writes, then closes. */
  close(): Promise<void>;
}
