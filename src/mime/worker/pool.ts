import { type Clock, ProcessorUnavailableError, UnprocessableError, WorkerEndedError } from '../../core/ports.js';
import { CPU_SIGNAL, MEMORY_SIGNAL, type Response } from './protocol.js';
import {
  type Ending,
  type Member,
  reclaim,
  settle,
  type Task,
  takeBack,
  type WorkerOptions,
  WorkerProcess,
} from './worker-process.js';

/** The exit code of an aborted process on systems without signals. */
const ABORTED = 134;

/** Returns the reason of a task that exceeded the deadline. */
function lateReason({ deadlineMs }: { deadlineMs: number }): string {
  return `Processing took longer than ${deadlineMs / 1000} seconds and was stopped.`;
}

type Limits = Pick<WorkerOptions, 'memoryBytes' | 'cpuMs' | 'heapMegabytes'>;

/** Returns the error of a task whose process ended by itself or by its watchdog. */
function errorOf(ending: Ending, limits: Limits): UnprocessableError {
  const { code, signal } = ending;
  const hasExceeded = signal === CPU_SIGNAL || signal === MEMORY_SIGNAL || signal === 'SIGABRT' || code === ABORTED;
  return new (hasExceeded ? UnprocessableError : WorkerEndedError)(reasonOf(ending, limits));
}

function reasonOf({ code, signal }: Ending, { memoryBytes, cpuMs, heapMegabytes }: Limits): string {
  if (signal === CPU_SIGNAL) return `Processing took more than ${cpuMs / 1000} seconds of CPU time and was stopped.`;
  if (signal === MEMORY_SIGNAL) {
    return `Processing took more than ${Math.floor(memoryBytes / 1024 / 1024)} MiB of memory and was stopped.`;
  }
  if (signal === 'SIGABRT' || code === ABORTED) {
    return `The worker process aborted, probably because it needed more than ${heapMegabytes} MiB of JavaScript heap.`;
  }
  // Systems out of memory kill a process, and so does its watchdog.
  if (signal === 'SIGKILL') {
    return 'The worker process ended unexpectedly (SIGKILL), for example because this machine is out of memory.';
  }
  return `The worker process ended unexpectedly (${signal ?? `exit code ${code}`}).`;
}

/**
 * Runs a pool of worker processes. Each performs one task at a time within a deadline and limits of CPU time and memory; a
 * task that exceeds one ends its worker and fails, and the tasks behind it go to another. Processes are started on demand.
 */

export interface PoolOptions extends Omit<WorkerOptions, 'orphanMs'> {
  clock: Pick<Clock, 'after'>;
  /** The maximum number of processes. */
  size: number;
  /** Names the group of a kind of task (default: one group). A process performs tasks of one group at a time. */
  groupOf?(kind: string): string;
  /** The maximum number of processes that perform tasks of one group at once (default: all). */
  perGroup?: number;
  deadlineMs: number;
  /** How long an idle process is kept. */
  idleMs: number;
}

/** The interval of the checks of running tasks. A process that was stopped for a while counts one tick for it. */
const TICK_MS = 100;
/** Time for a worker to start, on a busy machine. */
const START_MS = 20_000;
/** Tasks sent to a worker at once, so that it need not wait for the next. */
const DEPTH = 4;
/** Ticks after which a process is ended that performs a task that another process was given. */
const STALE_TICKS = 2;
/** The additional time of an orphan beyond the deadline, which the server enforces. */
const ORPHAN_EXTRA_MS = 2_000;

export class WorkerPool {
  readonly #members = new Set<Member>();
  #waiting: Task[] = [];
  #nextId = 1;
  #ticking = false;
  #closed = false;

  constructor(private readonly options: PoolOptions) {}

  /**
   * Performs a task in a worker.
   * @throws UnprocessableError when it exceeds the deadline or another limit.
   * @throws WorkerEndedError when its worker ends for another reason.
   * @throws ProcessorUnavailableError when no worker can be started, the pool is closed, or the signal fires.
   * @throws Error as the task does.
   */
  run(kind: string, input: unknown, signal?: AbortSignal): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(stopping());
      if (signal?.aborted) return reject(givenUp());
      const group = this.options.groupOf?.(kind) ?? '';
      const task = { id: this.#nextId, kind, group, input, resolve, reject };
      signal?.addEventListener('abort', () => this.#giveUp(task), { once: true });
      this.#waiting.push(task);
      this.#nextId += 1;
      this.#assign();
    });
  }

  /** Starts a worker unless one is running, so that the first task need not wait for it. */
  warm(): void {
    if (this.#closed || this.#members.size > 0) return;
    try {
      this.#rest(this.#start());
    } catch {
      // The first task tries again, and fails with the reason.
    }
  }

  /** The processes that run now. */
  get pids(): number[] {
    return [...this.#members].flatMap(({ process }) => process.pid ?? []);
  }

  /** Ends every worker. Those that perform a task are killed. */
  async close(): Promise<void> {
    this.#closed = true;
    const members = [...this.#members];
    const busy = members.filter(({ sent }) => sent.length > 0);
    const tasks = [...members.flatMap((member) => member.sent.splice(0)), ...this.#waiting.splice(0)];
    for (const { reject } of tasks) reject(stopping());
    for (const { process, cancelIdle } of members) {
      cancelIdle();
      process.end();
    }
    for (const { process } of busy) process.kill();
    await Promise.all(busy.map(({ process }) => process.ended));
  }

  #assign(): void {
    const blocked = new Set<string>();
    for (const task of [...this.#waiting]) {
      if (blocked.has(task.group)) continue;
      const member = this.#free(task.group);
      // The system could start no process, and all waiting tasks have failed.
      if (this.#waiting.length === 0) return;
      if (!member) {
        blocked.add(task.group);
        continue;
      }
      this.#waiting.splice(this.#waiting.indexOf(task), 1);
      member.cancelIdle();
      if (member.sent.length === 0) member.ticks = 0;
      member.sent.push(task);
      member.process.send({ id: task.id, kind: task.kind, input: task.input });
      this.#tick();
    }
  }

  /** Returns the worker to send a task to: an idle one, one of its group with room whose task is not slow, or a new one. */
  #free(group: string): Member | undefined {
    const { size, perGroup = size } = this.options;
    const members = [...this.#members];
    const own = members.filter(({ sent }) => sent[0]?.group === group);
    const mayTakeMore = own.length < perGroup;
    const idle = mayTakeMore ? members.find(({ sent }) => sent.length === 0) : undefined;
    if (idle) return idle;
    const roomy = own.find(({ sent, ticks }) => sent.length < DEPTH && ticks === 0);
    if (roomy || !mayTakeMore || members.length >= size) return roomy;
    try {
      return this.#start();
    } catch (error) {
      // The system cannot start a process, for example because it is out of memory.
      this.#rejectWaiting((error as Error).message);
      return undefined;
    }
  }

  #start(): Member {
    const { clock: _, size: __, idleMs: ___, groupOf: ____, perGroup: _____, deadlineMs, ...options } = this.options;
    const member: Member = {
      process: new WorkerProcess(
        { ...options, orphanMs: deadlineMs + ORPHAN_EXTRA_MS },
        {
          onResponse: (response) => this.#settle(member, response),
          onEnd: (ending) => this.#handleEnd(member, ending),
        },
      ),
      sent: [],
      takenBack: new Set(),
      ticks: 0,
      cancelIdle: () => {},
    };
    this.#members.add(member);
    void member.process.ready.then(() => {
      // The time of the start is not the task's.
      member.ticks = 0;
    });
    return member;
  }

  #settle(member: Member, { id, result, error, fatal }: Response): void {
    if (!this.#members.has(member)) return;
    if (member.sent[0]?.id === id) {
      const task = member.sent.shift() as Task;
      member.ticks = 0;
      // A task that was taken back is settled by the process that was given it afterwards.
      if (!member.takenBack.delete(task)) settle(task, result, error);
    }
    if (fatal) {
      this.#remove(member);
      member.process.kill();
    } else {
      this.#waiting = reclaim(member, this.#waiting);
      if (member.sent.length === 0) this.#rest(member);
    }
    this.#assign();
  }

  /** Handles the end of a process. Only the task that it was performing can be the cause. */
  #handleEnd(member: Member, ending: Ending): void {
    if (!this.#members.has(member)) return;
    const [current] = member.sent;
    if (ending.wasReady && current) {
      member.sent.shift();
      if (!member.takenBack.has(current)) current.reject(errorOf(ending, this.options));
    }
    this.#remove(member);
    if (ending.wasReady) this.#assign();
    // It could not be started, and no task caused that. Starting another one would fail as well.
    else this.#rejectWaiting();
  }

  /** Takes a process out of the pool. Its tasks wait for another one. */
  #remove(member: Member): void {
    this.#members.delete(member);
    member.cancelIdle();
    this.#waiting.unshift(...member.sent.splice(0).filter((task) => !member.takenBack.has(task)));
  }

  /** Ends a task without a result. A worker that performs it is ended at the next ticks, like one with a stale task. */
  #giveUp(task: Task): void {
    this.#waiting = this.#waiting.filter((each) => each !== task);
    for (const { sent, takenBack } of this.#members) if (sent.includes(task)) takenBack.add(task);
    task.reject(givenUp());
  }

  #rejectWaiting(reason = ''): void {
    for (const { reject } of this.#waiting.splice(0)) {
      reject(new ProcessorUnavailableError(`No worker process could be started. ${reason}`.trim()));
    }
  }

  /** Checks running tasks at intervals, until no task runs. */
  #tick(): void {
    if (this.#ticking) return;
    this.#ticking = true;
    this.options.clock.after(TICK_MS, () => {
      this.#ticking = false;
      for (const member of this.#members) if (member.sent.length > 0) this.#checkDeadline(member);
      this.#assign();
      if ([...this.#members].some(({ sent }) => sent.length > 0)) this.#tick();
    });
  }

  #checkDeadline(member: Member): void {
    member.ticks += 1;
    this.#waiting.unshift(...takeBack(member));
    const current = member.sent[0] as Task;
    const isStale = member.process.isReady && member.takenBack.has(current);
    const { isReady } = member.process;
    const limitMs = isReady ? this.options.deadlineMs : Math.max(START_MS, this.options.deadlineMs);
    if (isStale ? member.ticks < STALE_TICKS : member.ticks * TICK_MS < limitMs) return;
    // An answer that comes after this is ignored: a task sent after it would go to a process that is being killed.
    if (isReady) member.sent.shift();
    this.#remove(member);
    member.process.kill();
    if (!isReady) this.#rejectWaiting();
    else if (!isStale) current.reject(new UnprocessableError(lateReason(this.options)));
  }

  #rest(member: Member): void {
    member.process.rest();
    member.cancelIdle();
    member.cancelIdle = this.options.clock.after(this.options.idleMs, () => {
      this.#members.delete(member);
      member.process.end();
    });
  }
}

function givenUp(): Error {
  return new ProcessorUnavailableError('The message waits for a worker.');
}

function stopping(): Error {
  return new ProcessorUnavailableError('The server is stopping.');
}
