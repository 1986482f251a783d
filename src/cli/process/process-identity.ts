import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

/**
 * Identifies a process beyond its id, which the system reuses. Only Linux reports enough for it.
 * https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */

/** Positions of the state and the start time, counted from the field after the name. */
const STATE = 0;
const START_TIME = 19;

/** Returns whether a process exists and has not ended. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const state = readStat(pid)?.[STATE];
  // The process has ended, but its parent has not collected it yet.
  return state !== 'Z' && state !== 'X';
}

/**
 * Returns what distinguishes the process from others with the same id: its start time in clock ticks since boot, and a
 * digest of its command line. Undefined where the system does not report it.
 */
export function identityOf(pid: number): string | undefined {
  const started = readStat(pid)?.[START_TIME];
  if (started === undefined) return undefined;
  try {
    return `${started} ${createHash('sha256')
      .update(readFileSync(`/proc/${pid}/cmdline`))
      .digest('hex')}`;
  } catch {
    return undefined;
  }
}

/** Returns the id of the user that a process runs as; undefined where the system does not report it. */
export function userOf(pid: number): number | undefined {
  try {
    // The owner of /proc/PID is not used: it is root for a program that may bind low ports.
    const uid = /^Uid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return uid === undefined ? undefined : Number(uid);
  } catch {
    return undefined;
  }
}

/**
 * Returns the processes that hold a lock on a file, from the kernel's list; undefined where the system does not report
 * it. https://man7.org/linux/man-pages/man5/proc_locks.5.html
 */
export function lockHolders(file: string): number[] | undefined {
  try {
    const inode = String(statSync(file, { bigint: true }).ino);
    return readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .map((line) => /^\d+: POSIX +\S+ +\S+ +(\d+) +\S+:(\d+) /.exec(line))
      .filter((found) => found?.[2] === inode)
      .map((found) => Number(found?.[1]));
  } catch {
    return undefined;
  }
}

function readStat(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in parentheses and may contain any character.
    return text.slice(text.lastIndexOf(') ') + 2).split(' ');
  } catch {
    return undefined;
  }
}
