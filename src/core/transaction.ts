import type { CounterName } from '../contract/vocabulary/counters.js';
import type { ServiceWarning } from '../contract/vocabulary/warnings.js';
import type { Attachment, AttachmentInfo, NewAttachment } from './model/contents.js';
import type { AttemptRecord, DeliveryFilter, DeliveryHead, DeliveryRecord } from './model/deliveries.js';
import type {
  DueRecipient,
  Email,
  EmailFilter,
  EmailHead,
  EmailState,
  EmailWithoutBodies,
  NewEmail,
  Recipient,
  StoredRecipient,
} from './model/emails.js';
import type { Counts, NewEvent, StoredEvent } from './model/events.js';
import type { Job, NewJob } from './model/jobs.js';
import type { Page, Paged } from './model/pages.js';
import type {
  NewReceived,
  ReceivedEnvelope,
  ReceivedMessage,
  UnparsedHead,
  UnparsedMessage,
} from './model/received.js';
import type { NewRequest, RequestFilter, RequestRecord } from './model/requests.js';
import type {
  ApiKeyRecord,
  DomainRecord,
  RuleRecord,
  SuppressionRecord,
  TemplateRecord,
  WebhookRecord,
} from './model/resources.js';
import type { StagedState } from './store.js';

/** Defines the reads and writes of the Store port, by resource. */

/** Reads of the store. They return committed rows, and may also return rows of a commit that is not finished. */
export interface Reads {
  emails: {
    find(id: string): Promise<Email | undefined>;
    findWithoutBodies(id: string): Promise<EmailWithoutBodies | undefined>;
    /** Returns whether an email is a placeholder for a message that is not parsed yet. */
    isPlaceholder(id: string): Promise<boolean>;
    list(filter: EmailFilter, page: Page): Promise<Paged<EmailHead>>;
    recipients(id: string): Promise<StoredRecipient[]>;
    recipient(id: string, mailbox: string): Promise<StoredRecipient | undefined>;
    /** Returns the columns of an email that follow from the states of its recipients. */
    state(id: string): Promise<EmailState | undefined>;
    /** Returns recipients whose first step is due at `until`, in the order in which they are due: at most `limit`. */
    due(until: number, limit: number): Promise<DueRecipient[]>;
    /** Returns when the next first step is due; null if none is pending. */
    nextDue(): Promise<number | null>;
    attachments(id: string): Promise<AttachmentInfo[]>;
    attachment(id: string, position: number): Promise<Attachment | undefined>;
    /** Returns the warnings about the email's request or message, in the order of their discovery. */
    warnings(id: string): Promise<ServiceWarning[]>;
    /** Returns the number of emails of each status that occurs. */
    countByStatus(): Promise<Map<string, number>>;
  };
  /** Messages as received over SMTP. */
  received: {
    ofEmail(emailId: string): Promise<ReceivedMessage | undefined>;
    /** Returns the envelope, and the size of the message in bytes. */
    envelopeOf(emailId: string): Promise<(ReceivedEnvelope & { size: number }) | undefined>;
    /** Returns the bytes of a message, by its `seq`. */
    bytesOf(seq: number): Promise<Uint8Array | undefined>;
    /** Returns messages that are not parsed yet, in order of `seq`: at most `limit`, without those in `except`. */
    unparsed(query: UnparsedQuery): Promise<UnparsedMessage[]>;
    /** Returns unparsed messages without a placeholder, in order of `seq` in [from, upTo]: at most `limit`. */
    unlisted(query: { from: number; upTo: number; limit: number }): Promise<UnparsedHead[]>;
    /** Returns the `seq` of the first and last unparsed message. */
    unparsedRange(): Promise<{ first: number; last: number } | undefined>;
  };
  events: {
    /** Returns events after `seq`, in order: at most `limit`. */
    after(seq: number, limit: number): Promise<StoredEvent[]>;
    find(id: string): Promise<StoredEvent | undefined>;
    ofEmail(emailId: string): Promise<StoredEvent[]>;
    /** Returns the sequence number of the last event; 0 for an empty log. */
    lastSeq(): Promise<number>;
    /** Returns events since an instant, in order of `seq`. */
    since(instant: number): Promise<StoredEvent[]>;
    /** Returns the number of events in [from, to], by counter. */
    count(from: number, to: number): Promise<Counts>;
  };
  jobs: {
    /**
     * Returns when a job of these kinds can next be claimed: `dueAt` on the service's clock for an unclaimed job,
     * `leaseEndsAt` in system time for a claimed one. Skips jobs of full queues.
     */
    next(
      kinds: readonly string[],
      systemNow: number,
      fullQueues?: readonly string[],
    ): Promise<{ dueAt: number | null; leaseEndsAt: number | null }>;
    /** Returns the job of these kinds that is due first, claimed or not. */
    first(kinds: readonly string[]): Promise<{ runAt: number; leaseUntil: number } | undefined>;
  };
  templates: {
    find(id: string): Promise<TemplateRecord | undefined>;
    list(page: Page): Promise<Paged<TemplateRecord>>;
  };
  domains: {
    find(domain: string): Promise<DomainRecord | undefined>;
    list(): Promise<DomainRecord[]>;
  };
  apiKeys: {
    find(id: string): Promise<ApiKeyRecord | undefined>;
    findByHash(hash: string): Promise<ApiKeyRecord | undefined>;
    list(): Promise<ApiKeyRecord[]>;
  };
  webhooks: {
    find(id: string): Promise<WebhookRecord | undefined>;
    /** Returns all subscriptions, newest first, including ephemeral ones. */
    list(): Promise<WebhookRecord[]>;
  };
  deliveries: {
    find(id: string): Promise<{ delivery: DeliveryRecord; event: StoredEvent; webhook: WebhookRecord } | undefined>;
    attempts(deliveryId: string): Promise<AttemptRecord[]>;
    /** Returns a subscription's pending deliveries, oldest first. */
    pendingOf(webhookId: string): Promise<DeliveryRecord[]>;
    /** Returns the number of active subscriptions whose last attempt failed. */
    countFailingWebhooks(): Promise<number>;
    /** Returns deliveries, newest first. */
    list(filter: DeliveryFilter, page: Page): Promise<Paged<DeliveryHead>>;
  };
  settings: {
    /**
     * Returns the value that `parse` returns; undefined if the setting does not exist. If `parse` returns undefined,
     * the row is moved to `quarantine`.
     */
    get<T>(name: string, parse: (value: string) => T | undefined): Promise<T | undefined>;
  };
  suppressions: {
    find(mailbox: string): Promise<SuppressionRecord | undefined>;
    /** Returns suppressions, newest first. */
    list(page: Page): Promise<Paged<SuppressionRecord>>;
  };
  rules: {
    /** Returns rules, newest first. */
    list(): Promise<RuleRecord[]>;
    /** Returns rules that still apply, newest first, without those that have reached their maximum number of uses. */
    listActive(): Promise<RuleRecord[]>;
  };
  requests: {
    newest(filter: RequestFilter, limit: number): Promise<RequestRecord[]>;
    /** Returns requests after `seq`, in order. */
    after(seq: number, filter: RequestFilter, limit: number): Promise<RequestRecord[]>;
    /** Returns the sequence number of the last request; 0 for an empty log. */
    lastSeq(): Promise<number>;
  };
}

/** Reads and writes inside one transaction. Reads see the transaction's own writes. */
export interface Transaction extends Reads {
  emails: Reads['emails'] & {
    insert(email: Email, recipients: Recipient[], attachments: NewAttachment[]): Promise<void>;
    /** Inserts the email of a received message, at the message's `seq`. */
    insertParsed(seq: number, email: NewEmail, recipients: Recipient[], attachments: NewAttachment[]): Promise<void>;
    /** Deletes the placeholder of a received message, if any. */
    deletePlaceholder(seq: number): Promise<void>;
    setStatus(id: string, changes: StatusChange): Promise<void>;
    setRecipient(id: string, mailbox: string, state: RecipientState): Promise<void>;
    /** Moves the time of every pending first step by a number of milliseconds. */
    shiftDue(by: number): Promise<void>;
    warn(id: string, warning: ServiceWarning): Promise<void>;
    /** Deletes an email and its contents. Its jobs end without effect. Returns false if it does not exist. */
    delete(id: string): Promise<boolean>;
  };
  received: Reads['received'] & {
    /** Stores a message and assigns the next number among emails. */
    insert(message: NewReceived): Promise<void>;
    /**
     * Removes a message from the unparsed ones, so that its email can be inserted at its `seq`. Returns false if it is
     * not unparsed: another process has parsed it, or its number belongs to another message since a reset.
     */
    claimUnparsed(message: Pick<UnparsedHead, 'seq' | 'id'>): Promise<boolean>;
  };
  /** Large contents, stored in chunks before the row that refers to them. */
  contents: {
    /** Appends a chunk. `position` counts from 0. */
    append(key: string, position: number, chunk: Uint8Array): Promise<void>;
    /** Deletes a content unless a row refers to it. */
    delete(key: string): Promise<void>;
  };
  events: Reads['events'] & {
    append(event: NewEvent, counter: CounterName | undefined): Promise<StoredEvent>;
  };
  jobs: Reads['jobs'] & {
    add(job: NewJob): Promise<void>;
    /** Moves the time of the jobs of this kind by a number of milliseconds. */
    shift(kind: string, by: number): Promise<void>;
    /** Returns whether an unclaimed job of this kind is due at `now`. */
    hasDue(kind: string, now: number): Promise<boolean>;
    /** Claims jobs due at `now`, by `runAt` and then by creation, until `leaseUntil` in system time. */
    claim(claim: JobClaim): Promise<Job[]>;
    /** Completes a job. Returns false if it no longer exists: its lease expired and another process completed it. */
    complete(seq: number): Promise<boolean>;
    /** Cancels the pending jobs of a recipient. */
    cancelPending(kinds: readonly string[], emailId: string, mailbox: string): Promise<void>;
    /** Ends the lease of a job that expires at this instant. Does not end a newer lease. */
    release(seq: number, leaseUntil: number): Promise<void>;
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
    /** Disables ephemeral subscriptions, whose clients have disconnected, and deletes those created before an instant. */
    expireEphemeral(deleteBefore: number): Promise<void>;
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
  suppressions: Reads['suppressions'] & {
    /** Inserts a suppression. Does not change one that already exists. */
    insert(suppression: SuppressionRecord): Promise<void>;
    /** Returns false if it does not exist. */
    delete(mailbox: string): Promise<boolean>;
  };
  rules: Reads['rules'] & {
    insert(rule: RuleRecord): Promise<void>;
    /** Counts an email that the rule applied to. */
    use(id: string): Promise<void>;
    /** Returns false if it does not exist. */
    delete(id: string): Promise<boolean>;
  };
  requests: Reads['requests'] & {
    append(requests: readonly NewRequest[]): Promise<void>;
    /** Deletes the oldest requests above `kept`, and the oldest reads of svc's own commands above `ownReadsKept`. */
    trim(kept: number, ownReadsKept: number): Promise<void>;
  };
  /** Deletes everything except API keys, the clock and ephemeral subscriptions. Sequence numbers continue to rise. */
  reset(): Promise<void>;
  /**
   * Replaces everything with a staged state. Active ephemeral subscriptions stay and receive later events; those of the
   * staged state are disabled. Jobs get new numbers and no lease. Sequence numbers continue from the higher of both.
   */
  replace(staged: StagedState): Promise<void>;
}

export interface UnparsedQuery {
  limit: number;
  except: readonly number[];
  /** Maximum size of messages to read with their bytes. */
  bytesUpTo: number;
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
