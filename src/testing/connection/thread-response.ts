import type { FetchResponse } from '../../client/wire-request.js';
import type { FromThread } from './messages.js';
import { errorOf } from './messages.js';

/** A response that arrives as messages from the thread. */
export class ThreadResponse implements FetchResponse {
  readonly status: number;
  readonly headers: FetchResponse['headers'];
  readonly #chunks: Uint8Array[] = [];
  #ended = false;
  #error: Error | undefined;
  #wake = () => {};

  constructor(
    { status, headers }: Extract<FromThread, { kind: 'head' }>,
    private readonly cancel: () => void,
  ) {
    this.status = status;
    const values = new Map(headers);
    this.headers = { get: (name) => values.get(name.toLowerCase()) ?? null };
  }

  get body(): AsyncIterable<Uint8Array> {
    return this.#read();
  }

  async text(): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of this.#read()) text += decoder.decode(chunk, { stream: true });
    return text + decoder.decode();
  }

  /** Adds what a message has of this response. Returns whether it is complete. */
  add(message: FromThread): boolean {
    if (message.kind === 'chunk') this.#chunks.push(message.bytes);
    if (message.kind === 'failed') this.#error = errorOf(message.failure);
    this.#ended ||= message.kind !== 'chunk';
    this.#wake();
    return this.#ended;
  }

  fail(error: Error): void {
    this.#error = error;
    this.#ended = true;
    this.#wake();
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        yield* this.#chunks.splice(0);
        if (this.#error) throw this.#error;
        if (this.#ended && this.#chunks.length === 0) return;
        if (this.#chunks.length === 0) {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      if (!this.#ended) this.cancel();
    }
  }
}
