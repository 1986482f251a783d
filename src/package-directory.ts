import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file of every installation. dist/ has a package.json too. */
const MARK = join('bin', 'run.js');

/**
 * Returns the directory of the installed package, which is above this file whether it runs bundled or from source.
 * @throws Error when it does not exist, because files of the installation were deleted.
 */
export function packageDirectory(from = import.meta.dirname): string {
  let directory = from;
  while (!existsSync(join(directory, MARK))) {
    const parent = dirname(directory);
    if (parent === directory)
      throw new Error(`The installation of svc is incomplete: ${MARK} not found. Reinstall svc.`);
    directory = parent;
  }
  return directory;
}
