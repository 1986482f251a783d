import type { ServiceWarning } from '../../../contract/vocabulary/warnings.js';
import { ifExists, ownerOf } from '../../context.js';
import type { ItemKind } from '../../jobs/job-kinds.js';
import { isStored } from '../../model/contents.js';
import type { ReceivedEnvelope, ReceivedHead, ReceivedMessage, UnparsedMessage } from '../../model/received.js';
import { type ParsedMessage, UnprocessableError } from '../../ports.js';
import { StoreUnavailableError } from '../../store.js';
import { HeartbeatSignal } from '../../streams/server-sent-events.js';
import type { Transaction } from '../../transaction.js';
import { EmailWriter, type EmailWriterDeps } from './email-writer.js';
import { LargeContents, withStoredParts } from './large-contents.js';
import { type Attempt, MessageReader, type MessageReaderDeps, type Reading } from './message-reader.js';
import { unreadable } from './received-email.js';

/**
 * Receives messages. The commit that acknowledges a message has everything that a reader sees. A message that takes too
 * long to parse is stored with the fields of its header, and a job parses it. Decision 161.
 */

/** What is known of a message in the transaction that stores it. */
interface Checked {
  /** What it announces. */
  warnings: ServiceWarning[];
  /** Number of mailboxes that it will be sent to, which count in the quota until it is parsed (default: all). */
  sentTo?: number;
}

/** Returns what a message announces. May refuse it with an error. */
type Check = (tx: Transaction, now: number, workspace: string | null) => Promise<Checked>;

/** Runs before a message is stored, with its content, or with its header if it is not parsed. May refuse it. */
export type WhenRead = (parsed: ParsedMessage) => Promise<void>;

interface AcceptOptions {
  check?: Check;
  whenRead?: WhenRead | undefined;
}

/** Attempts to parse a message whose worker ends by itself. */
const ATTEMPTS_MAX = 2;
/** Milliseconds that the read of one email waits until it is parsed. */
const READ_WAIT_MS = 2_000;
/** Milliseconds that a call waits until all emails are parsed: longer than the limits of a message and the lease of a job. */
const ALL_WAIT_MS = 150_000;

export interface InboundDeps extends EmailWriterDeps, Omit<MessageReaderDeps, 'clock'> {
  onInternalError(error: unknown): void;
  /** Called with a line about a message that exceeded a limit of its worker. */
  onNotice?: ((text: string) => void) | undefined;
}

export class Inbound {
  /** Parses a message that its client did not wait for. */
  readonly parseKind: ItemKind<'email.parse'> = {
    type: 'item',
    run: async (job) => {
      const { emailId } = job.payload;
      await this.#parseLate(emailId);
      return (tx) => tx.emails.keepJob(emailId, job);
    },
  };
  readonly #stopping = new AbortController();
  readonly #contents: LargeContents;
  readonly #reader: MessageReader;
  readonly #writer: EmailWriter;
  /** Runs the jobs that parse messages, and waits for them. A server also runs them by itself. */
  runJobs: () => Promise<void> = async () => {};
  /** Number of times that no worker could be started. */
  #refusals = 0;

  constructor(private readonly deps: InboundDeps) {
    this.#contents = new LargeContents(deps);
    this.#reader = new MessageReader(deps);
    this.#writer = new EmailWriter(deps, this.#contents, deps.onInternalError);
  }

  /** Ends waits for messages that are not parsed. The next start parses them. */
  stop(): void {
    this.#stopping.abort();
  }

  /**
   * Stores a message. Resolves with its ID when it is on disk. Without a workspace, its recipients decide to which it
   * belongs. @throws the errors of the options.
   */
  async accept(message: ReceivedMessage, login: string | null = null, options: AcceptOptions = {}): Promise<string> {
    return (await this.#receive(message, login, options)).id;
  }

  /** Stores a message as `accept` does, unless an import has stored one with the same key: then `added` is false. */
  import(message: ReceivedMessage, login: string | null, key: string): Promise<{ id: string; added: boolean }> {
    return this.#receive(message, login, { importKey: `${login ?? ''}/${key}` });
  }

  /** Resolves when an email is parsed, or the wait of a read is over. */
  async parsed(id: string): Promise<void> {
    const isParsed = async () => !(await this.deps.store.read.emails.isParsing(id));
    if (!(await isParsed())) await this.#until(isParsed, READ_WAIT_MS);
  }

  /**
   * Resolves when every message accepted so far, by any process, is parsed, or no worker can be started, or the wait is
   * over: a job that failed leaves its message as it is.
   */
  async parsePending(): Promise<void> {
    const { received } = this.deps.store.read;
    const last = (await received.unparsedRange())?.last;
    if (last === undefined) return;
    await this.#until(async () => ((await received.unparsedRange())?.first ?? last + 1) > last, ALL_WAIT_MS);
  }

  async #until(isDone: () => Promise<boolean>, limitMs: number): Promise<void> {
    const { store, clock } = this.deps;
    const { signal } = this.#stopping;
    const changed = new HeartbeatSignal({ signal, idle: () => () => {} });
    let isOver = false;
    const unsubscribe = store.onCommit(() => changed.notify());
    const cancel = clock.after(limitMs, () => {
      isOver = true;
      changed.notify();
    });
    const refusals = this.#refusals;
    try {
      this.runJobs()
        // The pool has reported it, and tries again.
        .catch(() => {})
        .finally(() => changed.notify());
      while (!isOver && !signal.aborted && this.#refusals === refusals && !(await isDone())) await changed.wait();
    } finally {
      cancel();
      unsubscribe();
      changed.close();
    }
  }

  async #receive(
    message: ReceivedMessage,
    login: string | null,
    options: AcceptOptions & { importKey?: string } = {},
  ): Promise<{ id: string; added: boolean }> {
    const { store, clock, ids, parser } = this.deps;
    const { importKey } = options;
    const imported = importKey === undefined ? undefined : await store.read.received.imported(importKey);
    if (imported !== undefined) return { id: imported, added: false };
    const now = clock.now();
    const { bytes, mailFrom, recipients } = message;
    const head = { mailFrom, recipients, id: ids.next('msg', now), createdAt: now, size: bytes.byteLength };
    const reading = this.#reader.begin(bytes);
    try {
      await reading.inTime;
      await options.whenRead?.(contentOf(head, reading.attempt) ?? parser.header(bytes));
      // It may have been parsed meanwhile, if a fault delays it.
      const { attempt } = reading;
      const parsed = contentOf(head, attempt);
      // An attempt that was given up is none.
      const attempts = reading.late || (attempt && 'crash' in attempt) ? 1 : 0;
      const stored = await this.#store({ ...head, capturedAt: clock.systemNow() }, message, login, {
        ...options,
        content: parsed ?? { header: parser.header(bytes), attempts },
      });
      if (stored.added && parsed) this.#notice(head, attempt);
      if (stored.added && !parsed) this.#storeLate(head.id, reading);
      else reading.release();
      return stored;
    } catch (error) {
      reading.release();
      throw error;
    }
  }

  /** Stores a message with its email, unless an import has stored it. */
  async #store(
    received: Omit<ReceivedHead, 'seq' | 'workspace'>,
    message: ReceivedMessage,
    login: string | null,
    { importKey, check, content }: AcceptOptions & { importKey?: string; content: NewContent },
  ): Promise<{ id: string; added: boolean }> {
    const owner = login ?? (await ownerOf(this.deps.store.read, message.recipients));
    let refusal: unknown;
    const checked = async (tx: Transaction, workspace: string | null): Promise<Checked> => {
      try {
        return (await check?.(tx, received.createdAt, workspace)) ?? { warnings: [] };
      } catch (error) {
        refusal = error;
        throw error;
      }
    };
    const insert = async (inserted: NewContent) => {
      const shown = 'header' in inserted ? undefined : await this.#writer.shownOf(inserted, message.bytes);
      return this.#contents.use([message.bytes], ([bytes = message.bytes]) =>
        withStoredParts(this.#contents, 'header' in inserted ? inserted.header : inserted, (parts, storedParts) =>
          this.#writer.commit(async (tx, notes) => {
            const existing = importKey === undefined ? undefined : await tx.received.imported(importKey);
            if (existing !== undefined) {
              for (const { key } of [bytes, ...storedParts].filter(isStored)) await tx.contents.delete(key);
              return { id: existing, added: false };
            }
            // A session may outlive the workspace of its login.
            const workspace = await ifExists(tx, owner);
            const { warnings: found, sentTo = message.recipients.length } = await checked(tx, workspace);
            const warnings = [...(message.announced ?? []), ...found];
            const seq = await tx.received.insert({ ...message, bytes, importKey });
            const head = { ...received, seq, workspace };
            if ('header' in inserted) {
              const { header, attempts } = inserted;
              await this.#writer.insertUnparsed(tx, notes, { head, warnings, header, attempts, sentTo });
            } else await this.#writer.insertParsed(tx, notes, { head, warnings, parsed: inserted, parts, shown });
            return { id: head.id, added: true };
          }),
        ),
      );
    };
    try {
      return await insert(content);
    } catch (error) {
      if ('header' in content || error === refusal || error instanceof StoreUnavailableError) throw error;
      this.deps.onInternalError(error);
      return insert(unreadable(received, error));
    }
  }

  /** Stores what a worker still finds in a message that was acknowledged before, or leaves it to the job. */
  #storeLate(emailId: string, reading: Reading): void {
    const { late, release } = reading;
    if (!late) {
      release();
      return;
    }
    const { store } = this.deps;
    const end = async (attempt: Attempt) => {
      const message = await store.read.received.unparsed(emailId);
      if (!message) return;
      if ('unavailable' in attempt) await store.write((tx) => tx.received.countAttempt(message, -1));
      else await this.#end({ ...message, attempts: 1 }, attempt);
    };
    late
      .then(end)
      // The job tries again.
      .catch((error: unknown) => error instanceof StoreUnavailableError || this.deps.onInternalError(error))
      .finally(release);
  }

  async #parseLate(emailId: string): Promise<void> {
    const { received } = this.deps.store.read;
    await this.#reader.slowly(async (parse) => {
      for (let isOver = false; !isOver; ) {
        const message = await received.unparsed(emailId);
        const bytes = message && (await received.bytesOf(message.seq));
        if (!message) return;
        const attempts = message.attempts + 1;
        isOver = await this.#end({ ...message, attempts }, await this.#attempt(message, bytes, parse));
      }
    });
  }

  /** Parses a message that was stored, unless that has ended the process before. */
  async #attempt(
    message: UnparsedMessage,
    bytes: Uint8Array | undefined,
    parse: (bytes: Uint8Array) => Promise<Attempt>,
  ): Promise<Attempt> {
    if (!bytes) return { unreadable: new Error('The message cannot be read from the database.'), header: undefined };
    const { store, parser } = this.deps;
    if (message.attempts >= ATTEMPTS_MAX) {
      const unreadable = new Error('Parsing the message was interrupted twice.');
      return { unreadable, header: parser.header(bytes) };
    }
    await store.write((tx) => tx.received.countAttempt(message, 1));
    const attempt = await parse(bytes);
    if (!('unavailable' in attempt)) return attempt;
    this.#refusals += 1;
    await store.write((tx) => tx.received.countAttempt(message, -1));
    throw attempt.unavailable;
  }

  /** Stores the content of a message. Returns false if another attempt follows. */
  async #end(message: UnparsedMessage, attempt: Attempt): Promise<boolean> {
    const isLast = message.attempts >= ATTEMPTS_MAX;
    const content =
      'crash' in attempt && isLast ? unreadable(message, attempt.crash, attempt.header) : contentOf(message, attempt);
    if (!content) return false;
    await this.#writer.finish(message, content);
    this.#notice(message, attempt);
    return true;
  }

  #notice({ id }: Pick<ReceivedHead, 'id'>, attempt: Attempt | undefined): void {
    const error = attempt && ('unreadable' in attempt ? attempt.unreadable : 'crash' in attempt && attempt.crash);
    if (error instanceof UnprocessableError) this.deps.onNotice?.(`Message ${id} is kept unparsed. ${error.message}`);
  }
}

/** The content of a message to insert, or its header until it is parsed. */
type NewContent = ParsedMessage | { header: ParsedMessage; attempts: number };

/** Returns the content of a message, also if it cannot be parsed; undefined if another attempt may succeed. */
function contentOf(envelope: ReceivedEnvelope, attempt: Attempt | undefined): ParsedMessage | undefined {
  if (!attempt) return undefined;
  if ('parsed' in attempt) return attempt.parsed;
  return 'unreadable' in attempt ? unreadable(envelope, attempt.unreadable, attempt.header) : undefined;
}
