import type { CounterName } from '../contract/counters.js';
import type { StateManifest } from '../contract/state-control.js';
import type {
  ApiKeyRecord,
  Attachment,
  AttachmentInfo,
  AttemptRecord,
  Counts,
  DeliveryFilter,
  DeliveryHead,
  DeliveryRecord,
  DomainRecord,
  Email,
  EmailContent,
  EmailFilter,
  EmailHead,
  Job,
  NewEvent,
  NewJob,
  NewRequest,
  Page,
  Paged,
  ReceivedMessage,
  Recipient,
  RequestFilter,
  RequestRecord,
  RuleRecord,
  StoredEvent,
  SuppressionRecord,
  TemplateRecord,
  UnparsedMessage,
  WebhookRecord,
} from './model.js';

/** What the core needs of the outside. Each port has one real adapter, made in app.ts. */

/** Reads of the store: what has been committed, and at times what the commit under way is about to keep. */
export interface Reads {
  emails: {
    find(id: string): Promise<Email | undefined>;
    list(filter: EmailFilter, page: Page): Promise<Paged<EmailHead>>;
    recipients(id: string): Promise<Recipient[]>;
    recipient(id: string, mailbox: string): Promise<Recipient | undefined>;
    attachments(id: string): Promise<AttachmentInfo[]>;
    /** `index` counts from 0. */
    attachment(id: string, index: number): Promise<Attachment | undefined>;
    received(id: string): Promise<ReceivedMessage | undefined>;
    /** Received messages that are not emails yet, in order of `seq`: at most `limit`, and few when they are large. */
    unparsed(limit: number): Promise<UnparsedMessage[]>;
    /** The `seq` of the first and last of them. */
    unparsedRange(): Promise<{ first: number; last: number } | undefined>;
    /** What the message asked for and could not get. */
    warnings(id: string): Promise<string[]>;
    /** How many emails were accepted over the API in [from, before). */
    countSent(from: number, before: number): Promise<number>;
  };
  events: {
    /** In order of `seq`, at most `limit`. */
    after(seq: number, limit: number): Promise<StoredEvent[]>;
    find(id: string): Promise<StoredEvent | undefined>;
    ofEmail(emailId: string): Promise<StoredEvent[]>;
    /** 0 when there is none. */
    lastSeq(): Promise<number>;
    /** Events from an instant on, in order of `seq`. */
    since(instant: number): Promise<StoredEvent[]>;
    /** Events whose instant lies in [from, to], by counter. */
    count(from: number, to: number): Promise<Counts>;
  };
  jobs: {
    /**
     * When a job of these kinds can next be claimed: `dueAt` on the service's clock for one that is free, `leaseEndsAt` on
     * the machine's for one that is claimed. Jobs of a queue that has no room are passed over.
     */
    next(
      kinds: readonly string[],
      systemNow: number,
      fullQueues?: readonly string[],
    ): Promise<{ dueAt: number | null; leaseEndsAt: number | null }>;
    pending(): Promise<number>;
    /** The job of these kinds that is due first, claimed or free. */
    first(kinds: readonly string[]): Promise<{ runAt: number; leaseUntil: number } | undefined>;
  };
  templates: {
    find(id: string): Promise<TemplateRecord | undefined>;
    list(page: Page): Promise<Paged<TemplateRecord>>;
  };
  domains: {
    find(domain: string): Promise<DomainRecord | undefined>;
    list(): Promise<DomainRecord[]>;
  };
  apiKeys: {
    find(id: string): Promise<ApiKeyRecord | undefined>;
    findByHash(hash: string): Promise<ApiKeyRecord | undefined>;
    list(): Promise<ApiKeyRecord[]>;
  };
  webhooks: {
    find(id: string): Promise<WebhookRecord | undefined>;
    /** Newest first, ephemeral ones included. */
    list(): Promise<WebhookRecord[]>;
  };
  deliveries: {
    find(id: string): Promise<{ delivery: DeliveryRecord; event: StoredEvent; webhook: WebhookRecord } | undefined>;
    attempts(deliveryId: string): Promise<AttemptRecord[]>;
    /** Those of a subscription that have an attempt to come, oldest first. */
    pendingOf(webhookId: string): Promise<DeliveryRecord[]>;
    /** Newest first. */
    list(filter: DeliveryFilter, page: Page): Promise<Paged<DeliveryHead>>;
  };
  settings: {
    get(name: string): Promise<string | undefined>;
  };
  suppressions: {
    find(mailbox: string): Promise<SuppressionRecord | undefined>;
    /** Newest first. */
    list(page: Page): Promise<Paged<SuppressionRecord>>;
  };
  rules: {
    /** Newest first. */
    list(): Promise<RuleRecord[]>;
    /** Newest first, without those that are used up. */
    inForce(): Promise<RuleRecord[]>;
  };
  requests: {
    newest(filter: RequestFilter, limit: number): Promise<RequestRecord[]>;
    /** In order of `seq`. */
    after(seq: number, filter: RequestFilter, limit: number): Promise<RequestRecord[]>;
    /** 0 when there is none. */
    lastSeq(): Promise<number>;
  };
}

/** Reads and writes inside one transaction; reads see its own writes. */
export interface Transaction extends Reads {
  emails: Reads['emails'] & {
    insert(email: Email, recipients: Recipient[], attachments: Attachment[]): Promise<void>;
    /** Keeps a received message, which takes its place among the emails. */
    receive(message: Omit<UnparsedMessage, 'seq'>): Promise<void>;
    /**
     * Takes a message out of the unparsed and answers whether it was there; then it is to be inserted at its `seq`. After a
     * reset another message may have that number.
     */
    takeUnparsed(message: Pick<UnparsedMessage, 'seq' | 'id'>): Promise<boolean>;
    /** Inserts what a received message became. */
    insertParsed(seq: number, email: Email, recipients: Recipient[], attachments: Attachment[]): Promise<void>;
    setStatus(id: string, changes: StatusChange): Promise<void>;
    setRecipientStatus(id: string, mailbox: string, status: Recipient['status']): Promise<void>;
    warn(id: string, text: string): Promise<void>;
  };
  events: Reads['events'] & {
    append(event: NewEvent, counter: CounterName | undefined): Promise<StoredEvent>;
  };
  jobs: Reads['jobs'] & {
    add(job: NewJob): Promise<void>;
    /** Whether a job of a kind that is due at `now` waits to be claimed. */
    awaits(kind: string, now: number): Promise<boolean>;
    /** Claims jobs due at `now` in order of `runAt`, then of their making, until `leaseUntil` on the system's clock. */
    claim(claim: JobClaim): Promise<Job[]>;
    /** Ends a job. False when it is gone already: its lease ran out, somebody else did it, and its effects are there. */
    complete(seq: number): Promise<boolean>;
    /** Calls off what is still to happen to a recipient's mail. */
    callOff(kinds: readonly string[], emailId: string, mailbox: string): Promise<void>;
    /** Gives a claimed job back, to run at another time. */
    reschedule(seq: number, runAt: number): Promise<void>;
    /** Sets a job aside that failed for a reason of ours, so that it can be seen. */
    fail(seq: number, error: string): Promise<void>;
  };
  templates: Reads['templates'] & {
    /** False when the name is taken. */
    insert(template: TemplateRecord): Promise<boolean>;
    /** False when the name is taken. */
    update(template: TemplateRecord): Promise<boolean>;
    delete(id: string): Promise<void>;
  };
  domains: Reads['domains'] & {
    /** False when the domain is there already. */
    insert(domain: DomainRecord): Promise<boolean>;
    update(domain: DomainRecord): Promise<void>;
    delete(domain: string): Promise<void>;
  };
  apiKeys: Reads['apiKeys'] & {
    insert(key: ApiKeyRecord): Promise<void>;
    delete(id: string): Promise<void>;
  };
  webhooks: Reads['webhooks'] & {
    insert(webhook: WebhookRecord): Promise<void>;
    update(webhook: WebhookRecord): Promise<void>;
    delete(id: string): Promise<void>;
    /** Every active subscription has now got the events up to this one. */
    advance(seq: number): Promise<void>;
    /** Switches ephemeral ones off, whose reader is gone, and forgets those that were made before an instant. */
    pauseEphemeral(forgetBefore: number): Promise<void>;
  };
  deliveries: Reads['deliveries'] & {
    insert(delivery: DeliveryRecord): Promise<void>;
    /** Ends one that has an attempt to come, because its subscription is gone or switched off. */
    giveUp(id: string): Promise<void>;
    /** False when the delivery is gone. */
    recordAttempt(
      attempt: AttemptRecord,
      state: DeliveryRecord['state'],
      nextAttemptAt: number | null,
    ): Promise<boolean>;
  };
  settings: Reads['settings'] & {
    set(name: string, value: string): Promise<void>;
  };
  suppressions: Reads['suppressions'] & {
    /** A mailbox that is there already stays as it is. */
    insert(suppression: SuppressionRecord): Promise<void>;
    /** False when it was not there. */
    delete(mailbox: string): Promise<boolean>;
  };
  rules: Reads['rules'] & {
    insert(rule: RuleRecord): Promise<void>;
    /** Counts one mail that it decided. */
    use(id: string): Promise<void>;
    /** False when it was not there. */
    delete(id: string): Promise<boolean>;
  };
  requests: Reads['requests'] & {
    /** Adds requests, and lets the oldest go beyond `keep`. */
    append(requests: readonly NewRequest[], keep: number): Promise<void>;
  };
  /** Empties everything but the keys, the clock, and ephemeral subscriptions. Sequence numbers go on rising. */
  reset(): Promise<void>;
  /**
   * Puts what was staged in the place of everything. Ephemeral subscriptions that are active stay, and get what happens from
   * now on; those that come with it are switched off. Jobs get new numbers and are free; sequence numbers go on rising from
   * the higher of both sides.
   */
  replace(staged: StagedState): Promise<void>;
}

export type StatusChange = Partial<
  Pick<
    Email,
    'status' | 'sentAt' | 'deliveredAt' | 'openedAt' | 'opensCount' | 'clicksCount' | 'bounceReason' | 'scheduledAt'
  >
>;

export interface JobClaim {
  now: number;
  systemNow: number;
  leaseUntil: number;
  limit: number;
  kinds: readonly string[];
  /** How many jobs of one queue may run at once, and how many of each do. */
  perQueue?: { limit: number; running: ReadonlyMap<string, number> };
}

/** What a commit is about to bring, for those who join it. */
export interface Committing {
  events: boolean;
  jobs: boolean;
}

/** What a commit brought, for those who wait on it. */
export interface Committed extends Committing {
  /** The events that were appended, in their order; none of those that an archive brought. */
  appended: readonly StoredEvent[];
  /** Set when everything was replaced, or emptied: what is there up to these numbers is no news, to whatever number one had read. */
  replaced?: { lastEvent: number; lastRequest: number };
}

/** A write could not be brought to the disk, which may be full. Nothing of it holds; it may be asked for again. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}

/** How long to leave a store alone that could not write. */
export const STORE_RETRY_MS = 1_000;

/** What was given is not what a store of this kind wrote, or not what this version of it can read. */
export class UnusableStateError extends Error {
  override readonly name = 'UnusableStateError';
}

/** A copy of everything that a store holds. Whoever asked for it discards it. */
export interface Snapshot {
  schemaVersion: number;
  /** In bytes. */
  size: number;
  read(): AsyncIterable<Uint8Array>;
  discard(): Promise<void>;
}

/** Everything that another store held, checked and brought up to date. Whoever asked for it discards it. */
export interface StagedState {
  discard(): Promise<void>;
}

export interface Store {
  readonly read: Reads;
  /**
   * Runs `work` in a transaction and resolves when it is on disk. Writes asked for in one turn of the event loop share a
   * commit; each is undone alone if its own work throws. `work` may await the transaction's methods and nothing else.
   * @throws StoreUnavailableError when it could not be brought to the disk.
   */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Calls back before each commit that adds events or jobs. What the listener asks to be written there and then belongs to
   * the same commit, and sees what it follows from. Returns the function that stops it.
   */
  beforeCommit(listener: (committing: Committing) => void): () => void;
  /** Calls back after each commit that added events or jobs. Returns the function that stops it. */
  onCommit(listener: (committed: Committed) => void): () => void;
  /**
   * A copy of everything as it is at one moment, made while reads and writes go on.
   * @throws StoreUnavailableError when there is no room for it.
   */
  snapshot(): Promise<Snapshot>;
  /**
   * Takes in what a snapshot read, and makes it ready to replace everything. Nothing else is changed.
   * @throws UnusableStateError when it is not a store's, or a newer one's; StoreUnavailableError when there is no room for it.
   */
  stage(bytes: AsyncIterable<Uint8Array>): Promise<StagedState>;
  /** Waits for the writes under way, then closes. */
  close(): Promise<void>;
}

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
}

/** What a composed message is made of. */
export interface Composition {
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
}

export type FindHtmlLinks = (html: string) => Promise<HtmlLinks>;

/** One file of a whole state. */
export interface StateArchive {
  pack(manifest: StateManifest, snapshot: Pick<Snapshot, 'size' | 'read'>): AsyncIterable<Uint8Array>;
  /**
   * Reads the manifest; `database` is what was packed, and throws at its end when the archive is not whole.
   * @throws UnusableStateError when it is not an archive of svc, or of a newer one.
   */
  unpack(bytes: AsyncIterable<Uint8Array>): Promise<{ manifest: StateManifest; database: AsyncIterable<Uint8Array> }>;
}

/** Parses a message as received. Throws what made it unreadable. */
export type ParseMessage = (bytes: Uint8Array) => Promise<ParsedMessage>;

/** Looks up TXT records. An unknown name has none; a resolver that cannot be reached throws `upstream`. */
export interface Dns {
  txt(name: string): Promise<string[]>;
}

/** A new RSA key pair for DKIM: PKCS #8 PEM, and the base64 of the public half in DER (RFC 6376 section 3.6.1, `p=`). */
export type MakeDkimKey = () => Promise<{ privateKey: string; publicKey: string }>;
