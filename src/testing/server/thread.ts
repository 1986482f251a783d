import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Connection } from '../connection/connection.js';
import { runInProcess } from '../connection/in-process.js';
import { type FromThread, failureOf, type ThreadTask, type ToThread } from '../connection/messages.js';
import { networkConnection } from './network.js';

/** The thread of the test kit: runs a server or reaches one over the network, and makes the calls that it is sent. */

async function start(port: MessagePort, task: ThreadTask): Promise<void> {
  const send = (message: FromThread) => port.postMessage(message);
  try {
    const server = task.kind === 'server' ? await runInProcess(task.settings) : undefined;
    const calls = new Calls(server ?? networkConnection, send);
    port.on('message', (message: ToThread) => {
      if (message.kind !== 'close') return calls.handle(message);
      // Without its port, the thread ends, and keeps its compiled code for the next start.
      void calls.close().finally(() => port.close());
    });
    send({ kind: 'ready', address: server?.address });
  } catch (error) {
    send({ kind: 'fault', failure: failureOf(error) });
    port.close();
  }
}

/** The calls that are being made, by their IDs. */
class Calls {
  readonly #aborts = new Map<number, AbortController>();

  constructor(
    private readonly connection: Connection,
    private readonly send: (message: FromThread) => void,
  ) {}

  handle(message: Exclude<ToThread, { kind: 'close' }>): void {
    if (message.kind === 'cancel') this.#aborts.get(message.id)?.abort();
    else void this.#make(message);
  }

  async close(): Promise<void> {
    for (const call of this.#aborts.values()) call.abort();
    await this.connection.close();
  }

  async #make(message: Extract<ToThread, { kind: 'call' | 'sleep' }>): Promise<void> {
    const { id } = message;
    const call = new AbortController();
    this.#aborts.set(id, call);
    try {
      if (message.kind === 'sleep') await this.connection.sleep(message.milliseconds, call.signal);
      else await this.#forward(message, call.signal);
      this.send({ kind: 'end', id });
    } catch (error) {
      if (!call.signal.aborted) this.send({ kind: 'failed', id, failure: failureOf(error) });
    } finally {
      this.#aborts.delete(id);
    }
  }

  async #forward(call: Extract<ToThread, { kind: 'call' }>, signal: AbortSignal): Promise<void> {
    const { id, url, method, headers, body, limit } = call;
    const response = await this.connection.fetch(url, {
      method,
      headers,
      signal,
      ...limit,
      ...(body !== undefined && { body: typeof body === 'string' ? body : once(body) }),
    });
    this.send({ kind: 'head', id, status: response.status, headers: headersOf(response) });
    for await (const bytes of response.body ?? []) this.send({ kind: 'chunk', id, bytes: new Uint8Array(bytes) });
  }
}

/** The headers that the client reads. */
const READ = ['x-request-id', 'x-service-warning', 'retry-after', 'date', 'location'];

function headersOf({ headers }: { headers: { get(name: string): string | null } }): [string, string][] {
  return READ.flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
}

async function* once(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body;
}

if (parentPort) void start(parentPort, workerData as ThreadTask);
