import { readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PRIVATE } from '../process/file-modes.js';
import { makeDirectory } from '../process/make-directory.js';

/** Directories that are kept, the newest; those before are of builds and versions of Node that are gone. */
const KEPT = 8;

/** Makes the directory, and removes the oldest of those beside it. */
export function makeCacheDirectory(directory: string): void {
  makeDirectory(directory, PRIVATE);
  const parent = dirname(directory);
  const byAge = readdirSync(parent)
    .map((name) => ({ path: join(parent, name), changed: statSync(join(parent, name)).mtimeMs }))
    .sort((a, b) => b.changed - a.changed);
  for (const { path } of byAge.slice(KEPT)) if (path !== directory) rmSync(path, { recursive: true, force: true });
}
