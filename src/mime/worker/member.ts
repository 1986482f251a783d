import type { WorkerProcess } from './worker-process.js';

export interface Task {
  id: number;
  kind: string;
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
