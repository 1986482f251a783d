import type { StateManifest } from '../contract/control/state.js';
import type { Attachment, Email, EmailContent, Recipient } from './model.js';
import { type Snapshot, StoreUnavailableError } from './store.js';

/** What the core needs of the outside beside a store. Each port has one real adapter, made in app.ts. */

export interface Clock {
  /** The service's time, in milliseconds since 1970. */
  now(): number;
  /** The machine's time: for leases and for measuring, never for what the service records. */
  systemNow(): number;
  /** Calls back once when the service's time reaches `instant`. Returns the function that cancels it. */
  at(instant: number, callback: () => void): () => void;
  /** Calls back once after so many milliseconds of the machine's time. Returns the function that cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
  /** Waits so many milliseconds of the machine's time, and keeps the process alive meanwhile. */
  sleep(milliseconds: number): Promise<void>;
}

export interface Ids {
  /** `msg_<id>` and its like: unique, and rising with time. */
  next(prefix: string, now: number): string;
  /** Unguessable text of letters and digits. */
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

/** Posts to a customer's URL. Never throws: whatever goes wrong is in the result. */
export type Post = (request: PostRequest) => Promise<PostResult>;

/** What a MIME parser finds in a message. */
export interface ParsedMessage {
  content: EmailContent;
  /** Mailboxes named in the headers, in lower case. Those named in none are bcc. */
  to: string[];
  cc: string[];
  attachments: Attachment[];
  /** The value of the header `X-Service-Simulate`; null without one. */
  simulate: string | null;
  /** What of the message was left out, because it exceeds a limit. */
  warnings: string[];
}

/** What a composed message is made of. */
interface Composition {
  email: Email;
  /** The HTML as its recipient gets it. */
  html: string;
  recipients: Recipient[];
  attachments: Attachment[];
  /** Who signs it; null for nobody. */
  dkim: DkimIdentity | null;
}

export interface DkimIdentity {
  domain: string;
  selector: string;
  /** PKCS #8, PEM. */
  privateKey: string;
}

/** Makes the MIME message of an email sent over REST: the same bytes every time. */
export type ComposeMessage = (composition: Composition) => Promise<Uint8Array>;

/** A link of an HTML text that leads to the web. Offsets are those of a JavaScript string. */
export interface HtmlLink {
  /** Where the value of its `href` stands, quotation marks left out. */
  start: number;
  end: number;
  /** The value, its character references decoded. */
  url: string;
}

export interface HtmlLinks {
  /** In the order of the text. */
  links: HtmlLink[];
  /** Where a pixel belongs: before `</body>`, else at the end. */
  pixelAt: number;
  /** Whether there are more links than are looked for. */
  cut: boolean;
}

/**
 * Finds the links of an HTML text.
 * @throws UnprocessableError when that exceeds the time or memory that one message may take.
 * @throws ProcessorUnavailableError when no HTML can be processed now.
 */
export type FindHtmlLinks = (html: string) => Promise<HtmlLinks>;

/**
 * Finds the URLs of a plain text, each once and in order.
 * @throws UnprocessableError and ProcessorUnavailableError as FindHtmlLinks does.
 */
export type FindTextLinks = (text: string) => Promise<string[]>;

/** A message, or a part of it, that exceeds what it may take to process; the message says which limit. */
export class UnprocessableError extends Error {
  override readonly name = 'UnprocessableError';
}

/** Nothing can be processed at present: the system starts no process, or the server stops. Try again later. */
export class ProcessorUnavailableError extends Error {
  override readonly name = 'ProcessorUnavailableError';
}

/** Returns whether the same work may succeed later: the disk may be full, or no worker process can be started. */
export function isTemporary(error: unknown): boolean {
  return error instanceof StoreUnavailableError || error instanceof ProcessorUnavailableError;
}

/** One file of a whole state. */
export interface StateArchive {
  pack(manifest: StateManifest, snapshot: Pick<Snapshot, 'size' | 'read'>): AsyncIterable<Uint8Array>;
  /**
   * Reads the manifest; `database` is what was packed, and throws at its end when the archive is not whole.
   * @throws UnusableStateError when it is not an archive of svc, or of a newer one; StateTooLargeError when its files are
   * larger than `maxBytes` together.
   */
  unpack(
    bytes: AsyncIterable<Uint8Array>,
    maxBytes: number,
  ): Promise<{ manifest: StateManifest; database: AsyncIterable<Uint8Array> }>;
}

export interface MessageParser {
  /** Parses a message of the usual form in time proportional to its size, at most `quickBytes`. Undefined for any other. */
  quickly(bytes: Uint8Array): ParsedMessage | undefined;
  /** Messages that are larger are none for `quickly`. */
  readonly quickBytes: number;
  /**
   * Parses any message, apart from the caller's process.
   * @throws UnprocessableError when it exceeds the time or memory of one message.
   * @throws ProcessorUnavailableError when no message can be parsed now.
   * @throws Error that says why the message is unreadable.
   */
  parse(bytes: Uint8Array): Promise<ParsedMessage>;
  /** Resolves when messages are being parsed: after a start of the parser, which may be under way. */
  started(): Promise<void>;
}

/** Looks up TXT records. An unknown name has none; a resolver that cannot be reached throws `upstream`. */
export interface Dns {
  txt(name: string): Promise<string[]>;
}

/** A new RSA key pair for DKIM: PKCS #8 PEM, and the base64 of the public half in DER (RFC 6376 section 3.6.1, `p=`). */
export type MakeDkimKey = () => Promise<{ privateKey: string; publicKey: string }>;
