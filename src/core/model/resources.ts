import type { Environment } from '../../contract/service/api-keys.js';
import type { DomainStatus } from '../../contract/service/domains.js';
import type { ErrorCode } from '../../contract/vocabulary/errors.js';
import type { EventType } from '../../contract/vocabulary/event-types.js';
import type { FaultDrop, FaultStage } from '../../contract/vocabulary/faults/faults.js';
import type { FaultPreset } from '../../contract/vocabulary/faults/presets.js';
import type { BounceType, ComplaintType, DropReason, Outcome } from '../../contract/vocabulary/outcomes.js';

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
  /** The private key in PKCS #8 PEM. */
  dkimPrivateKey: string;
  /** The public key in base64 DER. */
  dkimPublicKey: string;
  createdAt: number;
}

export interface ApiKeyRecord {
  id: string;
  name: string;
  environment: Environment;
  /** Requests per minute. */
  rateLimit: number;
  /** The SHA-256 of the value in lower-case hexadecimal. The value itself is not stored. */
  hash: string;
  /** The workspace to which calls with the key are limited; null for none. */
  workspace: string | null;
  /** Whether calls with the key may affect everyone on a server for a team. */
  admin: boolean;
  /** Whether the key creates workspaces, and can do nothing else. */
  createsWorkspaces: boolean;
  /** Who uses the key; null if it is not known. */
  owner: string | null;
  /** The machine's time from which the key is refused; null for none. */
  expiresAt: number | null;
  createdAt: number;
}

/** A part of the emails and webhooks, which belongs to one worker of a test run or to one team. */
export interface WorkspaceRecord {
  name: string;
  /** Patterns of recipients whose emails belong to the workspace unless a key or login decides otherwise. */
  addresses: string[];
  /** The machine's time at which it is deleted with all that belongs to it; null for none. */
  expiresAt: number | null;
  /** Number of its emails to keep, and their maximum age in milliseconds; null for the limits of the server. */
  keep: number | null;
  maxAgeMs: number | null;
  /** Number of recipients that its emails may be sent to in a calendar month; null for the limit of the plan. */
  monthlyQuota: number | null;
  createdAt: number;
}

export interface WebhookRecord {
  id: string;
  url: string;
  events: EventType[];
  secret: string | null;
  active: boolean;
  /** Whether the webhook exists only while a `webhooks listen` or a replay uses it. The API does not list such webhooks. */
  ephemeral: boolean;
  /** The pattern of recipients whose events are sent; null for all. */
  recipientPattern: string | null;
  /** Additional request headers of an ephemeral webhook. */
  headers: Record<string, string>;
  /** The workspace whose events are sent; null for all events. */
  workspace: string | null;
  /** The sequence number of the last event that was dispatched to the subscription. */
  sinceSeq: number;
  createdAt: number;
  updatedAt: number;
}

/** A suppressed address. */
export interface SuppressionRecord {
  /** The mailbox in lower case. */
  mailbox: string;
  reason: 'hard_bounce' | 'complaint' | 'manual';
  /** The ID of the email that bounced or caused the complaint. */
  emailId: string | null;
  /** The workspace whose emails are dropped; null for emails of no workspace. */
  workspace: string | null;
  createdAt: number;
}

/** The outcome for recipients that match a pattern. */
export interface RuleRecord {
  id: string;
  /** The pattern in lower case. `*` matches any text. */
  pattern: string;
  outcome: Outcome;
  bounceType: BounceType | null;
  complaintType: ComplaintType | null;
  dropReason: DropReason | null;
  /** The reply of the recipient's server to a bounced message. */
  reason: string | null;
  /** Milliseconds from sending to the first event of the outcome. */
  delayMs: number | null;
  /** Number of emails that the rule applies to; null for all. */
  times: number | null;
  used: number;
  /** The workspace to whose emails it applies; null for emails of no workspace. */
  workspace: string | null;
  createdAt: number;
}

export interface Page {
  limit: number;
  offset: number;
}

export interface Paged<T> {
  items: T[];
  total: number;
}

/** A failure to inject where a request, a command or a webhook attempt matches. */
export interface FaultRecord {
  id: string;
  /** The target: exactly one of these three is set. */
  smtp: FaultStage | null;
  /** A method and a path. */
  http: string | null;
  /** A URL in which `*` matches any text. */
  webhook: string | null;
  /** The status of an SMTP reply or an HTTP response. */
  code: number | null;
  /** The text of the reply or the error, or the body of the receiver's response. */
  text: string | null;
  /** The code of the service's error. */
  error: ErrorCode | null;
  delayMs: number | null;
  drop: FaultDrop | null;
  /** Whether the response ends before its end. */
  truncate: boolean;
  /** The wait that the response asks for. */
  retryAfterMs: number | null;
  /** Time on the service's clock after which a deferred recipient is accepted. */
  greylistMs: number | null;
  /** Maximum number of hits; null for no limit. */
  times: number | null;
  /** Hits every nth match. */
  every: number | null;
  /** The part of the matches to hit, more than 0 and at most 1. */
  probability: number | null;
  /** The seed of the decisions by probability. */
  seed: number;
  /** Number of messages that a connection may send first. */
  afterMessages: number | null;
  /** Pattern of the sender. */
  sender: string | null;
  /** Pattern of a recipient. */
  recipient: string | null;
  /** Query that the email must match. */
  query: string | null;
  /** The preset that the fault belongs to. */
  preset: FaultPreset | null;
  /** Number of matches so far, of which `every` and `probability` choose. */
  seen: number;
  /** Number of times that the fault was injected. */
  hits: number;
  /** The workspace whose requests, sessions and webhooks it is injected into; null for those of no workspace. */
  workspace: string | null;
  createdAt: number;
}
