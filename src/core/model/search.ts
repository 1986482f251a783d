import type { EmailStatus, RecipientStatus } from '../../contract/service/emails.js';
import type { LinkKind } from '../../contract/vocabulary/emails.js';
import type { EventType } from '../../contract/vocabulary/event-types.js';
import type { Query } from '../../contract/vocabulary/query/query.js';
import type { EmailHead, RecipientKind } from './emails.js';

export interface MailLink {
  /** The text of the link; the URL itself for one in plain text. */
  text: string;
  /** The URL without svc's tracking. */
  href: string;
  kind: LinkKind;
}

/** A one-time code. */
export interface MailCode {
  /** The code without spaces and hyphens between its groups. */
  value: string;
  /** The text around it, on one line. */
  context: string;
  /** From 0 to 1. */
  confidence: number;
}

/** What searches and previews need of an email's content. It is stored with the email. */
export interface ShownContent {
  /** The HTML as text; empty without HTML. */
  htmlText: string;
  /** The header fields in their order. */
  headers: HeaderField[];
}

/** What is found in an email's content. Links and codes are found when they are first needed. */
export interface Extracts extends ShownContent {
  links: MailLink[];
  codes: MailCode[];
}

/** What was found so far. */
export type KnownExtracts = ShownContent & Partial<Extracts>;

/** How much of an email's content must be found. */
export type Extent = 'nothing' | 'shown' | 'all';

/** A field of a header: its name, its decoded value, and the value as it is in the message where that differs. */
export type HeaderField = [name: string, value: string, raw?: string];

/** The fields of one email that a query can test. */
export interface SearchDocument {
  /** The number of the email in the order of acceptance. It is also a cursor. */
  seq: number;
  id: string;
  origin: 'rest' | 'smtp';
  workspace: string | null;
  status: EmailStatus;
  from: string;
  fromMailbox: string;
  replyTo: string | null;
  recipients: { kind: RecipientKind; address: string; mailbox: string; status: RecipientStatus }[];
  subject: string;
  text: string;
  hasHtml: boolean;
  /** Those of the sender, and those that were added later. */
  tags: string[];
  templateId: string | null;
  attachments: string[];
  /** Codes of the warnings about it. */
  warnings: string[];
  /** Types of its events. */
  events: EventType[];
  read: boolean;
  /** The size in bytes: of the received message, or of the request's contents. */
  size: number;
  /** On the service's clock. */
  createdAt: number;
  /** On the machine's clock. */
  capturedAt: number;
  /** Undefined until its content is known. */
  extracts: KnownExtracts | undefined;
}

/** A query that can test emails. */
export interface EmailMatcher {
  readonly query: Query;
  /** The time from which durations count back, on the service's clock. */
  readonly now: number;
  /**
   * Returns whether an email matches. An email does not match while that depends on extracts that are not found yet,
   * also if the condition is negated.
   */
  matches(document: SearchDocument): boolean;
}

/** The part of a search's matches to return. */
export interface SearchPage {
  limit: number;
  /** Number of matches to skip (default: 0). */
  offset?: number | undefined;
  /** Returns only emails before this number. */
  before?: number | undefined;
  /** Returns only emails after this number. */
  after?: number | undefined;
  /** Returns only emails of this workspace; null for those of none. */
  workspace?: string | null | undefined;
}

/** The columns of an email that a search returns. */
export interface FoundEmail extends EmailHead {
  seq: number;
  origin: 'rest' | 'smtp';
  tags: string[];
  addedTags: string[];
  workspace: string | null;
  readAt: number | null;
  size: number;
  capturedAt: number;
  /** The start of the text, or of the HTML as text, as it was written. */
  preview: string;
  /** Number of attachments. */
  attachments: number;
  /** Number of recipients, and of those that were dropped. */
  recipients: number;
  dropped: number;
  /** Whether the message is not parsed yet. */
  parsing: boolean;
}

/** Matches of a search, newest first. */
export interface SearchResult {
  emails: FoundEmail[];
  /** Number of matches. If it is not exact, at least that many were found before the search stopped counting. */
  total: number;
  isTotalExact: boolean;
  /** Older matches may exist; continue before this number. Null at the end. */
  next: number | null;
}

/** The state of an email whose content is searched for links, codes and header fields. */
export interface Extraction {
  seq: number;
  /** Whether its content is known. A received message is listed before it is parsed. */
  isParsed: boolean;
  /** Undefined until they are found. */
  extracts: KnownExtracts | undefined;
}

/** An email whose content is not searched for links and codes yet. Has no warnings and events. */
export interface UnextractedEmail extends SearchDocument {
  html: string;
  scheduledAt: number | null;
}

/** The first emails of which something is not found, or those with these IDs; at most `limit`, after a number. */
export interface UnextractedQuery {
  extent: Extent;
  limit: number;
  /** Only emails before this number, newest first (default: all). */
  before?: number;
  ids?: readonly string[];
}
