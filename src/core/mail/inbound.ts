import type { Core } from '../context.js';
import type { BurstGate } from '../jobs/ingest-backpressure.js';
import type { Job, NewJob, ReceivedMessage, UnparsedHead } from '../model.js';
import { isTemporary, type MessageParser, type ParsedMessage, ProcessorUnavailableError } from '../ports.js';
import { EmailWriter, type ParsedEmail } from './email-writer.js';
import { LargeContents } from './large-contents.js';
import { unreadable, withSender } from './received-email.js';

/**
 * Mail that comes in by SMTP. It is acknowledged once its bytes are on disk. It is parsed afterwards: a message of the simple
 * form here, any other by a worker. Only then do its events begin, because they carry its subject.
 */

/** Parses whatever is not parsed yet when it runs; one job stands for all of it. */
interface IndexJob extends NewJob {
  kind: 'email.index';
  payload: Record<string, never>;
}

/** How many messages are looked at before they are written together. */
const BATCH = 64;
/** How long a read waits for workers. */
const PATIENCE_MS = 100;
/** How long it waits before that for the first worker of this process to start. */
const START_PATIENCE_MS = 900;
/** How long a read parses messages of the simple form, which takes longer only after many have come in. */
const BACKLOG_PATIENCE_MS = 1_000;
/** Messages that workers are given before they have finished others: at least as many as there are workers. */
const UNDER_WAY_MIN = 2;
const UNDER_WAY_MAX = 8;
const UNDER_WAY_BYTES = 16 * 1024 * 1024;

/** Set when a time has passed. */
interface Flag {
  isSet: boolean;
  set: Promise<void>;
}

interface Pending {
  message: UnparsedHead;
  done: Promise<void>;
}

export class Inbound {
  /** Messages that need a worker and have none yet, by `seq`. */
  readonly #waiting = new Map<number, UnparsedHead>();
  readonly #underWay = new Map<number, Pending>();
  #bytesUnderWay = 0;
  /** Messages that found no worker. */
  #refusals = 0;
  /** The error of the last one that no run of the job has thrown. */
  #refusal: unknown;
  #batch: Promise<number | undefined> | undefined;
  /** Whether a job of this process waits for what is under way. */
  #attended = false;
  #stopped = false;
  readonly #contents: LargeContents;
  readonly #writer: EmailWriter;

  constructor(
    private readonly core: Pick<Core, 'store' | 'clock' | 'ids'>,
    private readonly parser: MessageParser,
    private readonly burstGate: BurstGate,
    private readonly onInternalError: (error: unknown) => void,
    private readonly patienceMs: number = PATIENCE_MS,
  ) {
    this.#contents = new LargeContents(core);
    this.#writer = new EmailWriter(core, this.#contents, onInternalError);
    core.store.onCommit(({ replaced }) => {
      if (!replaced) return;
      // Other messages may have their numbers now.
      this.#waiting.clear();
      this.#underWay.clear();
    });
  }

  /** Keeps a message and resolves with its id when it is on disk. */
  async accept(message: ReceivedMessage): Promise<string> {
    const { store, clock, ids } = this.core;
    const now = clock.now();
    const id = ids.next('msg', now);
    const written = this.#contents.use([message.bytes], ([bytes = message.bytes]) =>
      store.write(async (tx) => {
        await tx.received.insert({ ...message, bytes, id, createdAt: now });
        if (await tx.jobs.hasDue('email.index', now)) return;
        const job: IndexJob = { kind: 'email.index', runAt: now, payload: {} };
        await tx.jobs.add(job);
      }),
    );
    await this.burstGate.track(written);
    return id;
  }

  /**
   * Resolves when every message accepted so far, by any process, is listed: as the email that it was parsed to, or with its
   * envelope when that takes too long or no worker can be started.
   */
  async parsePending(): Promise<void> {
    try {
      const last = (await this.core.store.read.received.unparsedRange())?.last;
      if (last !== undefined) await this.#settle(last);
    } catch (error) {
      // The read goes on with the messages that are listed. The others are kept, and their job tries again.
      if (!isTemporary(error)) this.onInternalError(error);
    }
  }

  /** Runs the job of whatever is unparsed: one batch at a time, so that a stop or a rush need not wait for all of them. */
  async runIndexJob(job: Job): Promise<void> {
    const refusal = this.#refusal;
    this.#refusal = undefined;
    // Starting a worker can fail before a run ends. Without a rest the runs would follow one another without end.
    if (refusal) throw refusal;
    const first = await this.#look();
    if (first === undefined && !this.#attended && this.#underWay.size > 0) await this.#attend();
    const attended = this.#attended;
    await this.core.store.write(async (tx) => {
      // Another job that is not done yet waits for what workers have.
      const ends = attended || !(await tx.received.unparsedRange());
      if (ends) await tx.jobs.complete(job.seq);
      else await tx.jobs.reschedule(job.seq, job.runAt);
    });
  }

  /** Says that workers end from now on, for the messages to be left to the next start. */
  stop(): void {
    this.#stopped = true;
  }

  /** Waits until one of the messages under way is done. */
  async #attend(): Promise<void> {
    this.#attended = true;
    try {
      await Promise.race(Array.from(this.#underWay.values(), ({ done }) => done));
    } finally {
      this.#attended = false;
      this.#refusal = undefined;
    }
  }

  async #settle(last: number): Promise<void> {
    try {
      await this.#parseUpTo(last);
    } catch (error) {
      if (!(error instanceof ProcessorUnavailableError) || this.#stopped) throw error;
    }
    await this.#writer.writePlaceholders(last);
  }

  /** Waits until the messages are parsed, or the read has waited long enough. */
  async #parseUpTo(last: number): Promise<void> {
    const backlog = this.#after(this.#wait(BACKLOG_PATIENCE_MS));
    let workers: Flag | undefined;
    const refusals = this.#refusals;
    for (;;) {
      const joined = this.#batch !== undefined;
      const first = await this.#look();
      workers ??= this.#after(this.#patience());
      // Further batches would return the same messages again.
      if (this.#refusals > refusals) throw new ProcessorUnavailableError('No worker process could be started.');
      // A batch that was joined may have begun before the last message was accepted.
      if (backlog.isSet || (!joined && (first === undefined || first > last))) break;
    }
    while (this.#pendingUpTo(last).length > 0 && !workers.isSet) {
      await Promise.race([workers.set, ...Array.from(this.#underWay.values(), ({ done }) => done)]);
    }
  }

  /** Resolves when a read has waited for workers long enough. */
  async #patience(): Promise<void> {
    await Promise.race([this.parser.started(), this.#wait(START_PATIENCE_MS)]);
    await this.#wait(this.patienceMs);
  }

  #after(time: Promise<void>): Flag {
    const flag: Flag = {
      isSet: false,
      set: time.then(() => {
        flag.isSet = true;
      }),
    };
    return flag;
  }

  #wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.core.clock.after(milliseconds, resolve));
  }

  #pendingUpTo(last: number): UnparsedHead[] {
    const messages = [...this.#waiting.values(), ...Array.from(this.#underWay.values(), ({ message }) => message)];
    return messages.filter(({ seq }) => seq <= last);
  }

  /** Looks at the next messages, one batch at a time. Returns the `seq` of the first, undefined when there was none. */
  #look(): Promise<number | undefined> {
    this.#batch ??= this.#lookAtBatch().finally(() => {
      this.#batch = undefined;
    });
    return this.#batch;
  }

  async #lookAtBatch(): Promise<number | undefined> {
    const { received } = this.core.store.read;
    const known = [...this.#waiting.keys(), ...this.#underWay.keys()];
    const messages = await received.unparsed({ limit: BATCH, except: known, bytesUpTo: this.parser.quickBytes });
    const all: ParsedEmail[] = [];
    for (const { bytes, ...message } of messages) {
      const parsed = bytes === null ? undefined : this.parser.quickly(bytes);
      if (parsed) all.push({ message, parsed: withSender(message, parsed) });
      else this.#waiting.set(message.seq, message);
    }
    this.#assign();
    await this.#writer.writeAll(all);
    return messages[0]?.seq;
  }

  /** Gives waiting messages to workers, as many as there is room for. */
  #assign(): void {
    for (const [seq, message] of this.#waiting) {
      const isFull = this.#underWay.size >= UNDER_WAY_MAX || this.#bytesUnderWay >= UNDER_WAY_BYTES;
      if (isFull && this.#underWay.size >= UNDER_WAY_MIN) return;
      this.#waiting.delete(seq);
      this.#bytesUnderWay += message.size;
      const done = this.#process(message).finally(() => {
        if (this.#underWay.get(seq)?.message === message) this.#underWay.delete(seq);
        this.#bytesUnderWay -= message.size;
        this.#assign();
      });
      // Readers that wait for it receive the error. Without a reader, the job of the unparsed messages tries again.
      done.catch(() => {});
      this.#underWay.set(seq, { message, done });
    }
  }

  async #process(message: UnparsedHead): Promise<void> {
    const bytes = await this.core.store.read.received.bytesOf(message.seq);
    if (!bytes) return;
    let parsed: ParsedMessage;
    try {
      parsed = withSender(message, await this.parser.parse(bytes));
    } catch (error) {
      if (error instanceof ProcessorUnavailableError) {
        // No worker can parse the waiting messages either. The next job reads them from the store again.
        this.#waiting.clear();
        this.#refusals += 1;
        this.#refusal = error;
        throw error;
      }
      parsed = unreadable(message, error);
    }
    await this.#writer.write(message, parsed);
  }
}
