import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Whether this process may use its terminal: a job in the background (`svc dev &`) is stopped by the system as soon as it
 * reads a key or changes a setting. True where that cannot be told.
 */
export function isInForeground(): boolean {
  try {
    // proc(5): after the name in brackets, the process group is the third field and the terminal's own the sixth.
    const [, , group, , , foreground] = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return group === foreground;
  } catch {
    return askPs();
  }
}

function askPs(): boolean {
  try {
    const [group, foreground] = execFileSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .trim()
      .split(/\s+/);
    return group === foreground;
  } catch {
    return true;
  }
}
