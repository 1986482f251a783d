import { OTHER_EVENTS_KEPT } from '../../contract/vocabulary/limits.js';
import type { Retention } from '../../contract/vocabulary/retention.js';
import type { CommitSweep } from '../jobs/job-kinds.js';
import { WorkLoop } from '../jobs/work-loop.js';
import type { Clock } from '../ports.js';
import { type Committed, type Store, StoreUnavailableError } from '../store.js';
import type { Transaction } from '../transaction.js';

/** Maximum number of rows of a log that one transaction removes. */
const REMOVED_AT_ONCE = 500;
/** Milliseconds from a commit after which events may be removable at once, to the look for them. */
const PAUSE_MS = 250;
/** The same from other commits. Most looks find nothing, and cost a few searches of indexes. */
const LOOK_AGAIN_MS = 60_000;

export interface PruneDeps {
  store: Store;
  clock: Clock;
  retention: Retention | undefined;
  onInternalError(error: unknown): void;
}

/**
 * Bounds what the deletion of emails leaves: events whose deliveries had not ended, events without an email, counts of
 * short spans of time, and entries of logs that are older than the server's maximum age.
 */
export class PruneSweep implements CommitSweep {
  readonly #loop: WorkLoop;
  #cancel = () => {};
  /** System time of the next look; infinite if none is planned. */
  #lookAt = Number.POSITIVE_INFINITY;
  #unsubscribe = () => {};

  constructor(private readonly deps: PruneDeps) {
    this.#loop = new WorkLoop({
      clock: deps.clock,
      step: () => this.#pruneSome(),
      onError(error) {
        // An unavailable store is reported by the callers whose writes failed. The removal is retried.
        if (!(error instanceof StoreUnavailableError)) deps.onInternalError(error);
      },
      onIdle: () => this.#maxAgeMs !== null && this.#lookWithin(Math.min(this.#maxAgeMs, LOOK_AGAIN_MS)),
    });
  }

  start(): void {
    this.#unsubscribe = this.deps.store.onCommit(({ attempts, deleted, events, logs, replaced }: Committed) => {
      if (attempts || deleted || replaced) this.#lookWithin(PAUSE_MS);
      else if (events || logs) this.#lookWithin(LOOK_AGAIN_MS);
    });
    this.#loop.kick();
  }

  async drain(): Promise<void> {
    while (await this.#pruneSome());
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#cancel();
    await this.#loop.stop();
  }

  get #maxAgeMs(): number | null {
    return this.deps.retention?.maxAgeMs ?? null;
  }

  #lookWithin(milliseconds: number): void {
    const { clock } = this.deps;
    const at = clock.systemNow() + milliseconds;
    if (at >= this.#lookAt) return;
    this.#cancel();
    this.#lookAt = at;
    this.#cancel = clock.after(milliseconds, () => {
      this.#lookAt = Number.POSITIVE_INFINITY;
      this.#loop.kick();
    });
  }

  /** Removes a batch. Returns whether more may be left. */
  async #pruneSome(): Promise<boolean> {
    const { store, clock } = this.deps;
    const { events, requests, smtpSessions, audit } = store.read;
    const limit = REMOVED_AT_ONCE;
    const age = this.#maxAgeMs;
    // Entries of the service's time are not older because a test has advanced its clock.
    const before = age === null ? null : Math.min(clock.now(), clock.systemNow()) - age;
    const { withoutEmail, ofDeleted } = await events.removable({ keep: OTHER_EVENTS_KEPT, before, limit });
    const oldRequests = before === null ? [] : await requests.before(before, limit);
    const oldSessions = age === null ? [] : await smtpSessions.before(clock.systemNow() - age, limit);
    const oldEntries = age === null ? [] : await audit.before(clock.systemNow() - age, limit);
    const hasFineCounts = await events.hasFineCounts(clock.now());
    const seqs = [...withoutEmail, ...ofDeleted];
    // A look does not write: even an empty write would flush the disk.
    if (seqs.length + oldRequests.length + oldSessions.length + oldEntries.length === 0 && !hasFineCounts) return false;
    await store.write(async (tx: Transaction) => {
      if (seqs.length > 0) await tx.events.remove(seqs);
      await tx.events.raiseRemoved(Math.max(0, ...withoutEmail));
      if (oldRequests.length > 0) await tx.requests.remove(oldRequests);
      if (oldSessions.length > 0) await tx.smtpSessions.remove(oldSessions);
      if (oldEntries.length > 0) await tx.audit.remove(oldEntries);
      await tx.events.rollUpCounts(clock.now());
    });
    return true;
  }
}
