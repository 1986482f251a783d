import type { ActorKind } from '../../contract/vocabulary/access.js';
import type { ErrorDetail } from '../../contract/vocabulary/error-detail.js';
import type {
  SmtpAuth,
  SmtpClient,
  SmtpEnding,
  SmtpLine,
  SmtpTls,
  TransactionState,
} from '../../contract/vocabulary/smtp.js';
import type { ServiceWarning } from '../../contract/vocabulary/warnings.js';

/** A request in the request log, without its key, body and query. */
export interface NewRequest {
  id: string;
  createdAt: number;
  method: string;
  path: string;
  status: number;
  ms: number;
  keyId: string | null;
  userAgent: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  /** The first invalid fields. */
  errorDetails: ErrorDetail[];
  warnings: ServiceWarning[];
}

export interface RequestRecord extends NewRequest {
  /** A number that rises with every request. Readers use it as their cursor. */
  seq: number;
}

export interface RequestFilter {
  status?: { from: number; to: number } | undefined;
  /** A path in which `*` matches any text. */
  path?: string | undefined;
  method?: string | undefined;
  /** Whether to include svc's own reads. */
  all?: boolean | undefined;
}

/** A transaction: from MAIL to the reply to the message, or to what ended it before. */
export interface SmtpTransaction {
  mailFrom: string;
  /** The accepted recipients, without those above a limit. */
  recipients: string[];
  recipientCount: number;
  /** The size of the received content, in bytes. */
  bytes: number;
  state: TransactionState;
  emailId: string | null;
  /** The reply that refused the transaction. */
  reply: string | null;
  /** The beginning of a message that was not accepted. */
  received: string | null;
}

/** A session without secrets, as the log keeps it. */
export interface NewSmtpSession {
  id: string;
  /** When the client connected, on the service's clock. */
  createdAt: number;
  /** The same on the machine's clock. */
  capturedAt: number;
  /** Milliseconds until the connection was closed; null while it is open. */
  ms: number | null;
  client: SmtpClient;
  helo: string | null;
  tls: SmtpTls | null;
  auth: SmtpAuth | null;
  /** Why the session ended; null while it is open. */
  ending: SmtpEnding | null;
  /** Why the session counts as failed; null for one without failures. */
  error: string | null;
  transactions: SmtpTransaction[];
  /** The number of messages that were stored, also those of transactions that are left out. */
  accepted: number;
  /** The number of transactions that are left out. */
  omittedTransactions: number;
  transcript: SmtpLine[];
}

export interface SmtpSessionRecord extends NewSmtpSession {
  /** A number that rises with every session that ends. Readers use it as their cursor; null while it is open. */
  seq: number | null;
}

/** A session of the log, which has ended. */
export interface EndedSmtpSession extends SmtpSessionRecord {
  seq: number;
}

export interface SmtpSessionFilter {
  failed?: boolean | undefined;
}

/** An entry of the audit log: who did what, on what, from where and when. */
export interface NewAuditEntry {
  /** Milliseconds since 1970, in system time: the service's clock can be moved. */
  createdAt: number;
  actorKind: ActorKind;
  /** The person, or the name of the key; null for other kinds. */
  actor: string | null;
  /** The API key of the call; null for a session of the inbox that a person or the password opened. */
  keyId: string | null;
  owner: string | null;
  /** The name of the operation, or `sign-in`. */
  action: string;
  /** The ID or name of what was changed; null if it has none. */
  target: string | null;
  /** Some fields of the request, as text. */
  details: Record<string, string>;
  /** The workspace that the call was limited to. */
  workspace: string | null;
  /** The client's address; null for the server's own process. */
  client: string | null;
  requestId: string;
}

/** Who sends a call, and from where. */
export type Actor = Pick<
  NewAuditEntry,
  'actorKind' | 'actor' | 'keyId' | 'owner' | 'workspace' | 'client' | 'requestId'
>;

export interface AuditEntry extends NewAuditEntry {
  seq: number;
}
