import { UnprocessableError, WorkerEndedError } from '../../core/ports.js';
import { CPU_SIGNAL, MEMORY_SIGNAL } from './protocol.js';
import type { Ending, WorkerOptions } from './worker-process.js';

/** Describes why a task ended its worker. A message that could not be parsed keeps its reason. */

/** The exit code of an aborted process on systems without signals. */
const ABORTED = 134;

/** Returns the reason of a task that exceeded the deadline. */
export function lateReason({ deadlineMs }: { deadlineMs: number }): string {
  return `Processing took longer than ${deadlineMs / 1000} seconds and was stopped.`;
}

type Limits = Pick<WorkerOptions, 'memoryBytes' | 'cpuMs' | 'heapMegabytes'>;

/** Returns the error of a task whose process ended by itself or by its watchdog. */
export function errorOf(ending: Ending, limits: Limits): UnprocessableError {
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
