import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OWNER_ONLY, PRIVATE } from '../../../file-modes.js';
import { CommandError } from '../../errors/exit-codes.js';
import { describeFileError } from '../../errors/fs-errors.js';
import { makeDirectory, writeFileAtomically } from '../../process/files.js';
import { configDirectory } from '../../target/profiles.js';

/**
 * Remembers the directories whose code the user has allowed to run. The list is in the user's configuration directory,
 * where no clone can write.
 */

interface AllowedDirectory {
  path: string;
  /** Another directory can take the path, and even its inode number, but not the time of birth. */
  identity: string;
}

/** Returns whether the user has allowed the code of a directory, or of one above it in the same repository. */
export function isCodeAllowed(directory: string, env: NodeJS.ProcessEnv): boolean {
  const allowed = readAllowed(env);
  const isListed = (path: string) => allowed.some((each) => each.path === path && isSame(each));
  for (let path = realpathSync(directory); ; path = dirname(path)) {
    if (isListed(path)) return true;
    // The code of a repository that was cloned into an allowed directory is not the user's.
    if (existsSync(join(path, '.git')) || path === dirname(path)) return false;
  }
}

/** Allows the code of directories from now on. @throws CommandError if the list cannot be written. */
export function allowCode(directories: readonly string[], env: NodeJS.ProcessEnv): void {
  const added = directories.filter((each) => !isCodeAllowed(each, env)).map((each) => realpathSync(each));
  if (added.length === 0) return;
  const others = readAllowed(env).filter((each) => !added.includes(each.path) && isSame(each));
  const list = [...others, ...added.map((path) => ({ path, identity: identityOf(path) }))];
  const text = JSON.stringify(list, null, 2);
  try {
    makeDirectory(configDirectory(env), PRIVATE);
    writeFileAtomically(listFile(env), `${text}\n`, { mode: OWNER_ONLY });
  } catch (error) {
    throw new CommandError(
      `Cannot write ${listFile(env)}: ${describeFileError(error)}.`,
      'Name another directory for settings with SVC_CONFIG_DIR.',
    );
  }
}

function listFile(env: NodeJS.ProcessEnv): string {
  return join(configDirectory(env), 'allowed-code.json');
}

/** A list that cannot be read allows nothing. */
function readAllowed(env: NodeJS.ProcessEnv): AllowedDirectory[] {
  try {
    const list = JSON.parse(readFileSync(listFile(env), 'utf8')) as AllowedDirectory[];
    return list.filter(({ path, identity }) => typeof path === 'string' && typeof identity === 'string');
  } catch {
    return [];
  }
}

function isSame({ path, identity }: AllowedDirectory): boolean {
  return identityOf(path) === identity;
}

function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.ino}-${stats.birthtimeNs}`;
}
