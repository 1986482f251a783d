import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { collect } from '../../client/typed-calls.js';
import type { Fetch, FetchResponse } from '../../client/wire-request.js';
import { packageDirectory } from '../../package-directory.js';
import { CLOSED, type Connection, type ServerAddress } from './connection.js';
import { errorOf, type FromThread, type ThreadTask, type ToThread } from './messages.js';
import { ThreadResponse } from './thread-response.js';

/** A call that waits for messages of the thread. */
interface Pending {
  /** Takes a message. Returns whether the call is complete. */
  take(message: FromThread): boolean;
  fail(error: Error): void;
  /** Removes the listener for the abort of the call. */
  release?: () => void;
}

/** Started connections: the address is that of a server in the thread. */
export interface ThreadConnection extends Connection {
  address: ServerAddress | undefined;
}

/**
 * Starts a thread that runs a server, or calls one. Fake timers and replaced network functions of the program do not
 * reach it, and its messages need neither. It ends with the process.
 */
export async function connectByThread(task: ThreadTask): Promise<ThreadConnection> {
  const worker = new Worker(join(packageDirectory(), 'dist/testing/thread.js'), {
    name: `svc ${task.kind}`,
    workerData: task,
    // Loaders and inspectors of the program are not for this thread.
    execArgv: [],
    stdin: false,
  });
  const calls = new Calls(worker);
  const address = await calls.ready;
  return {
    address,
    fetch: (url, init) => calls.fetch(url, init),
    sleep: (milliseconds, signal) => calls.sleep(milliseconds, signal),
    close: () => calls.close(),
  };
}

class Calls {
  readonly ready: Promise<ServerAddress | undefined>;
  readonly #pending = new Map<number, Pending>();
  readonly #ended: Promise<void>;
  #lastId = 0;
  #failure: Error | undefined;
  #closed = false;

  constructor(private readonly worker: Worker) {
    const started = deferred<ServerAddress | undefined>();
    this.ready = started.promise;
    let isReady = false;
    const ended = deferred<void>();
    this.#ended = ended.promise;
    const fail = (error: Error) => {
      this.#failure ??= error;
      started.reject(error);
      for (const [id, call] of this.#pending) {
        call.fail(error);
        this.#end(id);
      }
      ended.resolve();
    };
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'ready') {
        isReady = true;
        started.resolve(message.address);
      }
      if (message.kind === 'fault') fail(errorOf(message.failure));
      else if (message.kind !== 'ready') this.#take(message);
      this.#hold();
    });
    worker.on('error', fail);
    worker.on('exit', (exitCode) => {
      const reason = isReady ? 'its thread has ended' : `The thread of the test kit ended at its start (${exitCode}).`;
      fail(new Error(this.#closed ? CLOSED : reason));
    });
  }

  fetch: Fetch = async (url, { method, headers, body, signal, ...limit }) => {
    signal?.throwIfAborted();
    const bytes = typeof body === 'object' ? await collect(body) : body;
    const { promise, resolve, reject } = deferred<FetchResponse>();
    let response: ThreadResponse | undefined;
    const id = this.#start({
      take: (message) => {
        if (message.kind === 'failed' && !response) reject(errorOf(message.failure));
        if (message.kind !== 'head') return response?.add(message) ?? true;
        response = new ThreadResponse(message, () => this.#cancel(id));
        resolve(response);
        return false;
      },
      fail: (error) => (response ? response.fail(error) : reject(error)),
    });
    this.#send({ kind: 'call', id, url, method, headers, body: bytes, limit });
    this.#onAbort(signal, id);
    return promise;
  };

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = deferred<void>();
    const id = this.#start({
      take: () => {
        resolve();
        return true;
      },
      fail: reject,
    });
    this.#send({ kind: 'sleep', id, milliseconds });
    this.#onAbort(signal, id);
    return promise;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#send({ kind: 'close' });
    this.#hold();
    await this.#ended;
  }

  #start(call: Pending): number {
    const id = ++this.#lastId;
    this.#pending.set(id, call);
    this.#hold();
    return id;
  }

  #take(message: Exclude<FromThread, { kind: 'ready' | 'fault' }>): void {
    if (this.#pending.get(message.id)?.take(message)) this.#end(message.id);
  }

  #end(id: number): void {
    this.#pending.get(id)?.release?.();
    this.#pending.delete(id);
  }

  #cancel(id: number): void {
    this.#send({ kind: 'cancel', id });
    this.#pending.get(id)?.fail(new DOMException('The call was cancelled.', 'AbortError'));
    this.#end(id);
    this.#hold();
  }

  #onAbort(signal: AbortSignal | undefined, id: number): void {
    const call = this.#pending.get(id);
    if (!signal || !call) return;
    const cancel = () => this.#cancel(id);
    signal.addEventListener('abort', cancel, { once: true });
    call.release = () => signal.removeEventListener('abort', cancel);
    if (signal.aborted) cancel();
  }

  #send(message: ToThread): void {
    if (this.#failure) {
      if (message.kind === 'call' || message.kind === 'sleep') this.#pending.get(message.id)?.fail(this.#failure);
      return;
    }
    this.worker.postMessage(message);
  }

  /** Keeps the process running only while a call is waiting, or until the thread has ended after `close`. */
  #hold(): void {
    if (this.#closed || this.#pending.size > 0) this.worker.ref();
    else this.worker.unref();
  }
}

interface Deferred<T> {
  promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

/** Returns a promise with its functions, as `Promise.withResolvers` of Node 22 does. */
function deferred<T>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
