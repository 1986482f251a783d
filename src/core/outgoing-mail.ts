import type { RelayTls } from '../contract/vocabulary/relay.js';

/** Defines the port for sending messages to SMTP servers. */

/** An SMTP server that messages are sent to. */
export interface SmtpTarget {
  host: string;
  port: number;
  tls: RelayTls;
  /** Used if the server offers AUTH; with `required`, a server that does not is a failure. */
  login: { user: string; password: string; required: boolean } | null;
  /** Whether the certificate must be valid for the host. */
  verifyCertificate: boolean;
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
}

/** @throws SmtpFailure if the message was accepted for no recipient. */
export type SendOverSmtp = (target: SmtpTarget, message: OutgoingMessage) => Promise<SmtpResult>;

/** The step of an SMTP session that failed. */
export type SmtpStep = 'connect' | 'tls' | 'login' | 'sender' | 'recipients' | 'content';

/** An SMTP server was unreachable, or refused a message. */
export class SmtpFailure extends Error {
  override readonly name = 'SmtpFailure';

  constructor(
    readonly step: SmtpStep,
    reason: string,
    /** The code and text of the server's reply; null without one. */
    readonly reply: string | null,
  ) {
    super(reason);
  }

  /** The reply's code; null without one. */
  get code(): number | null {
    return this.reply === null ? null : Number.parseInt(this.reply, 10) || null;
  }
}
