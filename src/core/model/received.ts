import type { ServiceWarning } from '../../contract/vocabulary/warnings.js';
import type { Content } from './contents.js';

/** The delivery status notifications that a client asked for. RFC 3461; null for parameters that it did not give. */
export interface DsnRequest {
  /** What a notification returns: the message, or its header. */
  ret: string | null;
  /** The client's ID of the envelope. */
  envid: string | null;
  /** The recipients with parameters. */
  recipients: DsnRecipient[];
}

export interface DsnRecipient {
  address: string;
  /** NEVER, or any of SUCCESS, FAILURE and DELAY. */
  notify: string[] | null;
  /** The original recipient, with its type. */
  orcpt: string | null;
}

export interface ReceivedEnvelope {
  mailFrom: string;
  recipients: string[];
  dsn?: DsnRequest;
}

/** A message as received over SMTP, byte for byte. */
export interface ReceivedMessage extends ReceivedEnvelope {
  bytes: Uint8Array;
  /** The SMTP session that it came in. */
  sessionId?: string | undefined;
  /** The ID of the API key that the client logged in with. */
  keyId?: string | undefined;
  /** What the commands of its envelope announce (default: nothing). */
  announced?: readonly ServiceWarning[];
}

/** A message as received over SMTP, without its bytes. */
export interface ReceivedSummary extends ReceivedEnvelope {
  /** The size in bytes. */
  size: number;
  /** The SMTP session that it came in. */
  sessionId: string | null;
  /** The ID of the API key that the client logged in with. */
  keyId: string | null;
}

/** What the email of a received message takes from its reception. */
export interface ReceivedHead extends ReceivedEnvelope {
  /** The number of the email, in the order of acceptance. */
  seq: number;
  id: string;
  createdAt: number;
  /** On the machine's clock. */
  capturedAt: number;
  /** The size in bytes. */
  size: number;
  workspace: string | null;
}

/** A received message that is not parsed yet. */
export interface UnparsedMessage extends ReceivedHead {
  /** Number of attempts to parse it that have begun. */
  attempts: number;
}

/** A received message to insert. */
export interface NewReceived extends ReceivedEnvelope {
  sessionId?: string | undefined;
  keyId?: string | undefined;
  bytes: Content;
  /** Identifies a message of an import; no other message has it. */
  importKey?: string | undefined;
}

/** A captured email that was sent through an SMTP server, or could not be sent. */
export interface Release {
  releasedAt: number;
  /** Host and port of the SMTP server. */
  relay: string;
  mailFrom: string;
  recipients: string[];
  /** The server's reply; null without one. */
  reply: string | null;
  /** Why nothing was sent; null if it was. */
  error: string | null;
  /** Recipients that the server refused. */
  rejected: { address: string; reply: string }[];
}
