import type { ClientView, EmailCheck, HtmlSupport } from '../contract/control/emails/check.js';
import type { StateManifest } from '../contract/control/state.js';
import type { ClientViewId } from '../contract/vocabulary/client-views.js';
import type { ServiceHeaderValues } from '../contract/vocabulary/service-headers.js';
import type { ServiceWarning } from '../contract/vocabulary/warnings.js';
import type { Attachment } from './model/contents.js';
import type { Email, EmailContent, Recipient } from './model/emails.js';
import type { ReceivedEnvelope } from './model/received.js';
import type { Extracts, HeaderField, ShownContent } from './model/search.js';
import { type Snapshot, StoreUnavailableError } from './store.js';

/** Defines the core's ports besides the store. Each has one real adapter, created in src/app. */

export interface Clock {
  /** Returns the service's time in milliseconds since 1970. */
  now(): number;
  /** Whether the service's time is being moved forward, step by step. */
  readonly moving: boolean;
  /** Returns system time, for leases and durations. Only `capturedAt` of an email records it. */
  systemNow(): number;
  /** Calls back once when the service's time reaches `instant`. Returns the function that cancels the call. */
  at(instant: number, callback: () => void): () => void;
  /** Calls back once after a number of milliseconds of system time. Returns the function that cancels the call. */
  after(milliseconds: number, callback: () => void): () => void;
  /** Waits a number of milliseconds of system time. Keeps the process alive meanwhile. */
  sleep(milliseconds: number): Promise<void>;
}

export interface Ids {
  /** Returns a unique ID such as `msg_<id>`. Later IDs sort after earlier ones. */
  next(prefix: string, now: number): string;
  /** Returns random letters and digits that cannot be guessed. */
  secret(characters: number): string;
}

export interface PostRequest {
  url: string;
  /** The workspace of the webhook, whose faults are injected; null for none. */
  workspace: string | null;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
  /** Ends the request. */
  signal?: AbortSignal;
  /** Called with the ID of a fault that is injected. */
  onFault?(id: string): void;
}

export interface PostResult {
  status: number | null;
  headers: Record<string, string>;
  body: string;
  error: string | null;
}

/** Posts to a customer's URL. Never throws: the result contains the error. */
export type Post = (request: PostRequest) => Promise<PostResult>;

export interface LinkRequest {
  url: string;
  /** Whether the link may lead to another machine. */
  remote: boolean;
  timeoutMs: number;
  signal: AbortSignal;
}

export interface LinkAnswer {
  status: number | null;
  /** Where the link redirects to. */
  location: string | null;
  error: string | null;
}

/** Requests a link without credentials, and follows no redirect. Never throws: the result contains the error. */
export type RequestLink = (request: LinkRequest) => Promise<LinkAnswer>;

/** A parsed message. */
export interface ParsedMessage {
  content: EmailContent;
  /** Mailboxes in the headers, in lower case. Recipients that the headers do not contain are bcc. */
  to: string[];
  cc: string[];
  /** The display names of those that have one. */
  names: ReadonlyMap<string, string>;
  attachments: Attachment[];
  /** The values of the X-Service-… headers. */
  service: ServiceHeaderValues;
  /** The names of other X-Service-… headers, each once. */
  unknownHeaders: string[];
  /** What was left out because it exceeds a limit, or had to be repaired before it could be read. */
  warnings: ServiceWarning[];
}

/** The parts of a message to compose. */
interface Composition {
  email: Email;
  /** The HTML as delivered to the recipient. */
  html: string;
  recipients: Recipient[];
  attachments: Attachment[];
  /** The domain to sign with; null for an unsigned message. */
  dkim: DkimIdentity | null;
}

export interface DkimIdentity {
  domain: string;
  selector: string;
  /** The private key in PKCS #8 PEM. */
  privateKey: string;
}

/**
 * Verifies the DKIM signature of a message by the key of a domain. Returns why it is not valid, such as `the body was
 * changed after it was signed`; undefined if it is valid.
 */
export type VerifyDkim = (
  message: Uint8Array,
  key: Pick<DkimIdentity, 'domain' | 'selector'> & { /** In base64 DER. */ publicKey: string },
) => Promise<string | undefined>;

/** Composes the MIME message of an email sent over REST. Returns the same bytes for the same email. */
export type ComposeMessage = (composition: Composition) => Promise<Uint8Array>;

/**
 * Returns the copy of a received message that is delivered: without X-Service-… headers, otherwise the same bytes. With a
 * composed message, the copy has its subject and body.
 */
export type DeliveredCopy = (received: Uint8Array, composed: Uint8Array | null) => Promise<Uint8Array>;

/**
 * Returns the copy of a message that is passed to a relay: without Bcc and X-Service-… headers, and with a Received field
 * of its own. `received` has the Received fields of the original.
 */
export type RelayedCopy = (message: Uint8Array, trace: string) => Promise<{ bytes: Uint8Array; received: string[] }>;

/** An http(s) link in HTML. Offsets count UTF-16 code units. */
export interface HtmlLink {
  /** The position of the value of `href`, without its quotation marks. */
  start: number;
  end: number;
  /** The URL, with decoded character references. */
  url: string;
}

export interface HtmlLinks {
  /** Links in the order of the text. */
  links: HtmlLink[];
  /** The position for a tracking pixel: before `</body>`, or at the end without one. */
  pixelAt: number;
  /** Whether links are missing because the HTML has more than the limit. */
  cut: boolean;
}

/**
 * Finds the links in HTML.
 * @throws UnprocessableError if it exceeds the time or memory limit of one message.
 * @throws ProcessorUnavailableError if no HTML can be processed now.
 */
export type FindHtmlLinks = (html: string) => Promise<HtmlLinks>;

/** Decides what the frame of an email may contain. */
export interface FrameOptions {
  /** Whether the frame may load content from other servers. */
  remote: boolean;
  /** The URLs of attachments by content ID, for `cid:` URLs. */
  contentUrls: ReadonlyMap<string, string>;
  /** Hosts with ports of this server, whose ports count for every name of this machine. Nothing of it is loaded. */
  ownHosts: readonly string[];
  /** The preferred color scheme in conditions of style sheets (default: the browser's). */
  colorScheme?: ColorScheme | undefined;
}

export type ColorScheme = 'light' | 'dark';

/** The HTML of an email for a sandboxed frame. */
export interface FrameHtml {
  /** The HTML before, between and after the targets of the links. */
  parts: string[];
  /** The targets of the links, unescaped. */
  links: string[];
  /** The origins of content without TLS that the frame may load. */
  hosts: string[];
}

/**
 * Rewrites HTML so that a frame with a policy shows it without scripts, requests that were not allowed, and targets of
 * links.
 * @throws UnprocessableError and ProcessorUnavailableError as FindHtmlLinks does.
 */
export type RewriteForFrame = (html: string, options: FrameOptions) => Promise<FrameHtml>;

/** The HTML to show as a mail client does. */
export interface ClientViewInput {
  html: string;
  subject: string;
  /** The name of the view. */
  client: ClientViewId;
  isDark: boolean;
  /** Whether the client shows images. */
  hasImages: boolean;
}

/**
 * Builds the view of an email in a mail client.
 * @throws UnprocessableError and ProcessorUnavailableError as FindHtmlLinks does.
 */
export type ShowAsClient = (input: ClientViewInput) => Promise<ClientView>;

export type { ClientView };

/** The content of an email, of which links, codes and text are extracted. */
export interface ExtractInput {
  subject: string;
  html: string;
  text: string;
  /** The received message, or at least its header; null for an email from REST. */
  head: Uint8Array | null;
}

/**
 * Finds what is shown of an email's content: at once if it is short. Returns undefined if it cannot be found now, and
 * it is found with the links.
 */
export interface ShowContent {
  (html: string, head: Uint8Array | null): Promise<ShownContent | undefined>;
  /** The same without waiting: undefined if it is long, or nothing was read before. */
  atOnce(html: string, head: Uint8Array | null): ShownContent | undefined;
}

export interface Extracted extends Extracts {
  /** Whether links are missing because the email has more than the limit. */
  cut: boolean;
  /** The first error of svc in reading a link, whose kind is then `other`. */
  failure?: string | undefined;
}

/**
 * Extracts links, codes, header fields and the shown text of an email.
 * @throws UnprocessableError and ProcessorUnavailableError as FindHtmlLinks does.
 */
export type ExtractContent = (input: ExtractInput) => Promise<Extracted>;

/** The content of an email that is checked. */
export interface CheckInput {
  /** Null if it is unknown, as for a file with HTML only. */
  subject: string | null;
  html: string;
  /** Null if it is unknown. */
  text: string | null;
  headers: readonly HeaderField[];
  /** Names of attached files. */
  files: readonly string[];
}

export interface ContentChecks {
  findings: Pick<EmailCheck, 'id' | 'passed' | 'details' | 'count' | 'where'>[];
  /** Null without HTML. */
  support: HtmlSupport | null;
}

/**
 * Checks the content of an email.
 * @throws UnprocessableError and ProcessorUnavailableError as FindHtmlLinks does.
 */
export type CheckContent = (input: CheckInput) => Promise<ContentChecks>;

/** A message, or a part of it, exceeds a processing limit. The error's message names the limit. */
export class UnprocessableError extends Error {
  override readonly name: string = 'UnprocessableError';
}

/** The worker of a message ended by itself, for example because the machine is out of memory. A retry may succeed. */
export class WorkerEndedError extends UnprocessableError {
  override readonly name = 'WorkerEndedError';
}

/** No message can be processed now: no worker process could be started, or the server is stopping. A retry may succeed. */
export class ProcessorUnavailableError extends Error {
  override readonly name = 'ProcessorUnavailableError';
}

/** Returns whether a retry may succeed, for example because the disk is full or no worker process could be started. */
export function isTemporary(error: unknown): boolean {
  return error instanceof StoreUnavailableError || error instanceof ProcessorUnavailableError;
}

/**
 * Reads the envelope that the header of a message implies: the first of Return-Path, Sender and From, and the addresses
 * in To, Cc and Bcc, else in fields that a delivery adds. Both may be empty, and addresses may be invalid.
 */
export type ReadEnvelope = (bytes: Uint8Array) => ReceivedEnvelope;

/** Packs everything that a server stores into one file, and unpacks it. */
export interface StateArchive {
  pack(manifest: StateManifest, snapshot: Pick<Snapshot, 'size' | 'read'>): AsyncIterable<Uint8Array>;
  /**
   * Reads the manifest. `database` yields the packed snapshot, and throws at its end if the archive is incomplete.
   * @throws UnusableStateError if it is not an archive of svc, or a newer version wrote it.
   * @throws StateTooLargeError if its files exceed `maxBytes` in total.
   */
  unpack(
    bytes: AsyncIterable<Uint8Array>,
    maxBytes: number,
  ): Promise<{ manifest: StateManifest; database: AsyncIterable<Uint8Array> }>;
}

export interface MessageParser {
  /** Parses a simple, small message in linear time. Returns undefined for any other. */
  quickly(bytes: Uint8Array): ParsedMessage | undefined;
  /** Reads only the header of any message, in linear time: its sender, subject, recipients and X-Service-… fields. */
  header(bytes: Uint8Array): ParsedMessage;
  /**
   * Parses any message in another process. When the signal fires, gives up, and ends a worker that has begun.
   * @throws UnprocessableError if it exceeds the time or memory limit of one message.
   * @throws WorkerEndedError if the worker ended for another reason.
   * @throws ProcessorUnavailableError if no message can be parsed now, or the signal fired.
   * @throws Error with the reason if the message is unreadable.
   */
  parse(bytes: Uint8Array, signal?: AbortSignal): Promise<ParsedMessage>;
}

/** Looks up TXT records. Returns none for an unknown name. @throws ServiceError `upstream` if the resolver is unreachable. */
export interface Dns {
  txt(name: string): Promise<string[]>;
}

/** Creates an RSA key pair for DKIM: PKCS #8 PEM, and the public key in base64 DER (RFC 6376 section 3.6.1, `p=`). */
export type MakeDkimKey = () => Promise<{ privateKey: string; publicKey: string }>;
