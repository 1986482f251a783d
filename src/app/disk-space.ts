import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../core/ports.js';

/** Reports the free space of the disk with the database. A full disk fails writes only, so the server stays ready. */

interface DiskSpace {
  /** Bytes that svc can still write. */
  free: number;
  size: number;
}

/** Returns the space of the disk with a file; undefined if the system does not report it. */
export type ReadDiskSpace = (file: string) => Promise<DiskSpace | undefined>;

export const readDiskSpace: ReadDiskSpace = async (file) => {
  const space = await statfs(dirname(file)).catch(() => undefined);
  return space && { free: space.bavail * space.bsize, size: space.blocks * space.bsize };
};

const CHECK_MS = 60_000;
const GIB = 1024 ** 3;
/** Free bytes below which the warning is logged, and above which it can be logged again. */
const LOW = GIB;
const ENOUGH = 2 * GIB;

/** Warns when little space is left, once until there is more. Returns the function that ends this. */
export function watchDiskSpace(
  file: string,
  clock: Pick<Clock, 'after'>,
  onNotice: (text: string) => void,
  read = readDiskSpace,
): () => void {
  let cancel = () => {};
  let hasEnded = false;
  let isLow = false;

  async function check(): Promise<void> {
    const space = await read(file);
    if (hasEnded) return;
    if (space && !isLow && space.free < LOW) onNotice(warningOf(file, space));
    if (space) isLow = space.free < (isLow ? ENOUGH : LOW);
    cancel = clock.after(CHECK_MS, () => void check());
  }

  void check();
  return () => {
    hasEnded = true;
    cancel();
  };
}

function warningOf(file: string, { free, size }: DiskSpace): string {
  const mib = Math.floor(free / 1024 ** 2);
  const share = size > 0 ? ((100 * free) / size).toFixed(1) : '0';
  return (
    `The disk of ${dirname(file)} has ${mib} MiB left (${share} %). Once it is full, the server refuses email. Free ` +
    'space, or delete old emails with --keep or --max-age, then run "svc dev compact".'
  );
}
