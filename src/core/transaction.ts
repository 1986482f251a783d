import type { CounterName } from '../contract/vocabulary/event-types.js';
import type { ServiceWarning } from '../contract/vocabulary/warnings.js';
import type { NewAttachment } from './model/contents.js';
import type { AttemptRecord, DeliveryRecord } from './model/deliveries.js';
import type { Deletion, Email, EmailTags, NewEmail, Recipient } from './model/emails.js';
import type { NewEvent, StoredEvent } from './model/events.js';
import type { Job, KindName, NewJob } from './model/jobs.js';
import type { NewAuditEntry, NewRequest, NewSmtpSession } from './model/logs.js';
import type { NewReceived, Release, UnparsedMessage } from './model/received.js';
import type {
  ApiKeyRecord,
  DomainRecord,
  FaultRecord,
  RuleRecord,
  SuppressionRecord,
  TemplateRecord,
  WebhookRecord,
  WorkspaceRecord,
} from './model/resources.js';
import type { Extracts, SearchDocument, ShownContent } from './model/search.js';
import type { Reads } from './reads.js';

/** Defines what a transaction of the Store port does, by resource. */

/** Reads and writes inside one transaction. Reads see the transaction's own writes. */
export interface Transaction extends Reads {
  emails: Reads['emails'] & {
    /** `shown` is undefined if it is not known yet. */
    insert(email: Email, recipients: Recipient[], attachments: NewAttachment[], shown?: ShownContent): Promise<void>;
    /** Inserts the email of a received message, at the message's `seq`. */
    insertReceived(
      seq: number,
      email: NewEmail,
      recipients: Recipient[],
      attachments: NewAttachment[],
      shown?: ShownContent,
    ): Promise<void>;
    /** Deletes the email of a received message, which is inserted again with the parsed content. */
    deleteUnparsed(seq: number): Promise<void>;
    setStatus(id: string, changes: StatusChange): Promise<void>;
    setRecipient(id: string, mailbox: string, state: RecipientState): Promise<void>;
    /** Moves the time of every pending first step by a number of milliseconds. */
    shiftDue(by: number): Promise<void>;
    warn(id: string, warning: ServiceWarning): Promise<void>;
    /**
     * Stores what was found in an email's content. Returns false if the email no longer exists, or its links and codes
     * were found before.
     */
    setExtracts(email: SearchDocument, extracts: Extracts): Promise<boolean>;
    /** Indexes emails with extracts for searches: at most `limit`. Returns the number of those that it read. */
    indexNext(limit: number): Promise<number>;
    /** Marks an email as read at an instant, or as unread. Returns false if it does not exist. */
    setRead(id: string, readAt: number | null): Promise<boolean>;
    /** Replaces the tags of an email. Returns false if it does not exist. */
    setTags(id: string, tags: EmailTags): Promise<boolean>;
    /**
     * Deletes emails, their contents, events and webhook deliveries, and SMTP sessions without other emails; with a
     * workspace, only emails that belong to it (null: to none). Their jobs end without effect. An event whose deliveries
     * have not ended stays until then.
     * Returns the number of those that existed. With a deletion, they can be restored until they are purged.
     */
    delete(ids: readonly string[], deletion?: Deletion, workspace?: string | null): Promise<number>;
    /**
     * Restores some emails of a deletion; with a workspace, only those that belong to it. `at` is the current time. Returns
     * their number, which is 0 if none is left, and the jobs that were kept for them.
     */
    restore(deletion: Deletion, workspace?: string | null): Promise<{ count: number; jobs: NewJob[] }>;
    /** Keeps a job for the restore of its email, if the email was deleted and is not purged. */
    keepJob(emailId: string, job: NewJob): Promise<void>;
    /** Permanently deletes some emails of a deletion, unless it was restored or has deleted more since then. */
    purge(deletion: Deletion): Promise<void>;
  };
  received: Reads['received'] & {
    /**
     * Stores a message. Returns the number of its email, which the caller inserts: the next one. It may be provisional,
     * so only this transaction can use it.
     */
    insert(message: NewReceived): Promise<number>;
    /** Marks the email of a message as not parsed yet. `sentTo` mailboxes count in the quota until it is. */
    addUnparsed(seq: number, state: { sentTo: number; attempts: number }): Promise<void>;
    /** Adds to the number of attempts to parse a message that have begun. */
    countAttempt(message: Pick<UnparsedMessage, 'seq' | 'id'>, by: 1 | -1): Promise<void>;
    /**
     * Removes a message from the unparsed ones, so that its email can be inserted again. Returns false if it is
     * not unparsed: another process has parsed it, or its number belongs to another message since a reset.
     */
    claimUnparsed(message: Pick<UnparsedMessage, 'seq' | 'id'>): Promise<boolean>;
  };
  /** Large contents, stored in chunks before the row that refers to them. */
  contents: {
    /** Appends a chunk. `position` counts from 0. */
    append(key: string, position: number, chunk: Uint8Array): Promise<void>;
    /** Deletes a content unless a row refers to it. */
    delete(key: string): Promise<void>;
  };
  releases: Reads['releases'] & {
    /** Records an attempt to release an email, unless the email was deleted. */
    insert(emailId: string, release: Release): Promise<void>;
  };
  events: Reads['events'] & {
    /**
     * The number of the returned event is provisional until the write has returned. `hasEmail` is false for an event about an email that is not stored (default: whether it names one).
     */
    append(event: NewEvent, counter: CounterName | undefined, hasEmail?: boolean): Promise<StoredEvent>;
    /** Removes events with their deliveries, except those with a delivery that has not ended. */
    remove(seqs: readonly number[]): Promise<void>;
    /** Records that readers miss events up to a number. */
    raiseRemoved(seq: number): Promise<void>;
    /** Drops some counts of short spans of time that are older than they are needed. Those of longer spans stay. */
    rollUpCounts(now: number): Promise<void>;
  };
  jobs: Reads['jobs'] & {
    add(job: NewJob): Promise<void>;
    /** Moves the time of the jobs of this kind by a number of milliseconds. */
    shift(kind: KindName, by: number): Promise<void>;
    /** Returns whether an unclaimed job of this kind is due at `now`. */
    hasDue(kind: KindName, now: number): Promise<boolean>;
    /** Claims jobs due at `now`, by `runAt` and then by creation, until `leaseUntil` in system time. */
    claim(claim: JobClaim): Promise<Job[]>;
    /** Completes a job. Returns false if it no longer exists: its lease expired and another process completed it. */
    complete(seq: number): Promise<boolean>;
    /** Cancels the pending jobs of a recipient. */
    cancelPending(kinds: readonly KindName[], emailId: string, mailbox: string): Promise<void>;
    /** Ends the lease of a job that expires at this instant. Does not end a newer lease. */
    release(seq: number, leaseUntil: number): Promise<void>;
    /** Extends the lease that expires at `leaseUntil`. Returns false if the job has another one, or has ended. */
    renew(seq: number, leaseUntil: number, until: number): Promise<boolean>;
    /** Ends the lease of a job and sets another time to run. */
    reschedule(seq: number, runAt: number): Promise<void>;
    /** Stores the error of a job that failed because of a bug in svc, so that the job can be listed. */
    fail(seq: number, error: string): Promise<void>;
  };
  templates: Reads['templates'] & {
    /** Returns false if the name is already in use. */
    insert(template: TemplateRecord): Promise<boolean>;
    /** Returns false if the name is already in use. */
    update(template: TemplateRecord): Promise<boolean>;
    delete(id: string): Promise<void>;
  };
  domains: Reads['domains'] & {
    /** Returns false if the domain already exists. */
    insert(domain: DomainRecord): Promise<boolean>;
    update(domain: DomainRecord): Promise<void>;
    delete(domain: string): Promise<void>;
  };
  apiKeys: Reads['apiKeys'] & {
    insert(key: ApiKeyRecord): Promise<void>;
    delete(id: string): Promise<void>;
  };
  webhooks: Reads['webhooks'] & {
    insert(webhook: WebhookRecord): Promise<void>;
    update(webhook: WebhookRecord): Promise<void>;
    delete(id: string): Promise<void>;
    /** Records that the deliveries of events up to this one are queued, for every active subscription. */
    advance(seq: number): Promise<void>;
    /**
     * Disables ephemeral subscriptions whose clients have disconnected. Deletes those created before an instant, and ends
     * their pending deliveries.
     */
    expireEphemeral(ids: readonly string[], deleteBefore: number): Promise<void>;
  };
  deliveries: Reads['deliveries'] & {
    insert(delivery: DeliveryRecord): Promise<void>;
    /** Ends a pending delivery whose subscription was deleted or disabled. */
    abandon(id: string): Promise<void>;
    /** Returns false if the delivery no longer exists. */
    recordAttempt(
      attempt: AttemptRecord,
      state: DeliveryRecord['state'],
      nextAttemptAt: number | null,
    ): Promise<boolean>;
  };
  settings: Reads['settings'] & {
    set(name: string, value: string): Promise<void>;
  };
  workspaces: Reads['workspaces'] & {
    insert(workspace: WorkspaceRecord): Promise<void>;
    /** Changes the limits of a workspace. */
    limit(name: string, limits: Pick<WorkspaceRecord, 'keep' | 'maxAgeMs' | 'monthlyQuota'>): Promise<void>;
    /** Hides a workspace, so that nothing is added to it while it is being deleted. */
    end(name: string): Promise<void>;
    /** Deletes a hidden workspace and its counts. */
    deleteEnded(name: string): Promise<void>;
    /** Counts a recipient that an email was sent to in the month that begins at an instant. */
    countSent(workspace: string | null, month: number): Promise<void>;
  };
  suppressions: Reads['suppressions'] & {
    /** Inserts a suppression. Does not change one that already exists. */
    insert(suppression: SuppressionRecord): Promise<void>;
    /** Returns false if it does not exist. */
    delete(mailbox: string, workspace: string | null): Promise<boolean>;
    /** Deletes the suppressions of a workspace. */
    clear(workspace: string): Promise<void>;
  };
  faults: Reads['faults'] & {
    insert(fault: FaultRecord): Promise<void>;
    /** Counts a match of a fault, which was injected 0 times or once. */
    count(id: string, hits: 0 | 1): Promise<void>;
    /** Returns false if it does not exist, or belongs to another workspace than the given one. */
    delete(id: string, workspace?: string | null): Promise<boolean>;
    /** Deletes all faults; of one workspace, if it is given. Returns their number. */
    clear(workspace?: string | null): Promise<number>;
  };
  rules: Reads['rules'] & {
    insert(rule: RuleRecord): Promise<void>;
    /** Counts an email that the rule applied to. */
    use(id: string): Promise<void>;
    /** Returns false if it does not exist, or belongs to another workspace than the given one. */
    delete(id: string, workspace?: string | null): Promise<boolean>;
    /** Deletes the rules of a workspace. */
    clear(workspace: string): Promise<void>;
  };
  requests: Reads['requests'] & {
    append(requests: readonly NewRequest[]): Promise<void>;
    remove(seqs: readonly number[]): Promise<void>;
    /** Deletes the oldest requests above `kept`, and the oldest reads of svc's own commands above `ownReadsKept`. */
    trim(kept: number, ownReadsKept: number): Promise<void>;
  };
  audit: Reads['audit'] & {
    /** Appends an entry, and deletes the oldest above the limit. */
    append(entry: NewAuditEntry): Promise<void>;
    remove(seqs: readonly number[]): Promise<void>;
  };
  smtpSessions: Reads['smtpSessions'] & {
    append(sessions: readonly NewSmtpSession[]): Promise<void>;
    remove(seqs: readonly number[]): Promise<void>;
    /** Deletes the oldest sessions above the limits, of those that failed and of others. */
    trim(): Promise<void>;
  };
  /** Deletes everything except API keys, the clock, the audit log and ephemeral subscriptions. Sequence numbers continue to rise. */
  reset(): Promise<void>;
  /**
   * Replaces everything but the audit log with a staged state. Active ephemeral subscriptions stay and receive later events; those of the
   * staged state are disabled. Jobs get new numbers and no lease. Sequence numbers continue from the higher of both.
   */
  replace(staged: StagedState): Promise<void>;
}

export type StatusChange = Partial<
  Pick<
    Email,
    'status' | 'pending' | 'sentAt' | 'deliveredAt' | 'openedAt' | 'opensCount' | 'clicksCount' | 'bounceReason'
  >
>;

/** The state of a recipient, with the first step that is due. */
export type RecipientState = Pick<Recipient, 'status' | 'dueAt' | 'steps'>;

export interface JobClaim {
  now: number;
  systemNow: number;
  leaseUntil: number;
  limit: number;
  kinds: readonly string[];
  /** Maximum number of concurrent jobs per queue, and the current number in each. */
  perQueue?: { limit: number; running: ReadonlyMap<string, number> };
}

/** An imported state, checked and migrated. The caller must discard it. */
export interface StagedState {
  /** Number of rows that could not be used and were moved to the table `quarantine`. */
  readonly setAside: number;
  discard(): Promise<void>;
}
