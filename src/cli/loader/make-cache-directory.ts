import { readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PRIVATE } from '../../file-modes.js';
import { makeDirectory } from '../process/make-directory.js';

/** Number of directories to keep, newest first. Older ones belong to earlier builds and versions of Node. */
const KEPT = 8;

/** Creates the directory and removes the oldest of those next to it. */
export function makeCacheDirectory(directory: string): void {
  makeDirectory(directory, PRIVATE);
  const parent = dirname(directory);
  const byAge = readdirSync(parent)
    .map((name) => ({ path: join(parent, name), changed: statSync(join(parent, name)).mtimeMs }))
    .sort((a, b) => b.changed - a.changed);
  for (const { path } of byAge.slice(KEPT)) if (path !== directory) rmSync(path, { recursive: true, force: true });
}
