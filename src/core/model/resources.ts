import type { Environment } from '../../contract/service/api-keys.js';
import type { DomainStatus } from '../../contract/service/domains.js';
import type { EventType } from '../../contract/vocabulary/event-types.js';
import type { BounceType, ComplaintType, DropReason, Outcome } from '../../contract/vocabulary/outcome.js';

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
  /** The value of the TXT record that proves control of the domain. */
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
  /** Ends with the command that made it. The API does not list it. */
  ephemeral: boolean;
  /** Only events to these recipients; null for all. */
  recipientPattern: string | null;
  /** Additional request headers of an ephemeral webhook. */
  headers: Record<string, string>;
  /** The last event for which a delivery was queued. */
  sinceSeq: number;
  createdAt: number;
  updatedAt: number;
}

/** A suppressed address. */
export interface SuppressionRecord {
  /** In lower case. */
  mailbox: string;
  reason: 'hard_bounce' | 'complaint' | 'manual';
  /** The email that bounced or drew the complaint. */
  emailId: string | null;
  createdAt: number;
}

/** The outcome of mail to the recipients that match a pattern. */
export interface RuleRecord {
  id: string;
  /** In lower case; `*` matches any text. */
  pattern: string;
  outcome: Outcome;
  bounceType: BounceType | null;
  complaintType: ComplaintType | null;
  dropReason: DropReason | null;
  /** The recipient's server's reply to a bounced message. */
  reason: string | null;
  /** Milliseconds from sending to the first event of the outcome. */
  delayMs: number | null;
  /** Number of emails that the rule applies to; null for all. */
  times: number | null;
  used: number;
  createdAt: number;
}
