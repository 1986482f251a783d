import type { Core } from '../../context.js';
import { SerialQueue } from '../../jobs/deferred-jobs.js';
import {
  type Clock,
  type MessageParser,
  type ParsedMessage,
  ProcessorUnavailableError,
  WorkerEndedError,
} from '../../ports.js';

/** Parses messages: simple ones in this process, others in workers, within the time that a client waits for its reply. */

/** Milliseconds from the end of a small message within which it is parsed before it is acknowledged. */
const LIMIT_MS = 1_000;
/** Additional milliseconds for each mebibyte. */
const LIMIT_MS_PER_MEBIBYTE = 80;
/** Test suites often wait 5 s for a reply. */
const LIMIT_MAX_MS = 4_500;
const MEBIBYTE = 1024 * 1024;
/** Messages above this size go to workers one after the other, because each takes memory in two processes. */
const LARGE_BYTES = MEBIBYTE;

/** How an attempt to parse a message ended. */
export type Attempt =
  | { parsed: ParsedMessage }
  /** It cannot be parsed, and another attempt would fail as well. */
  | { unreadable: unknown; header: ParsedMessage | undefined }
  /** Its worker ended by itself. */
  | { crash: WorkerEndedError; header: ParsedMessage }
  /** It was given up, or no worker can be started. */
  | { unavailable: ProcessorUnavailableError };

/** A message that is being parsed while its client waits. */
export interface Reading {
  /** Resolves with the end of the attempt, or without one when the time is up. */
  inTime: Promise<void>;
  /** Undefined while it is not known. */
  attempt: Attempt | undefined;
  /**
   * After the time is up: resolves with the result that a worker still finds. Undefined if the attempt was given up. The
   * caller must call `release` when the result is stored.
   */
  late: Promise<Attempt> | undefined;
  /** Ends the attempt. */
  release(): void;
}

export interface MessageReaderDeps {
  parser: MessageParser;
  clock: Pick<Clock, 'after'>;
  /** Replaces LIMIT_MS. */
  parsingLimitMs?: number | undefined;
}

export class MessageReader {
  /**
   * Resolves when the message is stored that a worker parses beyond its limit. Only one at a time does, so that the other
   * worker is free for messages within their limit.
   */
  #slow: Promise<void> | undefined;
  readonly #large = new SerialQueue();

  constructor(private readonly deps: MessageReaderDeps) {}

  /** Begins to parse a message that a client has sent. */
  begin(bytes: Uint8Array): Reading {
    const parsed = this.#quickly(bytes);
    if (parsed) return { inTime: Promise.resolve(), attempt: { parsed }, late: undefined, release() {} };
    const giveUp = new AbortController();
    const done = this.#attemptInTurn(bytes, giveUp.signal);
    let free = () => {};
    const reading: Reading = {
      inTime: this.#withinLimit(done, bytes.byteLength).then((attempt) => {
        reading.attempt = attempt;
        if (attempt) return;
        if (this.#slow) return giveUp.abort();
        free = this.#occupy();
        reading.late = done;
        void done.then((late) => {
          reading.attempt = late;
        });
      }),
      attempt: undefined,
      late: undefined,
      release() {
        giveUp.abort();
        free();
      },
    };
    return reading;
  }

  /** Parses a message without a limit of a client, after others that do so. `work` runs before the next one. */
  async slowly(work: (attempt: (bytes: Uint8Array) => Promise<Attempt>) => Promise<void>): Promise<void> {
    while (this.#slow) await this.#slow;
    const free = this.#occupy();
    try {
      await work(async (bytes) => {
        const parsed = this.#quickly(bytes);
        return parsed ? { parsed } : this.#attempt(bytes);
      });
    } finally {
      free();
    }
  }

  #occupy(): () => void {
    let free = () => {};
    const slow = new Promise<void>((resolve) => {
      free = () => {
        if (this.#slow === slow) this.#slow = undefined;
        resolve();
      };
    });
    this.#slow = slow;
    return free;
  }

  /** Resolves with the attempt; undefined when the time is up. */
  async #withinLimit(done: Promise<Attempt>, size: number): Promise<Attempt | undefined> {
    const { clock, parsingLimitMs = LIMIT_MS } = this.deps;
    const limit = Math.min(LIMIT_MAX_MS, parsingLimitMs + (size / MEBIBYTE) * LIMIT_MS_PER_MEBIBYTE);
    let cancel = () => {};
    const time = new Promise<undefined>((resolve) => {
      cancel = clock.after(limit, () => resolve(undefined));
    });
    const attempt = await Promise.race([done, time]);
    cancel();
    return attempt;
  }

  #quickly(bytes: Uint8Array): ParsedMessage | undefined {
    try {
      return this.deps.parser.quickly(bytes);
    } catch {
      // A worker can fail without harm to others.
      return undefined;
    }
  }

  #attemptInTurn(bytes: Uint8Array, signal: AbortSignal): Promise<Attempt> {
    if (bytes.byteLength <= LARGE_BYTES) return this.#attempt(bytes, signal);
    return this.#large.run(() => this.#attempt(bytes, signal));
  }

  /** Parses a message in a worker. Never throws. */
  async #attempt(bytes: Uint8Array, signal?: AbortSignal): Promise<Attempt> {
    const { parser } = this.deps;
    try {
      return { parsed: await parser.parse(bytes, signal) };
    } catch (error) {
      if (error instanceof ProcessorUnavailableError) return { unavailable: error };
      const header = parser.header(bytes);
      return error instanceof WorkerEndedError ? { crash: error, header } : { unreadable: error, header };
    }
  }
}

/** Wraps a handler of one email. It runs when the message is parsed, or the wait for it is over. */
export function afterParsing<Input extends { params: { id: string } }, Context extends Pick<Core, 'parsed'>, Result>(
  handler: (input: Input, context: Context) => Promise<Result>,
): (input: Input, context: Context) => Promise<Result> {
  return async (input, context) => {
    await context.parsed(input.params.id);
    return handler(input, context);
  };
}

/** Wraps a handler of many emails that must not miss what a message contains. It runs when all are parsed. */
export function afterAllParsing<Input, Context extends Pick<Core, 'parsePending'>, Result>(
  handler: (input: Input, context: Context) => Promise<Result>,
): (input: Input, context: Context) => Promise<Result> {
  return async (input, context) => {
    await context.parsePending();
    return handler(input, context);
  };
}
