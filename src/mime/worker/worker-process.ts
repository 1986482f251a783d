import { type ChildProcess, spawn } from 'node:child_process';
import { dirname } from 'node:path';
import type { Duplex } from 'node:stream';
import { encodeFrame, FrameReader } from './frames.js';
import { CHANNEL, READY_ID, type Request, type Response, type WorkerLimits } from './protocol.js';

/** One worker process as the server sees it. */

export interface WorkerOptions extends WorkerLimits {
  /** The file that the process runs. */
  entry: string;
  /** Limits what JavaScript objects take; the watchdog limits buffers. */
  heapMegabytes: number;
}

export interface Ending {
  /** Whether it had begun to take tasks. */
  wasReady: boolean;
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface WorkerEvents {
  onResponse(response: Response): void;
  /** Called once. */
  onEnd(ending: Ending): void;
}

type Channel = Duplex & { ref(): void; unref(): void };

/**
 * The variables that a worker needs: the location of compiled code. No key, and no option that a user meant for svc.
 */
const INHERITED =
  /^(PATH|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|XDG_CACHE_HOME|SystemRoot|TEMP|TMP|TMPDIR|TZ|LANG|NODE_DISABLE_COMPILE_CACHE)$/i;

/** Of 16 by default: with it, the memory of a worker reached 108 MB instead of 88, at the same CPU time. */
const SEMI_SPACE_MEGABYTES = 2;

export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #channel: Channel | undefined;
  #wasReady = false;
  #ended = false;
  /** Resolves when it accepts tasks, or has ended. */
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;

  constructor({ entry, heapMegabytes, ...limits }: WorkerOptions, events: WorkerEvents) {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => INHERITED.test(name)));
    const heap = [`--max-old-space-size=${heapMegabytes}`, `--max-semi-space-size=${SEMI_SPACE_MEGABYTES}`];
    this.#child = spawn(process.execPath, [...heap, entry, JSON.stringify(limits)], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      cwd: dirname(entry),
      env,
      windowsHide: true,
    });
    let failed = () => {};
    // Without a listener, the event would end the server.
    this.#child.once('error', () => failed());
    // Node leaves `stdio` undefined when the system is out of file descriptors.
    this.#channel = this.#child.stdio?.[CHANNEL] as unknown as Channel | undefined;
    let isReady = () => {};
    this.ready = new Promise((resolve) => {
      isReady = resolve;
    });
    const reader = new FrameReader((value) => {
      const response = value as Response;
      if (response.id === READY_ID) {
        this.#wasReady = true;
        isReady();
      } else if (!this.#ended) events.onResponse(response);
    });
    this.#channel?.on('data', (chunk: Buffer) => reader.add(chunk));
    // An error of the channel is followed by the end of the process, which is handled below.
    this.#channel?.on('error', () => {});
    this.ended = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null) => {
        if (this.#ended) return;
        this.#ended = true;
        isReady();
        resolve();
        events.onEnd({ wasReady: this.#wasReady, code, signal });
      };
      // The process could not be started. In that case Node may not emit "close".
      failed = () => end(null, null);
      // Unlike "exit", it comes after the last response.
      this.#child.once('close', end);
    });
    this.rest();
  }

  /** Returns whether it accepts tasks, or did until it ended. */
  get isReady(): boolean {
    return this.#wasReady;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  send(request: Request): void {
    this.#child.ref();
    this.#channel?.ref();
    this.#channel?.cork();
    for (const piece of encodeFrame(request)) this.#channel?.write(piece);
    process.nextTick(() => this.#channel?.uncork());
  }

  /** Allows this process to exit although the worker runs. */
  rest(): void {
    this.#child.unref();
    this.#channel?.unref();
  }

  /** Asks the process to end by itself, which keeps its compiled code; this process does not wait for it. */
  end(): void {
    this.#channel?.end();
  }

  /** Ends the process at once; this process stays until it has ended. */
  kill(): void {
    this.#child.ref();
    this.#channel?.ref();
    this.#child.kill('SIGKILL');
  }
}

export interface Task {
  id: number;
  kind: string;
  /** Processes perform tasks of one group at a time. */
  group: string;
  input: unknown;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** A process of the pool and the tasks that were sent to it. */
export interface Member {
  process: WorkerProcess;
  /** Sent to it and unanswered. It performs them in this order, so the first is the one it performs now. */
  sent: Task[];
  /** Those of them that were taken back while an earlier one was slow. The process still performs them. */
  takenBack: Set<Task>;
  /** Ticks since the first of them began. */
  ticks: number;
  cancelIdle(): void;
}

/** Takes back the tasks behind the first, for other processes to perform, and returns them. */
export function takeBack({ sent, takenBack }: Member): Task[] {
  const tasks = sent.slice(1).filter((task) => !takenBack.has(task));
  for (const task of tasks) takenBack.add(task);
  return tasks;
}

/** Leaves tasks with the process again that were taken back and still wait. Returns those that remain waiting. */
export function reclaim({ sent, takenBack }: Member, waiting: Task[]): Task[] {
  if (takenBack.size === 0) return waiting;
  return waiting.filter((task) => !(takenBack.has(task) && sent.includes(task) && takenBack.delete(task)));
}

/** Settles a task with what its process answered. */
export function settle(task: Task, result: unknown, error: string | undefined): void {
  if (error === undefined) task.resolve(result);
  else task.reject(new Error(error));
}
