import { type Count, SECONDS } from './compare.js';

/** Runs `perform` repeatedly on each worker, on all workers at once. */
export async function repeat<Worker>(
  workers: readonly Worker[],
  perform: (worker: Worker) => Promise<void>,
): Promise<Count> {
  let done = 0;
  const began = performance.now();
  const end = began + SECONDS * 1000;
  await Promise.all(
    workers.map(async (worker) => {
      while (performance.now() < end) {
        await perform(worker);
        done += 1;
      }
    }),
  );
  return { done, seconds: (performance.now() - began) / 1000 };
}
