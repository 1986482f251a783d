import { UNEXPECTED_MAX } from '../../../contract/vocabulary/limits.js';
import { COUNT_MAX } from '../../../contract/vocabulary/ranges.js';
import type { SearchDocument } from '../../model/search.js';
import type { CompiledQuery } from '../compile-query.js';

/** The emails that a wait considers. */
export interface WaitWindow {
  /** Only emails after this number. */
  after: number;
  /** Only emails that were captured at or after this time of the machine's clock. */
  from: number;
  /** Only emails of this workspace; undefined for all. */
  workspace: string | undefined;
}

export interface WaitCondition {
  matcher: CompiledQuery;
  window: WaitWindow;
  /**
   * The number of matches that ends the wait; without `max`, any from `min`, and only `min` are counted. `Infinity`
   * does not limit them. Null to expect none until the time-out.
   */
  count: { min: number; max: number | undefined } | null;
}

/** Number of emails to count, which is more than any wait expects. */
const COUNTED_MAX = COUNT_MAX + 1;

/** Identifies an email in the order of acceptance. */
export interface EmailRef {
  id: string;
  seq: number;
}

/** Collects the matches of one wait. `done` resolves with them when their number ends the wait. */
export class Waiter {
  readonly done: Promise<EmailRef[]>;
  #finish: (matches: EmailRef[]) => void = () => {};
  #fail: (error: unknown) => void = () => {};
  readonly #matches = new Map<string, EmailRef>();
  /** IDs of emails that changed while existing emails are being read; null at other times. */
  #changedMeanwhile: Set<string> | null = null;
  /** Whether everything was deleted or replaced after the reading of existing emails began. */
  #isStale = false;
  #hasEnded = false;

  constructor(readonly condition: WaitCondition) {
    this.done = new Promise((resolve, reject) => {
      this.#finish = resolve;
      this.#fail = reject;
    });
    // The caller may not be waiting yet, and receives the error when it is.
    this.done.catch(() => {});
  }

  /** Whether the number of matches ends the wait. */
  get isDone(): boolean {
    const { count } = this.condition;
    const { size } = this.#matches;
    return count === null ? size > 0 : size >= count.min && (count.max === undefined || size <= count.max);
  }

  /** Whether `done` has a result. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The number of existing emails to read: enough to decide whether their number ends the wait. */
  get wanted(): number {
    const { count } = this.condition;
    if (count === null) return UNEXPECTED_MAX;
    return count.max === undefined ? count.min : COUNTED_MAX;
  }

  /** Returns the matches, newest first. */
  newestFirst(): EmailRef[] {
    return [...this.#matches.values()].sort((a, b) => b.seq - a.seq);
  }

  /** Must be called before existing emails are read: later changes are newer than what is read. */
  startReading(): void {
    this.#changedMeanwhile = new Set();
    this.#isStale = false;
  }

  /**
   * Replaces the matches by those that were read, except for emails that changed meanwhile. Returns false if everything
   * was deleted meanwhile: then they have to be read again.
   */
  finishReading(matching: readonly EmailRef[]): boolean {
    if (this.#isStale) return false;
    const changed = this.#changedMeanwhile;
    this.#changedMeanwhile = null;
    for (const id of this.#matches.keys()) if (!changed?.has(id)) this.#matches.delete(id);
    for (const { id, seq } of matching) if (!changed?.has(id)) this.#matches.set(id, { id, seq });
    this.#check();
    return true;
  }

  /** Notes emails that a commit changed. `update` tests them later. */
  expectUpdate(ids: Iterable<string>): void {
    for (const id of ids) this.#changedMeanwhile?.add(id);
  }

  /** Tests emails that changed. A deleted one has no document. */
  update(ids: readonly string[], documents: ReadonlyMap<string, SearchDocument>): void {
    const { matcher } = this.condition;
    for (const id of ids) {
      this.#changedMeanwhile?.add(id);
      const document = documents.get(id);
      if (document && this.includes(document) && matcher.matches(document)) {
        this.#matches.set(id, { id, seq: document.seq });
      } else this.#matches.delete(id);
    }
    this.#check();
  }

  /** Forgets the matches, because everything was deleted or replaced. */
  forget(): void {
    this.#matches.clear();
    this.#isStale = true;
  }

  /** Moves the window so that it begins after this number at the latest: an import may have lowered the numbers. */
  limitTo(lastSeq: number): void {
    const { window } = this.condition;
    window.after = Math.min(window.after, lastSeq);
  }

  /** Ends the wait with an error. */
  fail(error: unknown): void {
    this.#hasEnded = true;
    this.#fail(error);
  }

  /** Returns whether an email is in the window. */
  includes({ seq, capturedAt, workspace }: Pick<SearchDocument, 'seq' | 'capturedAt' | 'workspace'>): boolean {
    const { window } = this.condition;
    const isOwn = window.workspace === undefined || window.workspace === workspace;
    return seq > window.after && capturedAt >= window.from && isOwn;
  }

  #check(): void {
    // Without a maximum, emails that are still to be read cannot change the result.
    const isDecided = this.#changedMeanwhile === null || this.condition.count?.max === undefined;
    if (!isDecided || !this.isDone) return;
    this.#hasEnded = true;
    this.#finish(this.newestFirst());
  }
}
