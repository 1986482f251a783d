import { once } from 'node:events';

/** Writes to stdout, no faster than its reader takes it. A reader that has gone is waited for no longer. */
export async function writeOut(data: string | Uint8Array): Promise<void> {
  if (process.stdout.write(data) || process.stdout.destroyed) return;
  await Promise.race([once(process.stdout, 'drain'), once(process.stdout, 'close')]).catch(() => {});
}
