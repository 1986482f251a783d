/** Defines what the server and a worker exchange. */

export interface Request {
  id: number;
  kind: string;
  input: unknown;
}

/** One for each request, in their order. */
export interface Response {
  id: number;
  result?: unknown;
  /** Why the task failed. */
  error?: string;
  /** Set when the process exits after this response, and must get no more tasks. */
  fatal?: boolean;
}

/** The id of a worker's first frame, which reports that it accepts tasks. */
export const READY_ID = 0;

/** The signal by which a watchdog ends a process that exceeds its memory. Nothing else sends it, unlike SIGKILL. */
export const MEMORY_SIGNAL: NodeJS.Signals = 'SIGUSR2';

/** The signal by which a watchdog ends a process whose task exceeds its CPU time. Nothing else sends it. */
export const CPU_SIGNAL: NodeJS.Signals = 'SIGVTALRM';

/** The descriptor of a worker's connection to the server. */
export const CHANNEL = 3;

/** Options of a worker, as its first argument carries them in JSON. */
export interface WorkerLimits {
  /** The kind of tasks whose module is loaded before the first of them. */
  preload?: string;
  /** Resident memory of the whole process, in bytes. */
  memoryBytes: number;
  /** CPU time of a task, which counts no longer than the task runs. */
  cpuMs: number;
  /** Ends a worker whose task takes this long when its server no longer exists. */
  orphanMs: number;
}
