import type { RelayTls } from '../contract/vocabulary/smtp.js';

/** Defines the port for sending messages to SMTP servers. */

/** An SMTP server that messages are sent to. */
export interface SmtpTarget {
  host: string;
  port: number;
  tls: RelayTls;
  login: SmtpLogin | null;
  /** Whether the certificate must be valid for the host. */
  verifyCertificate: boolean;
  /** PEM certificates of authorities to trust in addition to the usual ones. */
  ca?: string;
  /** Milliseconds that the server has for each reply (default: those of RFC 5321 for the reply to a message). */
  replyTimeoutMs?: number;
}

/** Used if the server offers AUTH. */
interface SmtpLogin {
  user: string;
  password: string;
  /** A server without AUTH is a failure. */
  required: boolean;
  /** Skips the login without TLS, because others could read the password. */
  onlyWithTls?: boolean;
}

/** A message to send, byte for byte except for line ends. */
export interface OutgoingMessage {
  /** Empty for the null sender. */
  mailFrom: string;
  recipients: readonly string[];
  bytes: Uint8Array;
  /** Parameters for a server with DSN (RFC 3461). */
  dsn?: { notify?: string | undefined; ret?: string | undefined; envid?: string | undefined };
}

export interface SmtpResult {
  /** The reply to the message: `250 2.0.0 OK`. */
  reply: string;
  /** Recipients that were refused, while others were accepted. */
  rejected: { address: string; reply: string }[];
  /** Whether the login was skipped because TLS is missing. */
  skippedLogin: boolean;
}

/**
 * Sends a message. The signal closes the connection, and its reason is an error with the text of the failure.
 * @throws SmtpFailure if the message was accepted for no recipient, or the signal fired before the reply.
 */
export type SendOverSmtp = (target: SmtpTarget, message: OutgoingMessage, signal?: AbortSignal) => Promise<SmtpResult>;

/** The step of an SMTP session that failed, or `ended` by the signal. */
export type SmtpStep = 'connect' | 'tls' | 'login' | 'sender' | 'recipients' | 'content' | 'ended';

/** An SMTP server was unreachable, or refused a message. */
export class SmtpFailure extends Error {
  override readonly name = 'SmtpFailure';
  /** The recipients with the replies that refused them, if every one was refused. */
  readonly rejected: SmtpResult['rejected'];
  /** Whether the server has the whole message, and its reply is unknown. */
  readonly mayBeAccepted: boolean;

  constructor(
    readonly step: SmtpStep,
    reason: string,
    /** The code and text of the server's reply; null without one. */
    readonly reply: string | null,
    { rejected = [], mayBeAccepted = false }: Partial<Pick<SmtpFailure, 'rejected' | 'mayBeAccepted'>> = {},
  ) {
    super(reason);
    this.rejected = rejected;
    this.mayBeAccepted = mayBeAccepted;
  }

  /** The reply's code; null without one. */
  get code(): number | null {
    return this.reply === null ? null : Number.parseInt(this.reply, 10) || null;
  }
}
