import { readServerSentItems } from '../../client/event-source.js';
import { ApiFailure, UnreachableError } from '../../client/failures.js';
import { Backoff } from '../../client/retry.js';
import { SignInRequired } from './session.js';

type Item = ReturnType<typeof readServerSentItems> extends AsyncIterable<infer Each> ? Each : never;

interface FollowerOptions {
  /** Opens the stream. */
  open(signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Called with the first item of each connection, from which on none is missed. */
  onConnect(): void;
  /** Called with each item that follows. */
  onItem(item: Item): void;
  /** Called when a connection ends or cannot be opened, unless by `stop`. */
  onLoss?(): void;
}

/** Milliseconds without an item after which the connection is dead: the server sends one every 15 s. */
const SILENCE_MS = 40_000;
/** What ends a connection without a fault of the page: a server that stops responds 503. */
const EXPECTED = [UnreachableError, ApiFailure, SignInRequired];
const WAIT = { firstMs: 250, longestMs: 4_000 };

/** Follows a stream of the server, and connects again whenever the connection ends. */
export class Follower {
  #stopped: AbortController | undefined;
  #wake: (() => void) | undefined;

  constructor(private readonly options: FollowerOptions) {}

  get isStarted(): boolean {
    return this.#stopped !== undefined;
  }

  start(): void {
    if (this.#stopped) return;
    this.#stopped = new AbortController();
    void this.#run(this.#stopped.signal);
  }

  stop(): void {
    this.#stopped?.abort();
    this.#stopped = undefined;
    this.retry();
  }

  /** Connects now, if it waits to connect. */
  readonly retry = (): void => this.#wake?.();

  async #run(stopped: AbortSignal): Promise<void> {
    const backoff = new Backoff(WAIT);
    while (!stopped.aborted) {
      const wasConnected = await this.#follow(stopped);
      if (stopped.aborted) return;
      if (wasConnected) backoff.reset();
      this.options.onLoss?.();
      await this.#wait(backoff.ms);
      backoff.grow();
    }
  }

  /** Returns whether there was a connection. */
  async #follow(stopped: AbortSignal): Promise<boolean> {
    const ended = new AbortController();
    const end = () => ended.abort();
    stopped.addEventListener('abort', end);
    let silence = setTimeout(end, SILENCE_MS);
    let connected = false;
    try {
      for await (const item of readServerSentItems(this.options.open(ended.signal))) {
        clearTimeout(silence);
        silence = setTimeout(end, SILENCE_MS);
        if (connected) this.options.onItem(item);
        else this.options.onConnect();
        connected = true;
      }
    } catch (error) {
      if (!ended.signal.aborted && !EXPECTED.some((kind) => error instanceof kind)) console.error(error);
    } finally {
      clearTimeout(silence);
      stopped.removeEventListener('abort', end);
    }
    return connected;
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake?.(), ms);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
    });
  }
}
