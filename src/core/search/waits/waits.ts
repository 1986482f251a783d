import { ServiceError } from '../../../contract/vocabulary/errors.js';
import type { Extent, SearchDocument } from '../../model/search.js';
import type { Clock } from '../../ports.js';
import type { Committed, Store } from '../../store.js';
import { HeartbeatSignal } from '../../streams/server-sent-events.js';
import { type EmailRef, type WaitCondition, Waiter } from './waiter.js';
import { findInWindow } from './window.js';

/** A time limit on the machine's clock that a signal ends early. */
class TimeLimit {
  /** Resolves when the time is up or the signal fires. */
  readonly over: Promise<undefined>;
  readonly cancel: () => void;
  isOver = false;

  constructor(clock: Pick<Clock, 'after'>, milliseconds: number, signal: AbortSignal) {
    let end = () => {};
    this.over = new Promise((resolve) => {
      end = () => {
        this.isOver = true;
        resolve(undefined);
      };
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

/** Milliseconds after its time-out that a wait waits for messages that were accepted before and are not parsed yet. */
const PARSING_MS = 15_000;
/** Milliseconds after that in which the emails of the window are read a last time. */
const READING_MS = 10_000;
/** Number of emails to read at once. */
const BATCH = 64;

export interface WaitsDeps {
  store: Pick<Store, 'read' | 'onCommit'>;
  clock: Pick<Clock, 'after'>;
  parsePending(): Promise<void>;
  /** Finds so much in the content of these emails now; without IDs, of all. Waits for it, up to a limit. */
  extractPending(extent: Extent, ids?: readonly string[]): Promise<void>;
}

export interface WaitOptions {
  timeoutMs: number;
  signal: AbortSignal;
}

export interface WaitEnd {
  /** Whether the number of matches ended the wait. False after the time-out, and if the signal fired. */
  isDone: boolean;
  /** The matches, newest first. */
  matches: EmailRef[];
  /** The number of the last email that was considered. */
  lastSeq: number;
}

/**
 * Lets callers wait for emails. Each email that a commit changes is read once and tested for all waits; without waits,
 * nothing is read.
 */
export class Waits {
  readonly #waiters = new Set<Waiter>();
  #changed = new Set<string>();
  #isReading = false;
  /** How often everything was deleted or replaced. */
  #replacements = 0;

  constructor(private readonly deps: WaitsDeps) {
    deps.store.onCommit((committed) => this.#onCommit(committed));
  }

  /** The number of waits that have not ended. */
  get size(): number {
    return this.#waiters.size;
  }

  /** Waits until the number of matches ends the wait, the time is up, or the signal fires. */
  async wait(condition: WaitCondition, { timeoutMs, signal }: WaitOptions): Promise<WaitEnd> {
    const waiter = new Waiter(condition);
    // Before existing emails are read, so that none is missed in between.
    this.#waiters.add(waiter);
    const time = new TimeLimit(this.deps.clock, timeoutMs, signal);
    try {
      const reading = this.#begin(waiter, time);
      const matches = await Promise.race([waiter.done, time.over]);
      const lastSeq = await this.deps.store.read.emails.lastSeq();
      if (matches) return { isDone: true, matches, lastSeq };
      await reading;
      if (!signal.aborted) await this.#readPending(waiter, lastSeq, signal);
      return { isDone: waiter.isDone, matches: waiter.newestFirst(), lastSeq };
    } finally {
      this.#waiters.delete(waiter);
      time.cancel();
    }
  }

  /** Reads the window, unless the wait ends before that. */
  async #begin(waiter: Waiter, time: TimeLimit): Promise<void> {
    try {
      const isRead = await this.#readExisting(waiter, { isOver: () => time.isOver || waiter.hasEnded });
      // What is found then wakes the wait.
      if (isRead) void this.deps.extractPending(waiter.condition.matcher.needs);
    } catch (error) {
      waiter.fail(error);
    }
  }

  /**
   * Waits until messages up to this number are parsed, and reads the window again.
   * @throws ServiceError `invalid` if that takes too long.
   */
  async #readPending(waiter: Waiter, lastSeq: number, signal: AbortSignal): Promise<void> {
    const { store, clock, parsePending, extractPending } = this.deps;
    const time = new TimeLimit(clock, PARSING_MS, signal);
    const changed = new HeartbeatSignal({ signal, idle: () => () => {} });
    const unsubscribe = store.onCommit(() => changed.notify());
    void time.over.then(() => changed.notify());
    try {
      await Promise.race([parsePending(), time.over]);
      await extractPending(waiter.condition.matcher.needs);
      while (!waiter.isDone && !time.isOver && (await this.#isPending(waiter, lastSeq))) {
        await changed.wait();
        if (!waiter.isDone && !time.isOver && (await this.#isUnextracted(waiter, lastSeq))) {
          await Promise.race([extractPending(waiter.condition.matcher.needs), time.over]);
        }
      }
      if (!signal.aborted && !hasMatched(waiter)) await this.#readLast(waiter, { unparsed: time.isOver, signal });
    } finally {
      time.cancel();
      unsubscribe();
      changed.close();
    }
  }

  /** Returns whether a message up to this number is not parsed yet, or one of the window not as far as the query needs. */
  async #isPending(waiter: Waiter, lastSeq: number): Promise<boolean> {
    const unparsed = await this.deps.store.read.received.unparsedRange();
    return (unparsed !== undefined && unparsed.first <= lastSeq) || this.#isUnextracted(waiter, lastSeq);
  }

  async #isUnextracted({ condition: { matcher, window } }: Waiter, lastSeq: number): Promise<boolean> {
    const unextracted = await this.deps.store.read.emails.unextractedRange(matcher.needs, window.after);
    return unextracted !== undefined && unextracted.first <= lastSeq;
  }

  async #readLast(waiter: Waiter, { unparsed, signal }: { unparsed: boolean; signal: AbortSignal }): Promise<void> {
    const time = new TimeLimit(this.deps.clock, READING_MS, signal);
    try {
      const isRead = await this.#readExisting(waiter, { unparsed, isOver: () => time.isOver || hasMatched(waiter) });
      if (!isRead && !signal.aborted && !hasMatched(waiter)) throw tooMany();
    } finally {
      time.cancel();
    }
  }

  /** Returns whether all emails of the window were read that are needed, before the time was over. */
  async #readExisting(waiter: Waiter, { unparsed = false, isOver }: { unparsed?: boolean; isOver(): boolean }) {
    const { condition, wanted: limit } = waiter;
    for (;;) {
      waiter.startReading();
      const found = await findInWindow(this.deps.store, condition, { limit, unparsed, isOver });
      if (!found) return false;
      if (waiter.finishReading(found)) return true;
    }
  }

  #onCommit({ emails, replaced }: Committed): void {
    if (this.#waiters.size === 0) return;
    if (replaced) {
      this.#changed.clear();
      this.#replacements += 1;
    }
    for (const id of emails) this.#changed.add(id);
    // A read that is under way may return the older state, even if it ends before the changed emails are read.
    for (const waiter of this.#waiters) waiter.expectUpdate(emails);
    if (replaced) void this.#restartAll();
    if (!this.#isReading && this.#changed.size > 0) void this.#readChanged();
  }

  async #restartAll(): Promise<void> {
    const waiters = [...this.#waiters];
    for (const waiter of waiters) waiter.forget();
    try {
      const lastSeq = await this.deps.store.read.emails.lastSeq();
      for (const waiter of waiters) waiter.limitTo(lastSeq);
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
        const replacements = this.#replacements;
        const documents = await this.#documents(ids);
        // They were deleted meanwhile.
        if (replacements !== this.#replacements) continue;
        for (const waiter of this.#waiters) waiter.update(ids, documents);
        this.#extract([...documents.values()]);
      }
    } catch (error) {
      for (const waiter of this.#waiters) waiter.fail(error);
    } finally {
      this.#changed.clear();
      this.#isReading = false;
    }
  }

  /** Finds what queries of waits test. What is found then wakes the waits. */
  #extract(documents: readonly SearchDocument[]): void {
    const lacks = (document: SearchDocument, needs: Extent) =>
      needs === 'all' ? document.extracts?.links === undefined : needs === 'shown' && document.extracts === undefined;
    const isAwaited = (document: SearchDocument) =>
      [...this.#waiters].some((waiter) => lacks(document, waiter.condition.matcher.needs) && waiter.includes(document));
    const ids = documents.filter(isAwaited).map(({ id }) => id);
    if (ids.length > 0) void this.deps.extractPending('all', ids);
  }

  /** Returns the documents by ID, without those of messages that are not parsed yet. */
  async #documents(ids: readonly string[]): Promise<Map<string, SearchDocument>> {
    const { emails } = this.deps.store.read;
    const documents = new Map<string, SearchDocument>();
    for (const document of await emails.documents(ids)) {
      const mayBeUnparsed = document.origin === 'smtp' && document.extracts === undefined;
      if (mayBeUnparsed && (await emails.isParsing(document.id))) continue;
      documents.set(document.id, document);
    }
    return documents;
  }
}

/** Returns whether matches have ended a wait. Its end may also be an error. */
function hasMatched(waiter: Waiter): boolean {
  return waiter.hasEnded && waiter.isDone;
}

function tooMany(): ServiceError {
  const message = 'The emails of the window could not be searched in time.';
  return new ServiceError('invalid', message, undefined, 'Pass a later "since", or a more specific query.');
}
