import { Socket } from 'node:net';
import { encodeFrame, FrameReader } from './frames.js';
import { CHANNEL, READY_ID, type Request, type Response, type WorkerLimits } from './protocol.js';
import { load, perform } from './tasks.js';
import { startWatchdog } from './watchdog.js';

/** Runs a worker: performs what the server asks for, one task at a time, until the server closes the connection. */
export function main(exit: (code?: number) => never): void {
  const { preload, ...limits } = JSON.parse(process.argv[2] ?? '{}') as WorkerLimits;
  const watchdog = startWatchdog(limits);
  const channel = new Socket({ fd: CHANNEL, readable: true, writable: true });
  // Loading the parser takes longer than a read waits for a message. If it fails, so does a task that needs it.
  let last = (preload === undefined ? Promise.resolve() : load(preload))
    .catch(() => {})
    .then(() => send({ id: READY_ID }));
  let current = READY_ID;
  const reader = new FrameReader((value) => {
    last = last.then(() => answer(value as Request));
  });
  channel.on('data', (chunk) => reader.add(chunk));
  // The server closed the channel, or it has died.
  channel.on('end', () => exit());
  channel.on('error', () => exit());
  // A terminal's ^C goes to the whole process group; the server decides when its workers end.
  process.on('SIGINT', () => {});
  // After an error outside of the task's promise this process may be in any state. Later tasks need a new one.
  process.on('uncaughtException', (error) => {
    send({ id: current, error: error.message, fatal: true });
    channel.end(() => exit(1));
  });

  function send(response: Response): void {
    channel.cork();
    for (const piece of encodeFrame(response)) channel.write(piece);
    channel.uncork();
  }

  async function answer({ id, kind, input }: Request): Promise<void> {
    current = id;
    watchdog.taskChanged();
    const response: Response = { id };
    try {
      response.result = await perform(kind, input);
    } catch (error) {
      response.error = error instanceof Error ? error.message : String(error);
    }
    watchdog.taskChanged();
    send(response);
  }
}
