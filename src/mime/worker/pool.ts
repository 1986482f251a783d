import { type Clock, ProcessorUnavailableError, UnprocessableError } from '../../core/ports.js';
import type { Response } from './protocol.js';
import { type Ending, type WorkerOptions, WorkerProcess } from './worker-process.js';

/**
 * A pool of worker processes. Each performs one task at a time within a deadline and a memory limit; a task that exceeds one
 * ends its worker and fails, and the tasks behind it go to another. Processes are started when there is something to do.
 */

export interface PoolOptions extends Omit<WorkerOptions, 'orphanMs'> {
  clock: Pick<Clock, 'after'>;
  /** Processes at most. */
  size: number;
  deadlineMs: number;
  /** How long a process without a task is kept. */
  idleMs: number;
}

interface Task {
  id: number;
  kind: string;
  input: unknown;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

interface Member {
  process: WorkerProcess;
  /** Sent to it and unanswered, in order; the first is under way. */
  tasks: Task[];
  /** Ticks since the first of them began. */
  ticks: number;
  /** Set once it is killed for its task's deadline. */
  late: boolean;
  cancelIdle(): void;
}

/** How often to look at what is under way. A process that was stopped for a while counts one tick for it. */
const TICK_MS = 100;
/** Tasks that a worker holds, so that it need not wait for the next. */
const DEPTH = 4;
/** What an orphan may take beyond the deadline, which is the server's to enforce. */
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
   * @throws UnprocessableError when it exceeds the deadline or the memory limit, or ends its worker.
   * @throws ProcessorUnavailableError when no worker can be started, or the pool is closed meanwhile.
   * @throws Error as the task does.
   */
  run(kind: string, input: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(stopping());
      this.#waiting.push({ id: this.#nextId, kind, input, resolve, reject });
      this.#nextId += 1;
      this.#assign();
    });
  }

  /** Starts a worker unless there is one, so that the first task need not wait for it. */
  warm(): void {
    if (!this.#closed && this.#members.size === 0) this.#rest(this.#start());
  }

  /** Resolves when a worker takes tasks, or none is being started. */
  async started(): Promise<void> {
    await Promise.race(
      Array.from(this.#members, ({ process }) => process.ready).concat(this.#members.size ? [] : [NOW]),
    );
  }

  /** The processes that run now. */
  get pids(): number[] {
    return [...this.#members].flatMap(({ process }) => process.pid ?? []);
  }

  /** Ends every worker, one that does something at once. */
  async close(): Promise<void> {
    this.#closed = true;
    const members = [...this.#members];
    const busy = members.filter(({ tasks }) => tasks.length > 0);
    const tasks = [...members.flatMap((member) => member.tasks.splice(0)), ...this.#waiting.splice(0)];
    for (const { reject } of tasks) reject(stopping());
    for (const { process, cancelIdle } of members) {
      cancelIdle();
      process.end();
    }
    for (const { process } of busy) process.kill();
    await Promise.all(busy.map(({ process }) => process.ended));
  }

  #assign(): void {
    while (this.#waiting.length > 0) {
      const member = this.#free();
      if (!member) return;
      const task = this.#waiting.shift() as Task;
      member.cancelIdle();
      if (member.tasks.length === 0) member.ticks = 0;
      member.tasks.push(task);
      member.process.send({ id: task.id, kind: task.kind, input: task.input });
      this.#tick();
    }
  }

  /** The worker to give a task to: one with nothing to do, a new one, or one that has room and gets on. */
  #free(): Member | undefined {
    const members = [...this.#members];
    const idle = members.find(({ tasks }) => tasks.length === 0);
    if (idle) return idle;
    const roomy = members.find(({ tasks, ticks }) => tasks.length < DEPTH && ticks === 0);
    if (roomy || members.length >= this.options.size) return roomy;
    try {
      return this.#start();
    } catch {
      // The system has no room for a process at all.
      this.#rejectWaiting();
      return undefined;
    }
  }

  #start(): Member {
    const { clock: _, size: __, idleMs: ___, deadlineMs, ...options } = this.options;
    const member: Member = {
      process: new WorkerProcess(
        { ...options, orphanMs: deadlineMs + ORPHAN_EXTRA_MS },
        { onResponse: (response) => this.#settle(member, response), onEnd: (ending) => this.#lose(member, ending) },
      ),
      tasks: [],
      ticks: 0,
      late: false,
      cancelIdle: () => {},
    };
    this.#members.add(member);
    return member;
  }

  #settle(member: Member, { id, result, error }: Response): void {
    // One that was given to another worker meanwhile, because it had to wait here, is answered there.
    if (member.tasks[0]?.id !== id) return;
    const task = member.tasks.shift() as Task;
    member.ticks = 0;
    if (error === undefined) task.resolve(result);
    else task.reject(new Error(error));
    if (member.tasks.length === 0) this.#rest(member);
    this.#assign();
  }

  #lose(member: Member, ending: Ending): void {
    this.#members.delete(member);
    member.cancelIdle();
    const [current, ...behind] = member.tasks;
    if (ending.wasReady) {
      current?.reject(new UnprocessableError(this.#reason(member, ending)));
      this.#waiting.unshift(...behind);
      this.#assign();
      return;
    }
    // No task's fault: there is no worker to be had.
    this.#waiting.unshift(...member.tasks);
    this.#rejectWaiting();
  }

  #rejectWaiting(): void {
    for (const { reject } of this.#waiting.splice(0)) {
      reject(new ProcessorUnavailableError('No worker process could be started.'));
    }
  }

  #reason({ late }: Member, { code, signal }: Ending): string {
    if (late) return `Processing took longer than ${this.options.deadlineMs / 1000} seconds and was stopped.`;
    // The watchdog's signal, or the abort of a heap that is full.
    if (signal === 'SIGKILL' || signal === 'SIGABRT' || code === ABORTED) {
      return `Processing took more than ${Math.floor(this.options.memoryBytes / 1024 / 1024)} MiB of memory and was stopped.`;
    }
    return `The worker process ended unexpectedly (${signal ?? `exit code ${code}`}).`;
  }

  /** Looks at what is under way, now and then, for as long as there is something. */
  #tick(): void {
    if (this.#ticking) return;
    this.#ticking = true;
    this.options.clock.after(TICK_MS, () => {
      this.#ticking = false;
      for (const member of this.#members) if (member.tasks.length > 0) this.#look(member);
      this.#assign();
      if ([...this.#members].some(({ tasks }) => tasks.length > 0)) this.#tick();
    });
  }

  #look(member: Member): void {
    member.ticks += 1;
    // What waits behind a slow task need not: another worker takes it.
    this.#waiting.unshift(...member.tasks.splice(1));
    if (member.ticks * TICK_MS < this.options.deadlineMs || member.late) return;
    member.late = true;
    member.process.kill();
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

const NOW = Promise.resolve();

/** The exit code of an abort, where there are no signals. */
const ABORTED = 134;

function stopping(): Error {
  return new ProcessorUnavailableError('The server is stopping.');
}
