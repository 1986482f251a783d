import { Worker } from 'node:worker_threads';
import type { WorkerLimits } from './protocol.js';

/** How often the watchdog looks. A task that allocates fast passes its limit by what it gets in that time. */
const LOOK_MS = 25;

/**
 * Looks after this process from a thread of its own, because a task may keep the main thread busy: ends the process by
 * SIGKILL when it takes more memory than it may, or when a task goes on without the server that asked for it. A limit on
 * the heap alone would not do: it does not count buffers, nor does `resourceLimits` of a thread on Node 20.
 */
export function startWatchdog({ memoryBytes, orphanMs }: WorkerLimits): { taskChanged(): void } {
  const cells = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(SOURCE, {
    eval: true,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 },
    workerData: {
      cells,
      memoryBytes,
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

/** Plain JavaScript: it is no file of its own, so that it is found in the bundle. An odd count means a task is under way. */
const SOURCE = `
const { workerData } = require('node:worker_threads');
const { cells, memoryBytes, lookMs, orphanLooks, parent } = workerData;
let count = 0;
let looks = 0;
for (;;) {
  Atomics.wait(cells, 0, 0, lookMs);
  const now = Atomics.load(cells, 1);
  looks = now === count ? looks + 1 : 0;
  count = now;
  const isOrphan = process.ppid !== parent || (count % 2 === 1 && looks > orphanLooks);
  if (isOrphan || process.memoryUsage.rss() > memoryBytes) process.kill(process.pid, 'SIGKILL');
}
`;
