import type { SearchDocument } from '../model/search.js';
import type { Clock } from '../ports.js';
import type { Committed, Store } from '../store.js';
import { type EmailRef, type WaitCondition, Waiter } from './waiter.js';

/** Milliseconds after its time-out that a wait waits for messages that were accepted before and are not parsed yet. */
const PARSING_MS = 15_000;
/** Number of emails to read at once. */
const BATCH = 64;

export interface WaitsDeps {
  store: Pick<Store, 'read' | 'onCommit'>;
  clock: Pick<Clock, 'after'>;
  /** Returns the emails in the window of a wait that match it, newest first. */
  find(condition: WaitCondition): Promise<EmailRef[]>;
  /** Returns whether a message up to this number is not parsed yet, or not as far as the condition needs. */
  isPending(condition: WaitCondition, lastSeq: number): Promise<boolean>;
  parsePending(): Promise<void>;
}

export interface WaitEnd {
  /** Whether the number of matches ended the wait. False after the time-out, and if the signal fired. */
  isDone: boolean;
  /** The matches, newest first. */
  matches: EmailRef[];
}

/**
 * Lets callers wait for emails. Each email that a commit changes is read once and tested for all waits; without waits,
 * nothing is read.
 */
export class Waits {
  readonly #waiters = new Set<Waiter>();
  #changed = new Set<string>();
  #isReading = false;

  constructor(private readonly deps: WaitsDeps) {
    deps.store.onCommit((committed) => this.#onCommit(committed));
  }

  /** The number of waits that have not ended. */
  get size(): number {
    return this.#waiters.size;
  }

  /** Waits until the number of matches ends the wait, the time is up, or the signal fires. */
  async wait(condition: WaitCondition, { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal }): Promise<WaitEnd> {
    const waiter = new Waiter(condition);
    // Before existing emails are read, so that none is missed in between.
    this.#waiters.add(waiter);
    const time = new Limit(this.deps.clock, timeoutMs, signal);
    try {
      await this.#readExisting(waiter);
      const matches = (await Promise.race([waiter.done, time.over])) ?? (await this.#finishParsing(waiter, signal));
      return { isDone: matches !== undefined, matches: matches ?? waiter.newestFirst() };
    } finally {
      this.#waiters.delete(waiter);
      time.cancel();
    }
  }

  /** Waits for messages that were accepted before now. Returns the matches if their number then ends the wait. */
  async #finishParsing(waiter: Waiter, signal: AbortSignal): Promise<EmailRef[] | undefined> {
    if (signal.aborted) return undefined;
    const { store, clock, parsePending, isPending } = this.deps;
    const lastSeq = await store.read.emails.lastSeq();
    const time = new Limit(clock, PARSING_MS, signal);
    const over = time.over.then(() => true as const);
    try {
      await parsePending();
      while (!waiter.isDone && (await isPending(waiter.condition, lastSeq))) {
        if ((await Promise.race([this.#nextCommit(), over])) === true) break;
      }
      if (!signal.aborted) await this.#readExisting(waiter);
      return waiter.isDone ? waiter.newestFirst() : undefined;
    } finally {
      time.cancel();
    }
  }

  async #readExisting(waiter: Waiter): Promise<void> {
    waiter.startReading();
    waiter.finishReading(await this.deps.find(waiter.condition));
  }

  #nextCommit(): Promise<undefined> {
    return new Promise((resolve) => {
      const remove = this.deps.store.onCommit(() => {
        remove();
        resolve(undefined);
      });
    });
  }

  #onCommit({ emails, replaced }: Committed): void {
    if (this.#waiters.size === 0) return;
    if (replaced) this.#changed.clear();
    for (const id of emails) this.#changed.add(id);
    if (replaced) void this.#restartAll();
    if (!this.#isReading && this.#changed.size > 0) void this.#readChanged();
  }

  async #restartAll(): Promise<void> {
    const waiters = [...this.#waiters];
    try {
      const lastSeq = await this.deps.store.read.emails.lastSeq();
      for (const waiter of waiters) waiter.restart(lastSeq);
    } catch (error) {
      for (const waiter of waiters) waiter.fail(error);
    }
  }

  /** Reads the changed emails and tests them for every wait, until none is left. */
  async #readChanged(): Promise<void> {
    this.#isReading = true;
    try {
      while (this.#changed.size > 0 && this.#waiters.size > 0) {
        const ids = [...this.#changed].slice(0, BATCH);
        for (const id of ids) this.#changed.delete(id);
        const documents = await this.#documents(ids);
        for (const waiter of this.#waiters) waiter.update(ids, documents);
      }
    } catch (error) {
      for (const waiter of this.#waiters) waiter.fail(error);
    } finally {
      this.#changed.clear();
      this.#isReading = false;
    }
  }

  /** Returns the documents by ID, without those of messages that are not parsed yet. */
  async #documents(ids: readonly string[]): Promise<Map<string, SearchDocument>> {
    const { emails } = this.deps.store.read;
    const documents = new Map<string, SearchDocument>();
    for (const document of await emails.documents(ids)) {
      const mayBePlaceholder = document.origin === 'smtp' && document.extracts === undefined;
      if (mayBePlaceholder && (await emails.isPlaceholder(document.id))) continue;
      documents.set(document.id, document);
    }
    return documents;
  }
}

/** A time limit on the machine's clock that a signal ends early. */
class Limit {
  /** Resolves when the time is up or the signal fires. */
  readonly over: Promise<undefined>;
  readonly cancel: () => void;

  constructor(clock: Pick<Clock, 'after'>, milliseconds: number, signal: AbortSignal) {
    let end = () => {};
    this.over = new Promise((resolve) => {
      end = () => resolve(undefined);
    });
    const cancelTimer = clock.after(milliseconds, end);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    this.cancel = () => {
      cancelTimer();
      signal.removeEventListener('abort', end);
    };
  }
}
