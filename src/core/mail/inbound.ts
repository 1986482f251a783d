import { requestSweep, type SweepKind } from '../jobs/job-kinds.js';
import type { NewJob, ReceivedMessage } from '../model.js';
import { isTemporary, ProcessorUnavailableError } from '../ports.js';
import { LargeContents } from './large-contents.js';
import { MessageParsing, type MessageParsingDeps } from './message-parsing.js';

/**
 * Mail received over SMTP. It is acknowledged once its bytes are on disk, and parsed afterwards. Its events are recorded
 * only then, because they contain its subject.
 */

/** Parses whatever is unparsed when it runs. */
export interface ParseJob extends NewJob {
  kind: 'email.index';
  payload: Record<string, never>;
}

/** How long a read waits for workers. */
const PATIENCE_MS = 100;
/** How long a read waits before that for the first worker of this process to start. */
const START_PATIENCE_MS = 900;
/** How long a read parses messages of the simple form, which takes longer only after many have arrived. */
const BACKLOG_PATIENCE_MS = 1_000;

export interface InboundDeps extends MessageParsingDeps {
  /** Milliseconds that a read waits for workers (default: 100). */
  patienceMs?: number | undefined;
}

/** A time that passes. */
interface Deadline {
  hasPassed: boolean;
  passed: Promise<void>;
}

export class Inbound {
  /** The sweep that parses whatever is unparsed, in batches, so that other work runs in between. */
  readonly parseSweep: SweepKind = {
    type: 'sweep',
    run: () => this.#parseOrWait(),
    // One job that waits for workers is enough.
    isLeft: async (tx) => !this.#isWaiting && (await tx.received.unparsedRange()) !== undefined,
  };
  /** Whether a job of this process waits for workers. */
  #isWaiting = false;
  #stopped = false;
  readonly #contents: LargeContents;
  readonly #parsing: MessageParsing;

  constructor(private readonly deps: InboundDeps) {
    this.#contents = new LargeContents(deps);
    this.#parsing = new MessageParsing(deps, this.#contents);
  }

  /** Stores a message. Resolves with its id when it is on disk. */
  async accept(message: ReceivedMessage): Promise<string> {
    const { store, clock, ids } = this.deps;
    const now = clock.now();
    const id = ids.next('msg', now);
    await this.#contents.use([message.bytes], ([bytes = message.bytes]) =>
      store.write(async (tx) => {
        await tx.received.insert({ ...message, bytes, id, createdAt: now });
        await requestSweep<ParseJob>(tx, 'email.index', now);
      }),
    );
    return id;
  }

  /**
   * Resolves when every message accepted so far, by any process, is listed: as the email that it was parsed to, or with its
   * envelope when that takes too long or no worker can be started.
   */
  async parsePending(): Promise<void> {
    try {
      const last = (await this.deps.store.read.received.unparsedRange())?.last;
      if (last !== undefined) await this.#parseOrListUpTo(last);
    } catch (error) {
      // The read returns the messages that are listed. The others are stored, and the sweep tries again.
      if (!isTemporary(error)) this.deps.onInternalError(error);
    }
  }

  /** Call when workers end: messages are then left to the next start. */
  stop(): void {
    this.#stopped = true;
  }

  async #parseOrWait(): Promise<void> {
    const refusal = this.#parsing.takeRefusal();
    // A worker can fail to start before a run ends. Unless the run fails too, the runs repeat without a delay.
    if (refusal) throw refusal;
    const first = await this.#parsing.parseBatch();
    if (first !== undefined || this.#isWaiting || !this.#parsing.hasUnderWay) return;
    this.#isWaiting = true;
    try {
      await this.#parsing.nextDone();
    } finally {
      this.#isWaiting = false;
      // What was just awaited has thrown it.
      this.#parsing.takeRefusal();
    }
  }

  async #parseOrListUpTo(last: number): Promise<void> {
    try {
      await this.#parseUpTo(last);
    } catch (error) {
      if (!(error instanceof ProcessorUnavailableError) || this.#stopped) throw error;
    }
    await this.#parsing.listPending(last);
  }

  /** Resolves when the messages are parsed, or the read has waited long enough. */
  async #parseUpTo(last: number): Promise<void> {
    const parsing = this.#parsing;
    const backlog = deadline(this.#wait(BACKLOG_PATIENCE_MS));
    let workers: Deadline | undefined;
    const { refusals } = parsing;
    for (;;) {
      const hasJoined = parsing.isParsingBatch;
      const first = await parsing.parseBatch();
      workers ??= deadline(this.#waitForWorkers());
      // Further batches would return the same messages again.
      if (parsing.refusals > refusals) throw new ProcessorUnavailableError('No worker process could be started.');
      // A batch that was joined may have begun before the last message was accepted.
      if (backlog.hasPassed || (!hasJoined && (first === undefined || first > last))) break;
    }
    while (parsing.pendingUpTo(last) > 0 && !workers.hasPassed) {
      await Promise.race([workers.passed, parsing.nextDone()]);
    }
  }

  /** Resolves when a read has waited for workers long enough. */
  async #waitForWorkers(): Promise<void> {
    const { parser, patienceMs = PATIENCE_MS } = this.deps;
    await Promise.race([parser.started(), this.#wait(START_PATIENCE_MS)]);
    await this.#wait(patienceMs);
  }

  #wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.deps.clock.after(milliseconds, resolve));
  }
}

function deadline(time: Promise<void>): Deadline {
  const made: Deadline = {
    hasPassed: false,
    passed: time.then(() => {
      made.hasPassed = true;
    }),
  };
  return made;
}
