import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Returns whether this process may use its terminal; true where the system does not report it. The system stops a
 * background job (`svc dev &`) as soon as it reads a key or changes a terminal setting.
 */
export function isInForeground(): boolean {
  try {
    // proc(5): after the name in parentheses, the process group is the third field, and the foreground group of the
    // terminal the sixth.
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
