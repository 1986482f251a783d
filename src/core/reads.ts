import type { Pagination } from '../contract/fields.js';
import type { ServiceWarning } from '../contract/vocabulary/warnings.js';
import type { Attachment, AttachmentInfo } from './model/contents.js';
import type { AttemptRecord, DeliveryFilter, DeliveryHead, DeliveryRecord, FoundDelivery } from './model/deliveries.js';
import type {
  Deletion,
  DueRecipient,
  Email,
  EmailFilter,
  EmailHead,
  EmailState,
  EmailWithoutBodies,
  StoredRecipient,
} from './model/emails.js';
import type { Counts, StoredEvent } from './model/events.js';
import type { KindName } from './model/jobs.js';
import type { AuditEntry, EndedSmtpSession, RequestFilter, RequestRecord, SmtpSessionFilter } from './model/logs.js';
import type { ReceivedMessage, ReceivedSummary, Release, UnparsedMessage } from './model/received.js';
import type {
  ApiKeyRecord,
  DomainRecord,
  FaultRecord,
  Page,
  Paged,
  RuleRecord,
  SuppressionRecord,
  TemplateRecord,
  WebhookRecord,
  WorkspaceRecord,
} from './model/resources.js';
import type {
  EmailMatcher,
  Extent,
  Extraction,
  SearchDocument,
  SearchPage,
  SearchResult,
  UnextractedEmail,
  UnextractedQuery,
} from './model/search.js';

/** Defines the reads of the Store port, by resource. */

/** Reads of the store. They return committed rows, and may also return rows of a commit that is not finished. */
export interface Reads {
  emails: {
    find(id: string): Promise<Email | undefined>;
    findWithoutBodies(id: string): Promise<EmailWithoutBodies | undefined>;
    /** Returns whether the message of an email is not parsed yet. */
    isParsing(id: string): Promise<boolean>;
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
    /** Returns the number of emails of each status that occurs; of one workspace only, if it is given. */
    countByStatus(workspace?: string): Promise<Map<string, number>>;
    /** Returns the number of emails of the most frequent senders, by their mailboxes; of one workspace only, if it is given. */
    countBySender(limit: number, workspace?: string): Promise<Map<string, number>>;
    /** Returns the number of emails with each tag; of one workspace only, if it is given. */
    countByTag(workspace?: string): Promise<Map<string, number>>;
    /** Returns the number of emails that are not marked as read; of one workspace only, if it is given. */
    countUnread(workspace?: string): Promise<number>;
    /** Returns the emails with these IDs as queries test them, in the same order, without those that do not exist. */
    documents(ids: readonly string[]): Promise<SearchDocument[]>;
    /** Returns emails that match a query, newest first. */
    search(matcher: EmailMatcher, page: SearchPage): Promise<SearchResult>;
    /** Returns the number of emails that wait to be indexed for searches: at most `limit`. */
    unindexed(limit: number): Promise<number>;
    /** Returns the number of emails that searches test because they are not in the index yet. Reads all of their numbers. */
    waitingForIndex(): Promise<number>;
    /** Returns the sequence number of the newest email that was ever accepted; 0 before the first. */
    lastSeq(): Promise<number>;
    /** Returns the sequence number of the last email captured before an instant of the machine's clock; 0 if none. */
    seqSince(capturedAt: number): Promise<number>;
    /**
     * Returns parsed emails in whose content less is found, in order of `seq`: at most `limit`, and fewer if they are
     * large. None is left if `seqs` is empty. It also has the numbers of those that cannot be read.
     */
    unextracted(query: UnextractedQuery): Promise<{ seqs: readonly number[]; emails: UnextractedEmail[] }>;
    /** Returns the number of an email, and what was found in its content; undefined if it does not exist. */
    extraction(id: string): Promise<Extraction | undefined>;
    /** Returns the `seq` of the first and last parsed email after a number (default: of all) in whose content less is found. */
    unextractedRange(extent: Extent, after?: number): Promise<{ first: number; last: number } | undefined>;
    /** Returns the deletions whose emails can be restored, oldest first. */
    deletions(): Promise<Deletion[]>;
    /** Returns the IDs of emails that a server no longer keeps, at most `limit`. */
    expired(query: ExpiredQuery): Promise<string[]>;
  };
  /** Messages as received over SMTP. */
  received: {
    ofEmail(emailId: string): Promise<ReceivedMessage | undefined>;
    /** Returns the envelope, and the size of the message in bytes. */
    envelopeOf(emailId: string): Promise<ReceivedSummary | undefined>;
    /** Returns the ID of the message that an import added with this key. */
    imported(key: string): Promise<string | undefined>;
    /** Returns the bytes of a message, by its `seq`. */
    bytesOf(seq: number): Promise<Uint8Array | undefined>;
    /** Returns the beginning of a message with its header, by its `seq`. */
    headOf(seq: number): Promise<Uint8Array | undefined>;
    /** Returns the message of an email if it is not parsed yet. */
    unparsed(emailId: string): Promise<UnparsedMessage | undefined>;
    /** Returns the number of recipients of the unparsed messages of a workspace, or of none. */
    unparsedRecipients(workspace: string | null): Promise<number>;
    /** Returns the `seq` of the first and last unparsed message. */
    unparsedRange(): Promise<{ first: number; last: number } | undefined>;
  };
  releases: {
    /** Returns the attempts to release an email, oldest first. */
    ofEmail(emailId: string): Promise<Release[]>;
  };
  events: {
    /** Returns events after `seq`, in order: at most `limit`. */
    after(seq: number, limit: number): Promise<StoredEvent[]>;
    find(id: string): Promise<StoredEvent | undefined>;
    ofEmail(emailId: string): Promise<StoredEvent[]>;
    /** Returns the sequence number of the last event; 0 for an empty log. */
    lastSeq(): Promise<number>;
    /** Returns the number after which to read all events with a larger ID, and hardly any others. */
    lastBefore(id: string): Promise<number>;
    /** Returns the highest number of the events of emails; 0 without events. */
    lastOfEmails(emailIds: readonly string[]): Promise<number>;
    /** Returns the number up to which the server's limits have removed events; 0 if they have not. */
    removedUpTo(): Promise<number>;
    /** Returns the numbers of events to remove that never had a stored email. */
    removable(query: RemovableQuery): Promise<number[]>;
    /** Returns events after a number whose emails were deleted while they had open deliveries, in order of `seq`. */
    heldByDelivery(after: number, limit: number): Promise<{ seq: number; isDone: boolean }[]>;
    /** Returns whether counts of short spans of time are older than they are needed. */
    hasFineCounts(now: number): Promise<boolean>;
    /** Returns events since an instant, in order of `seq`; those of a workspace's emails only, if it is given. */
    since(instant: number, workspace?: string): Promise<StoredEvent[]>;
    /** Returns the number of events in [from, to], by counter. */
    count(from: number, to: number): Promise<Counts>;
  };
  jobs: {
    /**
     * Returns when a job of these kinds can next be claimed: `dueAt` on the service's clock for an unclaimed job,
     * `leaseEndsAt` in system time for a claimed one. If there are full queues, their jobs and those without a queue
     * are skipped.
     */
    next(
      kinds: readonly string[],
      systemNow: number,
      fullQueues?: readonly string[],
    ): Promise<{ dueAt: number | null; leaseEndsAt: number | null }>;
    /** Returns when the pending jobs of this kind about an email are due, by the mailbox of the recipient. */
    dueByMailbox(kind: KindName, emailId: string): Promise<Map<string, number>>;
    /** Returns the job of these kinds that is due first, claimed or not. */
    first(kinds: readonly string[]): Promise<{ runAt: number; leaseUntil: number } | undefined>;
    /** Returns the number of jobs of these kinds that are due, claimed or not. */
    countDue(kinds: readonly string[], now: number): Promise<number>;
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
    /** Returns whether events are to be delivered to any subscription. */
    hasActive(): Promise<boolean>;
  };
  deliveries: {
    /** Returns a delivery, its event, and its subscription, which may have been deleted, such as that of a client that listened. */
    find(id: string): Promise<FoundDelivery | undefined>;
    attempts(deliveryId: string): Promise<AttemptRecord[]>;
    /** Returns a subscription's pending deliveries, oldest first. */
    pendingOf(webhookId: string): Promise<DeliveryRecord[]>;
    /** Returns the number of active subscriptions whose last attempt failed; of one workspace only, if it is given. */
    countFailingWebhooks(workspace?: string): Promise<number>;
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
    find(mailbox: string, workspace: string | null): Promise<SuppressionRecord | undefined>;
    /** Returns suppressions, newest first; with `search`, those whose mailbox contains it; of one workspace, if it is given. */
    list(
      page: Page & { search?: string | undefined; workspace?: string | null | undefined },
    ): Promise<Paged<SuppressionRecord>>;
  };
  faults: {
    /** Returns faults, newest first; of one workspace, if it is given. */
    list(workspace?: string | null): Promise<FaultRecord[]>;
  };
  rules: {
    /** Returns rules, newest first; of one workspace, if it is given. */
    list(workspace?: string | null): Promise<RuleRecord[]>;
    /** Returns rules of a workspace that still apply, newest first, without those that have reached their maximum number of uses. */
    listActive(workspace: string | null): Promise<RuleRecord[]>;
  };
  workspaces: {
    /** Returns a workspace unless it is being deleted. */
    find(name: string): Promise<WorkspaceRecord | undefined>;
    /** Returns the names of workspaces that are being deleted. */
    ended(): Promise<string[]>;
    /** Returns the other workspaces, oldest first. */
    list(): Promise<WorkspaceRecord[]>;
    /** Returns the recipients that emails of a workspace, or of none, were sent to in the month that begins at an instant. */
    sent(workspace: string | null, month: number): Promise<number>;
  };
  requests: {
    newest(filter: RequestFilter, limit: number): Promise<RequestRecord[]>;
    /** Returns requests after `seq`, in order. */
    after(seq: number, filter: RequestFilter, limit: number): Promise<RequestRecord[]>;
    /** Returns the numbers of requests created before an instant of the service’s time, at most `limit`. */
    before(instant: number, limit: number): Promise<number[]>;
    /** Returns the sequence number of the last request; 0 for an empty log. */
    lastSeq(): Promise<number>;
  };
  audit: {
    /** Returns a page of the entries, newest first, and the number of all. */
    list(page: Page): Promise<{ items: AuditEntry[]; total: number }>;
    /** Returns whether a person has signed in since an instant of system time. */
    hasSignIn(person: string, since: number): Promise<boolean>;
    /** Returns the numbers of entries before an instant of system time, at most `limit`. */
    before(instant: number, limit: number): Promise<number[]>;
  };
  smtpSessions: {
    newest(filter: SmtpSessionFilter, limit: number): Promise<EndedSmtpSession[]>;
    /** Returns sessions that ended after the one with `seq`, in order. */
    after(seq: number, filter: SmtpSessionFilter, limit: number): Promise<EndedSmtpSession[]>;
    find(id: string): Promise<EndedSmtpSession | undefined>;
    /** Returns the numbers of sessions captured before an instant of system time, at most `limit`. */
    before(instant: number, limit: number): Promise<number[]>;
    /** Returns the sequence number of the last session; 0 for an empty log. */
    lastSeq(): Promise<number>;
  };
}

export interface RemovableQuery {
  /** Number of events without a stored email that stay, the newest. */
  keep: number;
  /** Instant before which the others were created; null for none. */
  before: number | null;
  limit: number;
}

/** Emails that are not sent, delivered or parsed yet are never returned. */
/** What is kept of the emails of a workspace, or of those of none. */
export interface KeptEmails {
  /** Number of emails that stay, the newest; null for all. */
  keep: number | null;
  /** System time before which emails were captured; null for none. */
  capturedBefore: number | null;
}

export interface ExpiredQuery extends KeptEmails {
  /** The limits of workspaces that have their own, by name. */
  own?: ReadonlyMap<string, KeptEmails>;
  /** Returns the first emails after this number (default: any emails). */
  after?: number;
  limit: number;
}

/** Returns the `pagination` of a list. Specification: List Emails. */
export function paginate({ limit, offset }: Page, total: number): Pagination {
  return { total, limit, offset, has_more: offset + limit < total };
}
