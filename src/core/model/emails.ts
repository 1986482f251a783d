import type { EmailStatus, RecipientStatus } from '../../contract/service/emails.js';
import type { StoredContent } from './contents.js';
import type { Step } from './outcomes.js';

export type RecipientKind = 'to' | 'cc' | 'bcc';

export interface Recipient {
  kind: RecipientKind;
  /** The address as the sender wrote it: `user@host` or `Name <user@host>`. */
  address: string;
  /** The address without the name, in lower case. */
  mailbox: string;
  status: RecipientStatus;
  /** When the first step of the outcome is due, if only the server's delivery delay defers it (gap 42); else null. */
  dueAt: number | null;
  /** The steps that are due then; null for a plain delivery. */
  steps: Step[] | null;
}

/** A recipient whose first step is due. */
export interface DueRecipient extends RecipientRef {
  address: string;
  steps: Step[] | null;
}

/** Identifies one recipient of an email. */
export interface RecipientRef {
  emailId: string;
  mailbox: string;
}

/** A recipient's open (`url` null) or click. */
export interface Engagement extends RecipientRef {
  url: string | null;
  ip: string;
  userAgent: string;
}

/** A recipient read from the store. */
export interface StoredRecipient extends Recipient {
  /** Position in the email's list, from 0. It stays the same when another recipient's row is damaged and left out. */
  position: number;
}

/** The content of a parsed message, or of a REST call. */
export interface EmailContent {
  from: string;
  /** The mailbox of `from`, in lower case. */
  fromMailbox: string;
  subject: string;
  replyTo: string | null;
  html: string;
  text: string;
  /** The reason why the message could not be parsed; null for a parsed message and for a REST call. */
  parseError: string | null;
}

/** What a request over REST says about its caller, to find it in other logs. */
export interface Caller {
  /** The header `traceparent`, if it is valid. */
  traceparent: string | null;
  /** The caller's own ID of the request. */
  clientRequestId: string | null;
}

export interface Email extends EmailContent, Caller {
  id: string;
  origin: 'rest' | 'smtp';
  status: EmailStatus;
  /** Number of recipients that it was sent to and that have no result yet. */
  pending: number;
  /** The `to` recipients, joined by ", " (gap 4). */
  to: string;
  templateId: string | null;
  variables: Record<string, unknown> | null;
  /** The tags that the sender set. */
  tags: string[];
  /** The tags that were added later, by a person or a program. None of them is in `tags`. */
  addedTags: string[];
  trackOpens: boolean;
  trackClicks: boolean;
  createdAt: number;
  /** When svc accepted it, on the machine's clock. */
  capturedAt: number;
  scheduledAt: number | null;
  sentAt: number | null;
  deliveredAt: number | null;
  openedAt: number | null;
  opensCount: number;
  clicksCount: number;
  bounceReason: string | null;
  /** The workspace of the key or SMTP user that sent it; null without one. */
  workspace: string | null;
  /** When a person or a test read it, on the service's clock; null if it is unread. */
  readAt: number | null;
  /** The size in bytes: of the received message, or of the request's contents. */
  size: number;
}

export type EmailTags = { readonly [Name in 'tags' | 'addedTags']: readonly string[] };

/** A deletion that can be undone. */
export interface Deletion {
  /** The ID that its client chose. */
  id: string;
  /** When it last deleted emails, on the machine's clock. */
  at: number;
}

/** Fields that every new email sets. */
type RequiredField =
  | 'id'
  | 'origin'
  | 'status'
  | 'from'
  | 'fromMailbox'
  | 'to'
  | 'subject'
  | 'size'
  | 'createdAt'
  | 'capturedAt';

/** Returns an email without content. It has every field: adding fields to an object takes ten times as long. */
const emptyEmail = (): Email => ({
  id: '',
  origin: 'rest',
  status: 'sent',
  pending: 0,
  from: '',
  fromMailbox: '',
  to: '',
  subject: '',
  createdAt: 0,
  capturedAt: 0,
  replyTo: null,
  html: '',
  text: '',
  parseError: null,
  templateId: null,
  variables: null,
  tags: [],
  addedTags: [],
  trackOpens: false,
  trackClicks: false,
  scheduledAt: null,
  sentAt: null,
  deliveredAt: null,
  openedAt: null,
  opensCount: 0,
  clicksCount: 0,
  bounceReason: null,
  workspace: null,
  traceparent: null,
  clientRequestId: null,
  readAt: null,
  size: 0,
});

/** Returns an email with these fields and defaults for the others. */
export function newEmail(fields: Pick<Email, RequiredField> & Partial<Email>): Email {
  return { ...emptyEmail(), ...fields };
}

/** The columns for a list of emails. */
export type EmailHead = Pick<Email, 'id' | 'to' | 'from' | 'subject' | 'status' | 'createdAt' | 'deliveredAt'>;

/** The columns that follow from the states of the recipients. */
export type EmailState = Pick<Email, 'status' | 'pending' | 'deliveredAt'>;

/** An email without its large columns, for readers that do not need them. */
export type EmailWithoutBodies = Omit<Email, 'html' | 'text'>;

/** An email to insert. Long texts are already stored, in UTF-8. */
export interface NewEmail extends EmailWithoutBodies {
  html: string | StoredContent;
  text: string | StoredContent;
}

export interface EmailFilter {
  status?: EmailStatus;
  fromDate?: number;
  toDate?: number;
  /** The mailbox of any recipient, in lower case. */
  recipient?: string;
  /** The mailbox of the sender, in lower case. */
  sender?: string;
  tags?: string[];
  workspace?: string | null;
}
