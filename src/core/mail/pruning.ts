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
   * Number of the last event of a deleted email that the current pass over them has read; 0 between passes. A look reads
   * one batch, because all of them would block the server while many deliveries are open.
   */
  #readUpTo = 0;
  /** Whether a commit after the start of the pass may have made an event removable that the pass has read. */
  #missed = false;

  protected override onIdle(): void {
    if (this.#readUpTo > 0 || this.#missed) this.lookWithin(PAUSE_MS);
    if (this.#maxAgeMs !== null) this.lookWithin(Math.min(this.#maxAgeMs, LOOK_AGAIN_MS));
  }

  protected onCommit({ attempts, deleted, events, logs, replaced }: Committed): void {
    const isLikely = attempts || deleted || replaced;
    if (isLikely || this.#readUpTo > 0) this.#missed = true;
    if (isLikely) this.lookWithin(PAUSE_MS);
    else if (events || logs) this.lookWithin(LOOK_AGAIN_MS);
  }

  get #maxAgeMs(): number | null {
    return this.deps.retention?.maxAgeMs ?? null;
  }

  /** Makes one pass: on a busy server, another could always follow. */
  override async drain(): Promise<void> {
    this.#readUpTo = 0;
    do await super.drain();
    while (this.#readUpTo > 0);
  }

  /** Removes a batch. Returns whether more may be left: the batch of a pass was full, or something else was removed. */
  protected async doSome(): Promise<boolean> {
    const { store, clock } = this.deps;
    const { events, requests, smtpSessions, audit } = store.read;
    const limit = REMOVED_AT_ONCE;
    const age = this.#maxAgeMs;
    // Entries of the service's time are not older because a test has advanced its clock.
    const before = age === null ? null : Math.min(clock.now(), clock.systemNow()) - age;
    const withoutEmail = await events.removable({ keep: OTHER_EVENTS_KEPT, before, limit });
    if (this.#readUpTo === 0) this.#missed = false;
    const held = await events.heldByDelivery(this.#readUpTo, limit);
    const ofDeleted = held.filter(({ isDone }) => isDone).map(({ seq }) => seq);
    const readUpTo = held.length === limit ? (held.at(-1)?.seq ?? 0) : 0;
    const oldRequests = before === null ? [] : await requests.before(before, limit);
    const oldSessions = age === null ? [] : await smtpSessions.before(clock.systemNow() - age, limit);
    const oldEntries = age === null ? [] : await audit.before(clock.systemNow() - age, limit);
    const hasFineCounts = await events.hasFineCounts(clock.now());
    const others = withoutEmail.length + oldRequests.length + oldSessions.length + oldEntries.length;
    // A look does not write: even an empty write would flush the disk.
    if (others + ofDeleted.length === 0 && !hasFineCounts) {
      this.#readUpTo = readUpTo;
      return false;
    }
    await store.write(async (tx: Transaction) => {
      if (withoutEmail.length + ofDeleted.length > 0) await tx.events.remove([...withoutEmail, ...ofDeleted]);
      await tx.events.raiseRemoved(Math.max(0, ...withoutEmail));
      if (oldRequests.length > 0) await tx.requests.remove(oldRequests);
      if (oldSessions.length > 0) await tx.smtpSessions.remove(oldSessions);
      if (oldEntries.length > 0) await tx.audit.remove(oldEntries);
      await tx.events.rollUpCounts(clock.now());
    });
    this.#readUpTo = readUpTo;
    return others > 0 || hasFineCounts || ofDeleted.length === limit;
  }
}
