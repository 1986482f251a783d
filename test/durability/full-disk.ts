import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../support/cli/binary.js';
import { skippedBecause } from '../support/cli/tools.js';

/** A disk for one data directory that can be filled, and given room again. */
export interface Disk {
  dataDir: string;
  /** Prevents the process from making any file larger. */
  fill(pid: number): void;
  free(pid: number): void;
  remove(): void;
}

/** The reason to skip a test whose user may not mount a file system. */
export const withoutMounts = skippedBecause('this user may not mount a file system');

/** Mounts a file system in memory: the real ENOSPC. Undefined where this user may not mount one. */
export function mountSmallDisk(): Disk | undefined {
  const { path, remove } = temporaryDirectory();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    remove();
    return undefined;
  }
  const filler = join(path, 'filler');
  return {
    dataDir: join(path, 'data'),
    fill() {
      for (let bytes = 1024 * 1024; bytes > 0; bytes = bytes >> 1) {
        try {
          for (;;) writeFileSync(filler, Buffer.alloc(bytes), { flag: 'a' });
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
      }
    },
    free: () => rmSync(filler),
    remove() {
      execFileSync('umount', ['-l', path]);
      remove();
    },
  };
}

/** Limits the size of the process's files: writes fail with EFBIG. Undefined where prlimit is missing. */
export function limitFileSize(): Disk | undefined {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  const { path, remove } = temporaryDirectory();
  const dataDir = join(path, 'data');
  mkdirSync(dataDir);
  const limit = (pid: number, bytes: number | 'unlimited') =>
    execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
  return {
    dataDir,
    fill: (pid) => limit(pid, statSync(join(dataDir, 'mail.db-wal')).size),
    free: (pid) => limit(pid, 'unlimited'),
    remove,
  };
}
