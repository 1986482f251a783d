import type { Content } from '../../contract/endpoint.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { STREAM_ENDED } from '../../contract/vocabulary/routes.js';
import type { Clock } from '../ports.js';

/** Milliseconds between heartbeats. Proxies and clients close a stream that is silent for longer. */
export const HEARTBEAT_MS = 15_000;

export function heartbeat(clock: Clock) {
  return (wake: () => void) => clock.after(HEARTBEAT_MS, wake);
}

/**
 * Formats an event of https://html.spec.whatwg.org/multipage/server-sent-events.html. `data` must not contain a line
 * break, as is the case for JSON on one line.
 */
export function serverSentEvent(data: string, { id, event }: { id?: number; event: string }): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}

export function serverSentComment(text: string): string {
  return `: ${text}\n\n`;
}

/**
 * Returns the content of a stream that ends with the signal. If the caller's right has ended, nothing more is sent than
 * an event with the error.
 */
export function eventStream(events: AsyncIterable<string>, signal: AbortSignal): Content {
  async function* body() {
    for await (const event of events) {
      if (signal.aborted) break;
      yield event;
    }
    const { reason } = signal;
    if (!(reason instanceof ServiceError)) return;
    const { code, message, status, hint } = reason;
    yield serverSentEvent(JSON.stringify({ code, message, status, hint }), { event: STREAM_ENDED });
  }
  return { body: body() };
}

/** Options for waiting: until a notification arrives, or until the idle period for a heartbeat has passed. */
export interface WaitOptions {
  signal: AbortSignal;
  /** Calls back once when the idle period has passed. Returns the function that cancels the call. */
  idle(wake: () => void): () => void;
}

/** An auto-reset event that also wakes after an idle period, at which a stream sends its heartbeat. */
export class HeartbeatSignal {
  #signalled = false;
  #resolve: ((idle: boolean) => void) | undefined;
  readonly #onAbort = () => this.notify();

  constructor(private readonly options: WaitOptions) {
    options.signal.addEventListener('abort', this.#onAbort);
    if (options.signal.aborted) this.notify();
  }

  notify(): void {
    this.#signalled = true;
    this.#resolve?.(false);
  }

  /** Waits for a notification since the last wait, or for the idle period. Returns whether the idle period has passed. */
  async wait(): Promise<boolean> {
    if (!this.#signalled) {
      const idle = await new Promise<boolean>((resolve) => {
        const cancel = this.options.idle(() => resolve(true));
        this.#resolve = (value) => {
          cancel();
          resolve(value);
        };
      });
      this.#resolve = undefined;
      if (idle && !this.#signalled) return true;
    }
    this.#signalled = false;
    return false;
  }

  close(): void {
    this.options.signal.removeEventListener('abort', this.#onAbort);
  }
}
