import { Worker } from 'node:worker_threads';
import { hasSignals } from '../../system.js';
import { CPU_SIGNAL, MEMORY_SIGNAL, type WorkerLimits } from './protocol.js';

/** The interval of the watchdog. A task that allocates fast exceeds its limit by what it gets in that time. */
const LOOK_MS = 25;

/**
 * Ends this process by a signal when it exceeds its memory, when a task exceeds its CPU time, or when a task continues
 * without the server that requested it. On a busy machine, a task may take long without using much CPU time. It runs in a thread of its own, because a task may keep the main thread busy. A limit on the heap does not
 * replace it: the heap does not include buffers, and neither does `resourceLimits` of a thread on Node 20.
 */
export function startWatchdog({ memoryBytes, cpuMs, orphanMs }: Omit<WorkerLimits, 'preload'>): {
  taskChanged(): void;
} {
  const cells = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(SOURCE, {
    eval: true,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 },
    workerData: {
      cells,
      memoryBytes,
      cpuMs,
      // Without signals, the process ends with exit code 1.
      memorySignal: hasSignals() ? MEMORY_SIGNAL : 'SIGKILL',
      cpuSignal: hasSignals() ? CPU_SIGNAL : 'SIGKILL',
      lookMs: LOOK_MS,
      orphanLooks: Math.ceil(orphanMs / LOOK_MS),
      parent: process.ppid,
    },
  });
  worker.unref();
  return {
    taskChanged() {
      Atomics.add(cells, 1, 1);
    },
  };
}

/**
 * Plain JavaScript in a string, because the bundle has no separate file for it. An odd count means that a task runs. A
 * process has several threads, so its CPU time counts up to the time that passed.
 */
const SOURCE = `
const { workerData } = require('node:worker_threads');
const { cells, memoryBytes, cpuMs, memorySignal, cpuSignal, lookMs, orphanLooks, parent } = workerData;
let count = 0;
let looks = 0;
let used = 0;
let signal = memorySignal;
const cpuNow = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
let time = performance.now();
let cpu = cpuNow();
for (;;) {
  Atomics.wait(cells, 0, 0, lookMs);
  const now = Atomics.load(cells, 1);
  const [lastTime, lastCpu] = [time, cpu];
  time = performance.now();
  cpu = cpuNow();
  const isSame = now === count && count % 2 === 1;
  looks = isSame ? looks + 1 : 0;
  used = isSame ? used + Math.min(time - lastTime, cpu - lastCpu) : 0;
  count = now;
  if (process.ppid !== parent || looks > orphanLooks) process.kill(process.pid, 'SIGKILL');
  if (used > cpuMs) process.kill(process.pid, cpuSignal);
  if (process.memoryUsage.rss() > memoryBytes) {
    process.kill(process.pid, signal);
    signal = 'SIGKILL';
  }
}
`;
