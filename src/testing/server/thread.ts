import { parentPort, workerData } from 'node:worker_threads';
import type { Connection } from '../connection/connection.js';
import { runInProcess } from '../connection/in-process.js';
import { type FromThread, failureOf, type ThreadTask, type ToThread } from '../connection/messages.js';
import { networkConnection } from './network.js';

/** The thread of the test kit: runs a server or reaches one over the network, and makes the calls that it is sent. */

const calls = new Map<number, AbortController>();

function send(message: FromThread, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}

start(workerData as ThreadTask).catch((error: unknown) => {
  send({ kind: 'fault', failure: failureOf(error) });
  parentPort?.close();
});

async function start(task: ThreadTask): Promise<void> {
  const server = task.kind === 'server' ? await runInProcess(task.settings) : undefined;
  const connection = server ?? networkConnection;
  parentPort?.on('message', (message: ToThread) => void handle(message, connection));
  send({ kind: 'ready', address: server?.address });
}

async function handle(message: ToThread, connection: Connection): Promise<void> {
  if (message.kind === 'cancel') return calls.get(message.id)?.abort();
  if (message.kind === 'close') {
    for (const call of calls.values()) call.abort();
    await connection.close();
    // Runs the listeners of "exit", which keep compiled code for the next start.
    return process.exit();
  }
  const { id } = message;
  const controller = new AbortController();
  calls.set(id, controller);
  try {
    if (message.kind === 'sleep') await connection.sleep(message.milliseconds, controller.signal);
    else await forward(message, connection, controller.signal);
    send({ kind: 'end', id });
  } catch (error) {
    if (!controller.signal.aborted) send({ kind: 'failed', id, failure: failureOf(error) });
  } finally {
    calls.delete(id);
  }
}

async function forward(
  { id, url, method, headers, body }: Extract<ToThread, { kind: 'call' }>,
  { fetch }: Connection,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(url, {
    method,
    headers,
    signal,
    ...(body !== undefined && { body: typeof body === 'string' ? body : once(body) }),
  });
  send({ kind: 'head', id, status: response.status, headers: headersOf(response) });
  for await (const bytes of response.body ?? []) send({ kind: 'chunk', id, bytes: new Uint8Array(bytes) });
}

/** The headers that the client reads. */
const READ = ['x-request-id', 'x-service-warning', 'retry-after', 'date', 'location', 'content-type'];

function headersOf({ headers }: { headers: { get(name: string): string | null } }): [string, string][] {
  return READ.flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
}

async function* once(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body;
}
