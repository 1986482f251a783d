import type { EmailStatus, RecipientStatus } from '../../contract/service/emails.js';
import type { EventType } from '../../contract/vocabulary/event-types.js';
import type { RecipientKind } from './emails.js';

/** Why a link is in an email. */
export const linkKinds = ['verify', 'reset', 'magic', 'invite', 'unsubscribe', 'other'] as const;
export type LinkKind = (typeof linkKinds)[number];

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

/** What is found in an email's content, outside the server's process and after the email was acknowledged. */
export interface Extracts {
  /** The HTML as text; empty without HTML. */
  htmlText: string;
  links: MailLink[];
  codes: MailCode[];
  /** The header fields in their order, decoded. */
  headers: [name: string, value: string][];
}

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
  html: string;
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
  /** Undefined until they are found. */
  extracts: Extracts | undefined;
}
