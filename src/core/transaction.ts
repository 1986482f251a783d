import type { CounterName } from '../contract/vocabulary/counters.js';
import type {
  ApiKeyRecord,
  Attachment,
  AttachmentInfo,
  AttemptRecord,
  Counts,
  DeliveryFilter,
  DeliveryHead,
  DeliveryRecord,
  DomainRecord,
  Email,
  EmailFilter,
  EmailHead,
  EmailWithoutBodies,
  Job,
  NewAttachment,
  NewEmail,
  NewEvent,
  NewJob,
  NewReceived,
  NewRequest,
  Page,
  Paged,
  ReceivedEnvelope,
  ReceivedMessage,
  Recipient,
  RequestFilter,
  RequestRecord,
  RuleRecord,
  StoredEvent,
  StoredRecipient,
  SuppressionRecord,
  TemplateRecord,
  UnparsedHead,
  UnparsedMessage,
  WebhookRecord,
} from './model.js';
import type { StagedState } from './store.js';

/** The shape of the store's data, as the core reads and writes it. */

/** Reads of the store: what has been committed, and at times what the commit under way is about to keep. */
export interface Reads {
  emails: {
    find(id: string): Promise<Email | undefined>;
    findWithoutBodies(id: string): Promise<EmailWithoutBodies | undefined>;
    /** Whether an email stands for a message that is still being parsed. */
    isPlaceholder(id: string): Promise<boolean>;
    list(filter: EmailFilter, page: Page): Promise<Paged<EmailHead>>;
    recipients(id: string): Promise<StoredRecipient[]>;
    recipient(id: string, mailbox: string): Promise<StoredRecipient | undefined>;
    attachments(id: string): Promise<AttachmentInfo[]>;
    attachment(id: string, position: number): Promise<Attachment | undefined>;
    /** What the message asked for and could not get. */
    warnings(id: string): Promise<string[]>;
    /** How many emails were accepted over the API in [from, before). */
    countSent(from: number, before: number): Promise<number>;
  };
  /** What came by SMTP, as it came. */
  received: {
    ofEmail(emailId: string): Promise<ReceivedMessage | undefined>;
    /** The envelope, and how many bytes were delivered. */
    envelopeOf(emailId: string): Promise<(ReceivedEnvelope & { size: number }) | undefined>;
    /** The bytes of one message, by its `seq`. */
    bytesOf(seq: number): Promise<Uint8Array | undefined>;
    /** Received messages that are not parsed yet, in order of `seq`: at most `limit`, none of those in `except`. */
    unparsed(query: UnparsedQuery): Promise<UnparsedMessage[]>;
    /** Unparsed messages without an email that stands for them, in order of `seq` in [from, upTo]: at most `limit`. */
    unlisted(query: { from: number; upTo: number; limit: number }): Promise<UnparsedHead[]>;
    /** The `seq` of the first and last of them. */
    unparsedRange(): Promise<{ first: number; last: number } | undefined>;
  };
  events: {
    /** In order of `seq`, at most `limit`. */
    after(seq: number, limit: number): Promise<StoredEvent[]>;
    find(id: string): Promise<StoredEvent | undefined>;
    ofEmail(emailId: string): Promise<StoredEvent[]>;
    /** 0 when there is none. */
    lastSeq(): Promise<number>;
    /** Events from an instant on, in order of `seq`. */
    since(instant: number): Promise<StoredEvent[]>;
    /** Events whose instant lies in [from, to], by counter. */
    count(from: number, to: number): Promise<Counts>;
  };
  jobs: {
    /**
     * When a job of these kinds can next be claimed: `dueAt` on the service's clock for one that is free, `leaseEndsAt` on
     * the machine's for one that is claimed. Jobs of a queue that has no room are passed over.
     */
    next(
      kinds: readonly string[],
      systemNow: number,
      fullQueues?: readonly string[],
    ): Promise<{ dueAt: number | null; leaseEndsAt: number | null }>;
    pending(): Promise<number>;
    /** The job of these kinds that is due first, claimed or free. */
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
    /** Newest first, ephemeral ones included. */
    list(): Promise<WebhookRecord[]>;
  };
  deliveries: {
    find(id: string): Promise<{ delivery: DeliveryRecord; event: StoredEvent; webhook: WebhookRecord } | undefined>;
    attempts(deliveryId: string): Promise<AttemptRecord[]>;
    /** Those of a subscription that have an attempt to come, oldest first. */
    pendingOf(webhookId: string): Promise<DeliveryRecord[]>;
    /** Newest first. */
    list(filter: DeliveryFilter, page: Page): Promise<Paged<DeliveryHead>>;
  };
  settings: {
    /** The value as `parse` reads it; undefined when there is none. One that `parse` answers undefined for is set aside. */
    get<T>(name: string, parse: (value: string) => T | undefined): Promise<T | undefined>;
  };
  suppressions: {
    find(mailbox: string): Promise<SuppressionRecord | undefined>;
    /** Newest first. */
    list(page: Page): Promise<Paged<SuppressionRecord>>;
  };
  rules: {
    /** Newest first. */
    list(): Promise<RuleRecord[]>;
    /** Newest first, without those that are used up. */
    listActive(): Promise<RuleRecord[]>;
  };
  requests: {
    newest(filter: RequestFilter, limit: number): Promise<RequestRecord[]>;
    /** In order of `seq`. */
    after(seq: number, filter: RequestFilter, limit: number): Promise<RequestRecord[]>;
    /** 0 when there is none. */
    lastSeq(): Promise<number>;
  };
}

/** Reads and writes inside one transaction; reads see its own writes. */
export interface Transaction extends Reads {
  emails: Reads['emails'] & {
    insert(email: Email, recipients: Recipient[], attachments: NewAttachment[]): Promise<void>;
    /** Inserts what a received message became. */
    insertParsed(seq: number, email: NewEmail, recipients: Recipient[], attachments: NewAttachment[]): Promise<void>;
    /** Deletes what stands for a received message until it is parsed, if anything does. */
    deletePlaceholder(seq: number): Promise<void>;
    setStatus(id: string, changes: StatusChange): Promise<void>;
    setRecipientStatus(id: string, mailbox: string, status: Recipient['status']): Promise<void>;
    warn(id: string, text: string): Promise<void>;
  };
  received: Reads['received'] & {
    /** Keeps a message, which takes its place among the emails. */
    insert(message: NewReceived): Promise<void>;
    /**
     * Takes a message out of the unparsed and answers whether it was there; then it is to be inserted at its `seq`. After a
     * reset another message may have that number.
     */
    claimUnparsed(message: Pick<UnparsedHead, 'seq' | 'id'>): Promise<boolean>;
  };
  /** Large contents, which are stored in chunks before the row that refers to them. */
  contents: {
    /** `position` counts from 0. */
    append(key: string, position: number, chunk: Uint8Array): Promise<void>;
    /** Deletes a content unless a row refers to it. */
    delete(key: string): Promise<void>;
  };
  events: Reads['events'] & {
    append(event: NewEvent, counter: CounterName | undefined): Promise<StoredEvent>;
  };
  jobs: Reads['jobs'] & {
    add(job: NewJob): Promise<void>;
    /** Whether an unclaimed job of this kind is due at `now`. */
    hasDue(kind: string, now: number): Promise<boolean>;
    /** Claims jobs due at `now` in order of `runAt`, then of their making, until `leaseUntil` on the system's clock. */
    claim(claim: JobClaim): Promise<Job[]>;
    /** Ends a job. False when it is gone already: its lease ran out, somebody else did it, and its effects are there. */
    complete(seq: number): Promise<boolean>;
    /** Cancels the pending jobs of a recipient’s mail. */
    cancelPending(kinds: readonly string[], emailId: string, mailbox: string): Promise<void>;
    /** Releases a job from the lease that ends at that instant, but not from a newer one. */
    release(seq: number, leaseUntil: number): Promise<void>;
    /** Gives a claimed job back, to run at another time. */
    reschedule(seq: number, runAt: number): Promise<void>;
    /** Sets a job aside that failed for a reason of ours, so that it can be seen. */
    fail(seq: number, error: string): Promise<void>;
  };
  templates: Reads['templates'] & {
    /** False when the name is taken. */
    insert(template: TemplateRecord): Promise<boolean>;
    /** False when the name is taken. */
    update(template: TemplateRecord): Promise<boolean>;
    delete(id: string): Promise<void>;
  };
  domains: Reads['domains'] & {
    /** False when the domain is there already. */
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
    /** Every active subscription has now got the events up to this one. */
    advance(seq: number): Promise<void>;
    /** Switches off ephemeral subscriptions whose reader is gone, and deletes those created before an instant. */
    expireEphemeral(deleteBefore: number): Promise<void>;
  };
  deliveries: Reads['deliveries'] & {
    insert(delivery: DeliveryRecord): Promise<void>;
    /** Ends a pending delivery whose subscription was deleted or switched off. */
    abandon(id: string): Promise<void>;
    /** False when the delivery is gone. */
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
    /** A mailbox that is there already stays as it is. */
    insert(suppression: SuppressionRecord): Promise<void>;
    /** False when it was not there. */
    delete(mailbox: string): Promise<boolean>;
  };
  rules: Reads['rules'] & {
    insert(rule: RuleRecord): Promise<void>;
    /** Counts one mail that it decided. */
    use(id: string): Promise<void>;
    /** False when it was not there. */
    delete(id: string): Promise<boolean>;
  };
  requests: Reads['requests'] & {
    /** Adds requests, and lets the oldest go beyond `maxRows`. */
    append(requests: readonly NewRequest[], maxRows: number): Promise<void>;
  };
  /** Empties everything but the keys, the clock, and ephemeral subscriptions. Sequence numbers go on rising. */
  reset(): Promise<void>;
  /**
   * Puts what was staged in the place of everything. Ephemeral subscriptions that are active stay, and get what happens from
   * now on; those that come with it are switched off. Jobs get new numbers and are free; sequence numbers go on rising from
   * the higher of both sides.
   */
  replace(staged: StagedState): Promise<void>;
}

export interface UnparsedQuery {
  limit: number;
  except: readonly number[];
  /** Reads the bytes of messages up to this size. */
  bytesUpTo: number;
}

export type StatusChange = Partial<
  Pick<Email, 'status' | 'sentAt' | 'deliveredAt' | 'openedAt' | 'opensCount' | 'clicksCount' | 'bounceReason'>
>;

export interface JobClaim {
  now: number;
  systemNow: number;
  leaseUntil: number;
  limit: number;
  kinds: readonly string[];
  /** How many jobs of one queue may run at once, and how many of each do. */
  perQueue?: { limit: number; running: ReadonlyMap<string, number> };
}
