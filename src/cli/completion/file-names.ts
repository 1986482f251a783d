import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Candidates } from './candidates.js';

/**
 * Returns the files that `@` and the beginning of a path can refer to. A directory can be followed by more of the path.
 */
export function filesAfterAt(typed: string): Candidates {
  const path = typed.slice(1);
  const parent = path.slice(0, path.lastIndexOf('/') + 1);
  const start = path.slice(parent.length);
  const names = readdirSync(parent || '.')
    .filter((name) => name.startsWith(start) && (start !== '' || !name.startsWith('.')))
    .map((name) => ({ name: `@${parent}${name}${isDirectory(join(parent, name)) ? '/' : ''}`, about: '' }));
  return { names, fallback: 'nothing', open: names.length === 1 && names[0]?.name.endsWith('/') === true };
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
