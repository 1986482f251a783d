import type { StoredEvent } from '../../core/model.js';
import type { Committed } from '../../core/store.js';
import { CountsByInstant } from './tables/counts.js';

/** What a write or a whole commit brings to others: listeners, the counters, and the table of contents. */
export class Changes {
  /** The appended events, in order. */
  events: StoredEvent[] = [];
  /** The counts of these events, which are written once per commit. */
  counts = new CountsByInstant();
  /** Whether jobs were added, or released from a lease. */
  jobs = false;
  /** Keys of contents that a row refers to now, or that were deleted. */
  readonly contents: string[] = [];
  /** The last rows, when everything was emptied or replaced. */
  replaced: Committed['replaced'];

  /** Records that everything was emptied or replaced, and drops the events that were appended before. */
  replaceAll(replaced: NonNullable<Committed['replaced']>): void {
    this.replaced = replaced;
    this.events = [];
    this.counts = new CountsByInstant();
  }

  /** Adds the changes of a later write. */
  add(later: Changes): void {
    if (later.replaced) this.replaceAll(later.replaced);
    this.events.push(...later.events);
    this.counts.addAll(later.counts);
    this.jobs ||= later.jobs;
    this.contents.push(...later.contents);
  }

  /** Whether readers of the event log find something else than before. */
  get hasEvents(): boolean {
    return this.events.length > 0 || this.replaced !== undefined;
  }
}
