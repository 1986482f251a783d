/** Defines the parts of SMTP sessions in the log. */

/**
 * Why a session ended: QUIT, the client or the server closed the connection, no command or content came in time, or the
 * server stopped.
 */
export const smtpEndings = ['quit', 'client_closed', 'refused', 'timed_out', 'server_stopped'] as const;
export type SmtpEnding = (typeof smtpEndings)[number];

/**
 * The state of a transaction: under way, its message stored, refused by a reply, ended by the client before the message,
 * or broken because the connection ended before the message was complete.
 */
export const transactionStates = ['open', 'accepted', 'refused', 'abandoned', 'broken'] as const;
export type TransactionState = (typeof transactionStates)[number];

/** Who sent a line of a transcript. A note describes what is not a command or a reply. */
export const lineSenders = ['client', 'server', 'note'] as const;
type LineSender = (typeof lineSenders)[number];

/** A line of a transcript. */
export interface SmtpLine {
  /** Milliseconds since the client connected. */
  ms: number;
  from: LineSender;
  text: string;
}

export interface SmtpClient {
  address: string;
  port: number;
}

export interface SmtpTls {
  version: string;
  cipher: string;
}

/** The last login of a session. */
export interface SmtpAuth {
  mechanism: string;
  username: string | null;
  accepted: boolean;
}

/** The modes of STARTTLS, as flags of `svc dev` name them. */
export const starttlsModes = ['offered', 'required'] as const;
export type StarttlsMode = (typeof starttlsModes)[number];

/** The modes of logins over SMTP. */
export const loginModes = ['any', 'required', 'off'] as const;
export type LoginMode = (typeof loginModes)[number];

/**
 * How a connection to an SMTP server is encrypted: from the start (`tls`), by an upgrade that must succeed (`starttls`),
 * by an upgrade where the server offers one (`opportunistic`), or not at all.
 */
export const relayTlsModes = ['none', 'opportunistic', 'starttls', 'tls'] as const;
export type RelayTls = (typeof relayTlsModes)[number];

/** Formats host and port of an SMTP server. */
export function relayName({ host, port }: { host: string; port: number }): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
