import { OTHER_EVENTS_KEPT } from '../../contract/vocabulary/limits.js';
import type { Retention } from '../../contract/vocabulary/retention.js';
import { LaterSweep, type LaterSweepDeps } from '../jobs/later-sweep.js';
import type { Committed } from '../store.js';
import type { Transaction } from '../transaction.js';

/** Maximum number of rows of a log that one transaction removes. */
const REMOVED_AT_ONCE = 500;
/** Milliseconds from a commit after which events may be removable at once, to the look for them. */
const PAUSE_MS = 250;
/** The same from other commits. Most looks find nothing, and cost a few searches of indexes. */
const LOOK_AGAIN_MS = 60_000;

export interface PruneDeps extends LaterSweepDeps {
  retention: Retention | undefined;
}

/**
 * Bounds what the deletion of emails leaves: events whose deliveries had not ended, events without an email, counts of
 * short spans of time, and entries of logs that are older than the server's maximum age.
 */
export class PruneSweep extends LaterSweep<PruneDeps> {
  /**
   * Number of the last event that open deliveries hold at which this sweep has looked; 0 before the first one. Each look
   * reads a batch: all of them at once would stop the server while many deliveries are open.
   */
  #lookedUpTo = 0;
  /** Whether an event at which it has looked may have become removable since. */
  #missed = false;

  protected override onIdle(): void {
    if (this.#lookedUpTo > 0 || this.#missed) this.lookWithin(PAUSE_MS);
    if (this.#maxAgeMs !== null) this.lookWithin(Math.min(this.#maxAgeMs, LOOK_AGAIN_MS));
  }

  protected onCommit({ attempts, deleted, events, logs, replaced }: Committed): void {
    if (attempts || deleted || replaced) {
      this.#missed = this.#lookedUpTo > 0;
      this.lookWithin(PAUSE_MS);
    } else if (events || logs) this.lookWithin(LOOK_AGAIN_MS);
  }

  get #maxAgeMs(): number | null {
    return this.deps.retention?.maxAgeMs ?? null;
  }

  override async drain(): Promise<void> {
    do await super.drain();
    while (this.#lookedUpTo > 0 || this.#missed);
  }

  /** Removes a batch. Returns whether it was full, or others than those that deliveries held may be left. */
  protected async doSome(): Promise<boolean> {
    const { store, clock } = this.deps;
    const { events, requests, smtpSessions, audit } = store.read;
    const limit = REMOVED_AT_ONCE;
    const age = this.#maxAgeMs;
    // Entries of the service's time are not older because a test has advanced its clock.
    const before = age === null ? null : Math.min(clock.now(), clock.systemNow()) - age;
    const withoutEmail = await events.removable({ keep: OTHER_EVENTS_KEPT, before, limit });
    const ofDeleted = await this.#heldNoLonger();
    const oldRequests = before === null ? [] : await requests.before(before, limit);
    const oldSessions = age === null ? [] : await smtpSessions.before(clock.systemNow() - age, limit);
    const oldEntries = age === null ? [] : await audit.before(clock.systemNow() - age, limit);
    const hasFineCounts = await events.hasFineCounts(clock.now());
    const others = withoutEmail.length + oldRequests.length + oldSessions.length + oldEntries.length;
    // A look does not write: even an empty write would flush the disk.
    if (others + ofDeleted.length === 0 && !hasFineCounts) return false;
    await store.write(async (tx: Transaction) => {
      if (withoutEmail.length + ofDeleted.length > 0) await tx.events.remove([...withoutEmail, ...ofDeleted]);
      await tx.events.raiseRemoved(Math.max(0, ...withoutEmail));
      if (oldRequests.length > 0) await tx.requests.remove(oldRequests);
      if (oldSessions.length > 0) await tx.smtpSessions.remove(oldSessions);
      if (oldEntries.length > 0) await tx.audit.remove(oldEntries);
      await tx.events.rollUpCounts(clock.now());
    });
    return others > 0 || hasFineCounts || ofDeleted.length === limit;
  }

  /** Looks at the next batch of events that open deliveries hold. Returns the numbers of those whose deliveries ended. */
  async #heldNoLonger(): Promise<number[]> {
    if (this.#lookedUpTo === 0) this.#missed = false;
    const held = await this.deps.store.read.events.heldByDelivery(this.#lookedUpTo, REMOVED_AT_ONCE);
    this.#lookedUpTo = held.length === REMOVED_AT_ONCE ? (held.at(-1)?.seq ?? 0) : 0;
    return held.filter(({ isDone }) => isDone).map(({ seq }) => seq);
  }
}
