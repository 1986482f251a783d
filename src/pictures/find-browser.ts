import { accessSync, constants, existsSync } from 'node:fs';
import { browserPaths } from '../system.js';

/** Finds an installed browser that Playwright can drive. */

/** Returns the path of a browser: `downloaded`, if Playwright downloaded it earlier, otherwise an installed one. */
export function findBrowser(env: NodeJS.ProcessEnv, downloaded: string): string | undefined {
  return [downloaded, ...browserPaths(env)].find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return existsSync(path);
  } catch {
    return false;
  }
}
