import type { Environment } from '../contract/service/api-keys.js';
import type { DomainStatus } from '../contract/service/domains.js';
import type { EmailStatus } from '../contract/service/emails.js';
import type { CounterName } from '../contract/vocabulary/counters.js';
import type { BounceType, ComplaintType, DropReason, Outcome } from '../contract/vocabulary/outcome.js';
import type { EventType } from '../contract/webhook-events.js';

/** What the service keeps. Instants are milliseconds since 1970, on the service's clock. */

export type RecipientKind = 'to' | 'cc' | 'bcc';

export interface Recipient {
  kind: RecipientKind;
  /** As it was written: `user@host` or `Name <user@host>`. */
  address: string;
  /** The mailbox alone, in lower case. */
  mailbox: string;
  status: EmailStatus;
}

/** A recipient read from the store. */
export interface StoredRecipient extends Recipient {
  /** Position in the email's list, from 0. It stays the same when another recipient's row is damaged and left out. */
  position: number;
}

export interface Attachment {
  filename: string;
  contentType: string;
  /** Without angle brackets; null for one that no HTML refers to. */
  contentId: string | null;
  disposition: 'attachment' | 'inline';
  content: Uint8Array;
}

/** A large content that is stored already, in chunks. */
export interface StoredContent {
  key: string;
  /** In bytes. */
  size: number;
}

/** A content to insert. */
export type Content = Uint8Array | StoredContent;

export function isStored(content: Content): content is StoredContent {
  return 'key' in content;
}

/** An attachment on its way into the store. */
export interface NewAttachment extends Omit<Attachment, 'content'> {
  content: Content;
}

export interface AttachmentInfo extends Omit<Attachment, 'content'> {
  /** Position in the email's list, from 0. It stays the same when another attachment's row is damaged and left out. */
  position: number;
  /** In bytes. */
  size: number;
}

/** What parsing a received message yields, or what a REST call stated outright. */
export interface EmailContent {
  from: string;
  /** The mailbox of `from`, in lower case. */
  fromMailbox: string;
  subject: string;
  replyTo: string | null;
  html: string;
  text: string;
  /** Why the message could not be parsed; null when it could, or never had to be. */
  parseError: string | null;
}

export interface Email extends EmailContent {
  id: string;
  origin: 'rest' | 'smtp';
  status: EmailStatus;
  /** The `to` recipients, joined by ", " (decision 4). */
  to: string;
  templateId: string | null;
  variables: Record<string, unknown> | null;
  tags: string[];
  trackOpens: boolean;
  trackClicks: boolean;
  createdAt: number;
  scheduledAt: number | null;
  sentAt: number | null;
  deliveredAt: number | null;
  openedAt: number | null;
  opensCount: number;
  clicksCount: number;
  bounceReason: string | null;
}

/** The columns a list shows. */
export type EmailHead = Pick<Email, 'id' | 'to' | 'from' | 'subject' | 'status' | 'createdAt' | 'deliveredAt'>;

export interface ReceivedEnvelope {
  mailFrom: string;
  recipients: string[];
}

/** A message as SMTP delivered it: exactly these bytes, to exactly these recipients. */
export interface ReceivedMessage extends ReceivedEnvelope {
  bytes: Uint8Array;
}

/** What is known of a received message before it is parsed. */
export interface UnparsedHead extends ReceivedEnvelope {
  /** Its place among all emails, in the order of acceptance. */
  seq: number;
  id: string;
  createdAt: number;
  /** In bytes. */
  size: number;
}

export interface UnparsedMessage extends UnparsedHead {
  /** Null for a message that is larger than was asked for. */
  bytes: Uint8Array | null;
}

/** A received message on its way into the store. */
export interface NewReceived extends ReceivedEnvelope {
  bytes: Content;
  id: string;
  createdAt: number;
}

/** Texts may be as long as a message: what does not need them does not read them. */
export type EmailWithoutBodies = Omit<Email, 'html' | 'text'>;

/** An email on its way into the store. Long texts are stored already, in UTF-8. */
export interface NewEmail extends EmailWithoutBodies {
  html: string | StoredContent;
  text: string | StoredContent;
}

export interface EmailFilter {
  status?: EmailStatus;
  fromDate?: number;
  toDate?: number;
  /** A mailbox in lower case, of any recipient. */
  recipient?: string;
  /** A mailbox in lower case. */
  sender?: string;
  tags?: string[];
}

export interface Page {
  limit: number;
  offset: number;
}

export interface Paged<T> {
  items: T[];
  total: number;
}

export interface TemplateRecord {
  id: string;
  name: string;
  subject: string;
  html: string;
  text: string;
  createdAt: number;
  updatedAt: number;
}

export interface DomainRecord {
  domain: string;
  status: DomainStatus;
  dkimVerified: boolean;
  spfVerified: boolean;
  dmarcVerified: boolean;
  /** The label and value that prove control of the domain. */
  verificationToken: string;
  dkimSelector: string;
  /** PKCS #8, PEM. */
  dkimPrivateKey: string;
  /** The public half in DER, base64. */
  dkimPublicKey: string;
  createdAt: number;
}

export interface ApiKeyRecord {
  id: string;
  name: string;
  environment: Environment;
  /** Requests per minute. */
  rateLimit: number;
  /** SHA-256 of the value, lower-case hexadecimal. The value itself is not kept. */
  hash: string;
  createdAt: number;
}

export interface WebhookRecord {
  id: string;
  url: string;
  events: EventType[];
  secret: string | null;
  active: boolean;
  /** Lives as long as the command that made it, and is not shown by the API. */
  ephemeral: boolean;
  /** Only events to these recipients; null for all. */
  recipientPattern: string | null;
  /** Headers to send beside svc's own, for an ephemeral one. */
  headers: Record<string, string>;
  /** It has got the events up to this one; a cursor that rises as they are lined up. */
  sinceSeq: number;
  createdAt: number;
  updatedAt: number;
}

/** An address that nothing is sent to. */
export interface SuppressionRecord {
  /** In lower case. */
  mailbox: string;
  reason: 'hard_bounce' | 'complaint' | 'manual';
  /** The email that bounced or was complained of. */
  emailId: string | null;
  createdAt: number;
}

/** What becomes of mail to the recipients that a pattern names. */
/** A request to the service, as the request log keeps it: no key, no body, no query. */
export interface NewRequest {
  id: string;
  createdAt: number;
  method: string;
  path: string;
  status: number;
  ms: number;
  keyId: string | null;
  errorCode: string | null;
  warnings: string[];
}

export interface RequestRecord extends NewRequest {
  /** The order of being written. */
  seq: number;
}

export interface RequestFilter {
  status?: { from: number; to: number } | undefined;
  /** With `*` for any text. */
  path?: string | undefined;
  method?: string | undefined;
}

export interface RuleRecord {
  id: string;
  /** In lower case, with `*` for any text. */
  pattern: string;
  outcome: Outcome;
  bounceType: BounceType | null;
  complaintType: ComplaintType | null;
  dropReason: DropReason | null;
  /** What the recipient's server says when it bounces. */
  reason: string | null;
  /** From sending to the first event of the outcome. */
  delayMs: number | null;
  /** How many mails it holds for; null for all. */
  times: number | null;
  used: number;
  createdAt: number;
}

/** An event on its way into the log. */
export interface NewEvent {
  id: string;
  type: EventType;
  createdAt: number;
  emailId: string | null;
  /** The one mailbox it speaks of, for an email event. */
  recipient: string | null;
  /** The serialized envelope: these bytes are signed and sent, and never made again (decision 25). */
  payload: string;
}

export interface StoredEvent extends NewEvent {
  /** Rises with every event; a reader's cursor. */
  seq: number;
}

/** One recipient's copy of an email. */
export interface RecipientRef {
  emailId: string;
  mailbox: string;
}

export interface NewJob {
  kind: string;
  /** What it competes for, such as a receiver: a pool may limit how many jobs of one queue run at once. */
  queue?: string;
  /** On the service's clock. */
  runAt: number;
  payload: unknown;
}

export interface Job {
  seq: number;
  kind: string;
  /** Empty for none. */
  queue: string;
  runAt: number;
  payload: unknown;
}

/** A webhook request that is due, under way or done: one event to one subscription. */
export interface DeliveryRecord {
  id: string;
  webhookId: string;
  eventSeq: number;
  url: string;
  state: 'pending' | 'succeeded' | 'failed';
  attempts: number;
  createdAt: number;
  /** Null once it is done. */
  nextAttemptAt: number | null;
  /** The delivery that this one repeats. */
  replayOf: string | null;
}

/** A delivery as a list shows it: with its event, and how the last attempt went. */
export interface DeliveryHead extends DeliveryRecord {
  event: Pick<StoredEvent, 'id' | 'type'>;
  last: Pick<AttemptRecord, 'status' | 'error' | 'durationMs'> | null;
}

export interface DeliveryFilter {
  state?: DeliveryRecord['state'];
  event?: EventType;
  webhookId?: string;
  /** Of events from this instant on. */
  since?: number;
}

export interface AttemptRecord {
  deliveryId: string;
  /** From 1. */
  attempt: number;
  startedAt: number;
  durationMs: number;
  requestHeaders: Record<string, string>;
  /** Null when there was no response. */
  status: number | null;
  responseHeaders: Record<string, string>;
  /** At most the first 64 KiB. */
  responseBody: string;
  error: string | null;
}

export type Counts = Record<CounterName, number>;
