import type { CounterName } from '../../contract/vocabulary/event-types.js';
import type { StoredEvent } from '../../core/model/events.js';
import type { AttemptRef, Committed } from '../../core/store.js';
import type { EmailCount } from './rows/email-counts.js';

/** The changes of a commit before a write, to return to if the write fails. */
export type Mark = Readonly<
  Pick<
    Changes,
    'events' | 'counters' | 'sent' | 'deletions' | 'replaced' | 'emails' | 'emailCounts' | 'settings' | 'logs'
  >
> & {
  readonly eventCount: number;
  readonly sentCount: number;
  readonly emailCount: number;
  readonly contentCount: number;
  readonly attemptCount: number;
  readonly emailChangeCount: number;
  readonly jobCount: number;
};

/** A recipient that an email of a workspace, or of none, was sent to in a month. */
export interface SentCount {
  workspace: string | null;
  /** The instant at which the month begins. */
  month: number;
}

/** Stands for jobs of kinds that are not known. */
export const ANY_JOB_KIND = '';

/** Returns the changes of the current commit, or empty ones between commits. */
export type CurrentChanges = () => Changes;

/**
 * The changes of a commit that concern listeners, the counters, or the table of contents. All writes of a commit share
 * this object, which takes less CPU time than lists for each write. The changes of a failed write are undone up to its
 * mark.
 */
export class Changes {
  /** The appended events, in order. */
  events: StoredEvent[] = [];
  /** The counter of each event, if it has one. */
  counters: (CounterName | undefined)[] = [];
  /** The recipients that emails were sent to. */
  sent: SentCount[] = [];
  /** IDs of inserted or changed emails, with repetitions. */
  emails: string[] = [];
  /** Changes of the numbers of emails with a status, a sender or another counted value. */
  emailCounts: EmailCount[] = [];
  /** The kind of each job that was added, and `ANY_JOB_KIND` where jobs were released or replaced. */
  readonly jobs: string[] = [];
  /** Number of deleted emails. */
  deletions = 0;
  /** Number of changes of settings and faults. */
  settings = 0;
  /** Number of times that requests or SMTP sessions were recorded. */
  logs = 0;
  readonly attempts: AttemptRef[] = [];
  /** Keys of contents that a row now refers to, or that were deleted. */
  readonly contents: string[] = [];
  /** The last rows of the logs, set if everything was emptied or replaced. */
  replaced: Committed['replaced'] = undefined;

  append(event: StoredEvent, counter: CounterName | undefined): void {
    this.events.push(event);
    this.counters.push(counter);
    if (event.emailId !== null) this.emails.push(event.emailId);
  }

  /** Records changes of the numbers of emails with a value. */
  count(counts: readonly EmailCount[]): void {
    for (const count of counts) this.emailCounts.push(count);
  }

  /** Records that everything was emptied or replaced, and drops the events that were appended before. */
  replaceAll(replaced: NonNullable<Committed['replaced']>): void {
    this.replaced = replaced;
    this.events = [];
    this.counters = [];
    this.sent = [];
    this.emails = [];
    this.emailCounts = [];
  }

  mark(): Mark {
    const { events, counters, sent, deletions, replaced, emails, emailCounts, contents, settings, logs } = this;
    const lengths = {
      eventCount: events.length,
      sentCount: sent.length,
      emailCount: emails.length,
      contentCount: contents.length,
    };
    const counts = { emailChangeCount: emailCounts.length, attemptCount: this.attempts.length };
    const more = { ...counts, jobCount: this.jobs.length, settings, logs };
    return { events, counters, sent, deletions, replaced, emails, emailCounts, ...lengths, ...more };
  }

  /** Undoes the changes of a failed write, back to the mark before it. */
  undo(mark: Mark): void {
    this.events = mark.events;
    this.counters = mark.counters;
    this.events.length = mark.eventCount;
    this.counters.length = mark.eventCount;
    this.sent = mark.sent;
    this.sent.length = mark.sentCount;
    this.emails = mark.emails;
    this.emails.length = mark.emailCount;
    this.emailCounts = mark.emailCounts;
    this.emailCounts.length = mark.emailChangeCount;
    this.jobs.length = mark.jobCount;
    this.deletions = mark.deletions;
    this.replaced = mark.replaced;
    this.contents.length = mark.contentCount;
    this.attempts.length = mark.attemptCount;
    this.settings = mark.settings;
    this.logs = mark.logs;
  }

  /** Returns whether jobs were added or released since a mark, and their kinds if they are known. */
  jobsSince({ jobCount }: Mark): { jobs: boolean; jobKinds?: string[] } {
    const added = this.jobs.slice(jobCount);
    return { jobs: added.length > 0, ...(!added.includes(ANY_JOB_KIND) && { jobKinds: added }) };
  }

  /** Returns whether the event log has changed for its readers since a mark. */
  hasEventsSince(mark: Mark): boolean {
    return this.events !== mark.events || this.events.length > mark.eventCount;
  }

  /** Replaces provisional numbers of events and emails. */
  settle(numberOf: (number: number) => number): void {
    for (const event of this.events) event.seq = numberOf(event.seq);
    for (const count of this.emailCounts) count.seq = numberOf(count.seq);
  }
}
