import type { StateManifest } from '../contract/control/state.js';
import type { Attachment, Email, EmailContent, Recipient } from './model.js';
import { type Snapshot, StoreUnavailableError } from './store.js';

/** The core's ports besides the store. Each has one real adapter, created in src/app. */

export interface Clock {
  /** The service's time, in milliseconds since 1970. */
  now(): number;
  /** The machine's time, for leases and durations. Never recorded. */
  systemNow(): number;
  /** Calls back once when the service's time reaches `instant`. Returns the function that cancels it. */
  at(instant: number, callback: () => void): () => void;
  /** Calls back once after a number of milliseconds of the machine's time. Returns the function that cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
  /** Waits a number of milliseconds of the machine's time, and keeps the process alive meanwhile. */
  sleep(milliseconds: number): Promise<void>;
}

export interface Ids {
  /** Returns an ID such as `msg_<id>`: unique, and rising with time. */
  next(prefix: string, now: number): string;
  /** Returns unguessable text of letters and digits. */
  secret(characters: number): string;
}

export interface PostRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
}

export interface PostResult {
  status: number | null;
  headers: Record<string, string>;
  body: string;
  error: string | null;
}

/** Posts to a customer's URL. Never throws: the result holds the error. */
export type Post = (request: PostRequest) => Promise<PostResult>;

/** A parsed message. */
export interface ParsedMessage {
  content: EmailContent;
  /** Mailboxes named in the headers, in lower case. Those named in none are bcc. */
  to: string[];
  cc: string[];
  attachments: Attachment[];
  /** The value of the header `X-Service-Simulate`; null without one. */
  simulate: string | null;
  /** Parts of the message that were left out, because it exceeds a limit. */
  warnings: string[];
}

/** The parts of a message to compose. */
interface Composition {
  email: Email;
  /** The HTML as delivered to the recipient. */
  html: string;
  recipients: Recipient[];
  attachments: Attachment[];
  /** The signing domain; null for an unsigned message. */
  dkim: DkimIdentity | null;
}

export interface DkimIdentity {
  domain: string;
  selector: string;
  /** PKCS #8, PEM. */
  privateKey: string;
}

/** Composes the MIME message of an email sent over REST. Returns the same bytes for the same email. */
export type ComposeMessage = (composition: Composition) => Promise<Uint8Array>;

/** An http(s) link in HTML. Offsets count UTF-16 code units. */
export interface HtmlLink {
  /** The position of the value of `href`, without quotation marks. */
  start: number;
  end: number;
  /** The value, its character references decoded. */
  url: string;
}

export interface HtmlLinks {
  /** In the order of the text. */
  links: HtmlLink[];
  /** The position for a tracking pixel: before `</body>`, else at the end. */
  pixelAt: number;
  /** Whether the HTML has more links than the limit. */
  cut: boolean;
}

/**
 * Finds the links in HTML.
 * @throws UnprocessableError when it exceeds the time or memory limit of one message.
 * @throws ProcessorUnavailableError when no HTML can be processed now.
 */
export type FindHtmlLinks = (html: string) => Promise<HtmlLinks>;

/**
 * Finds the URLs in plain text, each once and in order.
 * @throws UnprocessableError and ProcessorUnavailableError as FindHtmlLinks does.
 */
export type FindTextLinks = (text: string) => Promise<string[]>;

/** A message, or a part of it, exceeds a processing limit, which the error names. */
export class UnprocessableError extends Error {
  override readonly name = 'UnprocessableError';
}

/** No message can be processed now: no worker process could be started, or the server stops. A retry may succeed. */
export class ProcessorUnavailableError extends Error {
  override readonly name = 'ProcessorUnavailableError';
}

/** Returns whether a retry may succeed: the disk is full, for example, or no worker process could be started. */
export function isTemporary(error: unknown): boolean {
  return error instanceof StoreUnavailableError || error instanceof ProcessorUnavailableError;
}

/** Packs a whole state into one file, and unpacks it. */
export interface StateArchive {
  pack(manifest: StateManifest, snapshot: Pick<Snapshot, 'size' | 'read'>): AsyncIterable<Uint8Array>;
  /**
   * Reads the manifest. `database` yields the packed snapshot, and throws at its end when the archive is incomplete.
   * @throws UnusableStateError when it is not an archive of svc, or a newer version's.
   * @throws StateTooLargeError when its files together are larger than `maxBytes`.
   */
  unpack(
    bytes: AsyncIterable<Uint8Array>,
    maxBytes: number,
  ): Promise<{ manifest: StateManifest; database: AsyncIterable<Uint8Array> }>;
}

export interface MessageParser {
  /** Parses a message of common form and at most `quickBytes`, in linear time. Returns undefined for any other. */
  quickly(bytes: Uint8Array): ParsedMessage | undefined;
  /** The maximum size of a message for `quickly`. */
  readonly quickBytes: number;
  /**
   * Parses any message, in another process.
   * @throws UnprocessableError when it exceeds the time or memory of one message.
   * @throws ProcessorUnavailableError when no message can be parsed now.
   * @throws Error with the reason when the message is unreadable.
   */
  parse(bytes: Uint8Array): Promise<ParsedMessage>;
  /** Resolves when the parser has started. */
  started(): Promise<void>;
}

/** Looks up TXT records. An unknown name has none. @throws ServiceError `upstream` when the resolver is unreachable. */
export interface Dns {
  txt(name: string): Promise<string[]>;
}

/** Creates an RSA key pair for DKIM: PKCS #8 PEM, and the public key in base64 DER (RFC 6376 section 3.6.1, `p=`). */
export type MakeDkimKey = () => Promise<{ privateKey: string; publicKey: string }>;
