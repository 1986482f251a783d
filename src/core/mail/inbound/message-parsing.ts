import type { UnparsedHead } from '../../model/received.js';
import { type MessageParser, type ParsedMessage, ProcessorUnavailableError, UnprocessableError } from '../../ports.js';
import { EmailWriter, type EmailWriterDeps, type ParsedEmail } from './email-writer.js';
import type { LargeContents } from './large-contents.js';
import { unreadable, withSender } from './received-email.js';

/** Maximum number of messages that are read and written together. */
const BATCH = 64;
/** Number of messages that are always assigned to workers at once. More are assigned up to the limits below. */
const UNDER_WAY_MIN = 2;
const UNDER_WAY_MAX = 8;
const UNDER_WAY_BYTES = 16 * 1024 * 1024;

export interface MessageParsingDeps extends EmailWriterDeps {
  parser: MessageParser;
  onInternalError(error: unknown): void;
  /** Called with a line about a message that exceeded a limit of its worker. */
  onNotice?: ((text: string) => void) | undefined;
}

/** Parses received messages: simple ones in batches in this process, others in worker processes. */
export class MessageParsing {
  /** Messages that need a worker and are not assigned to one yet, by `seq`. */
  readonly #waiting = new Map<number, UnparsedHead>();
  /** Messages that a worker is parsing, by `seq`. */
  readonly #underWay = new Map<number, { message: UnparsedHead; done: Promise<void> }>();
  #bytesUnderWay = 0;
  #refusals = 0;
  #refusal: unknown;
  #batch: Promise<number | undefined> | undefined;
  readonly #writer: EmailWriter;

  constructor(
    private readonly deps: MessageParsingDeps,
    contents: LargeContents,
  ) {
    this.#writer = new EmailWriter(deps, contents, deps.onInternalError);
    deps.store.onCommit(({ replaced }) => {
      if (!replaced) return;
      // After a reset, these numbers may belong to other messages.
      this.#waiting.clear();
      this.#underWay.clear();
    });
  }

  /** Returns the number of times that no worker could be started. */
  get refusals(): number {
    return this.#refusals;
  }

  /** Returns and clears the error of the last time that no worker could be started. */
  takeRefusal(): unknown {
    const refusal = this.#refusal;
    this.#refusal = undefined;
    return refusal;
  }

  /** Returns the number of messages up to `seq` that are waiting for a worker or being parsed by one. */
  pendingUpTo(seq: number): number {
    return [...this.#waiting.keys(), ...this.#underWay.keys()].filter((each) => each <= seq).length;
  }

  /** Returns whether a worker is parsing a message. */
  get hasUnderWay(): boolean {
    return this.#underWay.size > 0;
  }

  /**
   * Resolves when a worker has finished a message.
   * @throws ProcessorUnavailableError if no worker can be started.
   */
  nextDone(): Promise<void> {
    return Promise.race(Array.from(this.#underWay.values(), ({ done }) => done));
  }

  /** Lists the unparsed messages up to `seq` with their envelopes until they are parsed. */
  listPending(seq: number): Promise<void> {
    return this.#writer.writePlaceholders(seq);
  }

  /** Returns whether a batch is being parsed. */
  get isParsingBatch(): boolean {
    return this.#batch !== undefined;
  }

  /**
   * Parses the next messages, or waits for the batch that is already being parsed. Returns the `seq` of the first
   * message; undefined if the batch is empty.
   */
  parseBatch(): Promise<number | undefined> {
    this.#batch ??= this.#parseNext().finally(() => {
      this.#batch = undefined;
    });
    return this.#batch;
  }

  async #parseNext(): Promise<number | undefined> {
    const { store, parser } = this.deps;
    const known = [...this.#waiting.keys(), ...this.#underWay.keys()];
    const messages = await store.read.received.unparsed({
      limit: BATCH,
      except: known,
      bytesUpTo: parser.quickBytes,
    });
    const all: ParsedEmail[] = [];
    for (const { bytes, ...message } of messages) {
      const parsed = bytes === null ? undefined : parser.quickly(bytes);
      if (parsed) all.push({ message, parsed: withSender(message, parsed) });
      else this.#waiting.set(message.seq, message);
    }
    this.#assign();
    await this.#writer.writeAll(all);
    return messages[0]?.seq;
  }

  /** Assigns waiting messages to workers, up to the limit. */
  #assign(): void {
    for (const [seq, message] of this.#waiting) {
      const isFull = this.#underWay.size >= UNDER_WAY_MAX || this.#bytesUnderWay >= UNDER_WAY_BYTES;
      if (isFull && this.#underWay.size >= UNDER_WAY_MIN) return;
      this.#waiting.delete(seq);
      this.#bytesUnderWay += message.size;
      const done = this.#parse(message).finally(() => {
        if (this.#underWay.get(seq)?.message === message) this.#underWay.delete(seq);
        this.#bytesUnderWay -= message.size;
        this.#assign();
      });
      // Callers of `nextDone` receive the error. If no caller waits, the sweep retries the message.
      done.catch(() => {});
      this.#underWay.set(seq, { message, done });
    }
  }

  async #parse(message: UnparsedHead): Promise<void> {
    const bytes = await this.deps.store.read.received.bytesOf(message.seq);
    if (!bytes) return;
    let parsed: ParsedMessage;
    try {
      parsed = withSender(message, await this.deps.parser.parse(bytes));
    } catch (error) {
      if (error instanceof ProcessorUnavailableError) {
        // The other messages would fail too. The next batch reads them from the store again.
        this.#waiting.clear();
        this.#refusals += 1;
        this.#refusal = error;
        throw error;
      }
      if (error instanceof UnprocessableError) {
        this.deps.onNotice?.(`Message ${message.id} is kept unparsed. ${error.message}`);
      }
      parsed = unreadable(message, error);
    }
    await this.#writer.write(message, parsed);
  }
}
