/** Runs `perform` over and over on each of some workers at once; answers how many were done a second. */
export async function throughput<Worker>(
  workers: readonly Worker[],
  seconds: number,
  perform: (worker: Worker) => Promise<void>,
): Promise<number> {
  let done = 0;
  const began = performance.now();
  const end = began + seconds * 1000;
  await Promise.all(
    workers.map(async (worker) => {
      while (performance.now() < end) {
        await perform(worker);
        done += 1;
      }
    }),
  );
  return done / ((performance.now() - began) / 1000);
}
