import type { Content } from './contents.js';

export interface ReceivedEnvelope {
  mailFrom: string;
  recipients: string[];
}

/** A message as received over SMTP, byte for byte. */
export interface ReceivedMessage extends ReceivedEnvelope {
  bytes: Uint8Array;
  /** The SMTP session that it came in. */
  sessionId?: string | undefined;
}

/** The envelope of a received message that is not parsed yet. */
export interface UnparsedHead extends ReceivedEnvelope {
  /** The number that the parsed email will have, in the order of acceptance. */
  seq: number;
  id: string;
  createdAt: number;
  /** On the machine's clock. */
  capturedAt: number;
  /** The size in bytes. */
  size: number;
  workspace: string | null;
}

export interface UnparsedMessage extends UnparsedHead {
  /** The bytes; null for a message above the query's limit. */
  bytes: Uint8Array | null;
}

/** A received message to insert. */
export interface NewReceived extends ReceivedEnvelope {
  sessionId?: string | undefined;
  workspace?: string | null;
  bytes: Content;
  id: string;
  createdAt: number;
  /** On the machine's clock. */
  capturedAt: number;
  /** Identifies a message of an import; no other message has it. */
  importKey?: string;
}
