import { readFileSync } from 'node:fs';

/**
 * Returns the number of files and connections that this process may have open at once; undefined where the system does
 * not show it. Node.js raises the limit of a shell to the highest that the user may set.
 */
export function openFileLimit(): number | undefined {
  try {
    const [, limit] = /^Max open files +(\d+) /m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}
