import { requestSweep, type SweepKind } from '../../jobs/job-kinds.js';
import { isStored } from '../../model/contents.js';
import type { NewJob } from '../../model/jobs.js';
import type { NewReceived, ReceivedMessage } from '../../model/received.js';
import { isTemporary, ProcessorUnavailableError } from '../../ports.js';
import type { Reads } from '../../reads.js';
import type { Transaction } from '../../transaction.js';
import { ifExists, ownerOf } from '../../workspaces/owner.js';
import { LargeContents } from './large-contents.js';
import { MessageParsing, type MessageParsingDeps } from './message-parsing.js';

/**
 * Receives messages over SMTP. A message is acknowledged once its bytes are on disk, and parsed afterwards. Its events
 * are recorded after parsing, because they contain the subject.
 */

/** The job that parses all unparsed messages. */
export interface ParseJob extends NewJob {
  kind: 'email.index';
  payload: Record<string, never>;
}

/** Returns what a message announces, and in how many mailboxes it counts, in the transaction that stores it. */
type Check = (tx: Transaction, now: number) => Promise<Pick<NewReceived, 'warnings' | 'sentTo'>>;

/** Milliseconds that a read waits for worker processes. */
const PATIENCE_MS = 100;
/** Milliseconds that a read waits before that for this process to start its first worker. */
const START_PATIENCE_MS = 900;
/** Milliseconds that a read spends on parsing simple messages in this process. Only a large backlog takes longer. */
const BACKLOG_PATIENCE_MS = 1_000;

export interface InboundDeps extends MessageParsingDeps {
  /** Milliseconds that a read waits for worker processes (default: 100). */
  patienceMs?: number | undefined;
}

/** A time limit. */
interface Deadline {
  hasPassed: boolean;
  passed: Promise<void>;
}

export class Inbound {
  /** Parses all unparsed messages in batches, so that other work runs in between. */
  readonly parseSweep: SweepKind = {
    type: 'sweep',
    run: () => this.#parseOrWait(),
    // One job that waits for workers is enough.
    nextRun: async (tx, { runAt }) =>
      !this.#isWaiting && (await tx.received.unparsedRange()) !== undefined ? runAt : null,
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

  /**
   * Stores a message. Resolves with its ID when it is on disk. Without a workspace, its recipients decide to which it
   * belongs. `check` may refuse it with an error.
   */
  async accept(message: ReceivedMessage, login: string | null = null, check?: Check): Promise<string> {
    return (await this.#store(message, login, { check })).id;
  }

  /** Stores a message as `accept` does, unless an import has stored one with the same key: then `added` is false. */
  import(message: ReceivedMessage, login: string | null, key: string): Promise<{ id: string; added: boolean }> {
    return this.#store(message, login, { importKey: `${login ?? ''}/${key}` });
  }

  async #store(
    message: ReceivedMessage,
    login: string | null,
    { importKey, check }: { importKey?: string; check?: Check | undefined },
  ): Promise<{ id: string; added: boolean }> {
    const { store, clock, ids } = this.deps;
    const now = clock.now();
    const id = ids.next('msg', now);
    const find = async ({ received }: Pick<Reads, 'received'>) =>
      importKey === undefined ? undefined : received.imported(importKey);
    let existing = await find(store.read);
    if (existing !== undefined) return { id: existing, added: false };
    const owner = login ?? (await ownerOf(store.read, message.recipients));
    await this.#contents.use([message.bytes], ([bytes = message.bytes]) =>
      store.write(async (tx) => {
        // Another import may have stored it meanwhile.
        existing = await find(tx);
        if (existing !== undefined) {
          if (isStored(bytes)) await tx.contents.delete(bytes.key);
          return;
        }
        // A session may outlive the workspace of its login.
        const workspace = await ifExists(tx, owner);
        const checked = await check?.(tx, now);
        const times = { createdAt: now, capturedAt: clock.systemNow() };
        const more = { ...(importKey && { importKey }), ...checked };
        await tx.received.insert({ ...message, bytes, id, ...times, workspace, ...more });
        await requestSweep<ParseJob>(tx, 'email.index', now);
      }),
    );
    return existing === undefined ? { id, added: true } : { id: existing, added: false };
  }

  /**
   * Resolves when every message accepted so far, by any process, is listed: as a parsed email, or with its envelope if
   * parsing takes too long or no worker can be started.
   */
  async parsePending(): Promise<void> {
    try {
      const last = (await this.deps.store.read.received.unparsedRange())?.last;
      if (last !== undefined) await this.#parseOrListUpTo(last);
    } catch (error) {
      // The read then returns only listed messages. The others are stored, and the sweep retries them.
      if (!isTemporary(error)) this.deps.onInternalError(error);
    }
  }

  /** Stops parsing in workers, which are about to end. The next start parses the remaining messages. */
  stop(): void {
    this.#stopped = true;
  }

  async #parseOrWait(): Promise<void> {
    const refusal = this.#parsing.takeRefusal();
    // A worker may have failed to start between two runs. Throwing makes the next run wait, instead of retrying at once.
    if (refusal) throw refusal;
    const first = await this.#parsing.parseBatch();
    if (first !== undefined || this.#isWaiting || !this.#parsing.hasUnderWay) return;
    this.#isWaiting = true;
    try {
      await this.#parsing.nextDone();
    } finally {
      this.#isWaiting = false;
      // Clears the same error, which `nextDone` has already thrown.
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

  /** Resolves when the messages are parsed, or the time limits of a read have passed. */
  async #parseUpTo(last: number): Promise<void> {
    const parsing = this.#parsing;
    const backlog = deadline(this.#wait(BACKLOG_PATIENCE_MS));
    let workers: Deadline | undefined;
    const { refusals } = parsing;
    for (;;) {
      const hasJoined = parsing.isParsingBatch;
      const first = await parsing.parseBatch();
      workers ??= deadline(this.#waitForWorkers());
      // More batches would return the same messages again.
      if (parsing.refusals > refusals) throw new ProcessorUnavailableError('No worker process could be started.');
      // A batch that was already running may have begun before the last message was accepted.
      if (backlog.hasPassed || (!hasJoined && (first === undefined || first > last))) break;
    }
    while (parsing.pendingUpTo(last) > 0 && !workers.hasPassed) {
      await Promise.race([workers.passed, parsing.nextDone()]);
    }
  }

  /** Resolves when the time that a read waits for workers has passed. */
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
