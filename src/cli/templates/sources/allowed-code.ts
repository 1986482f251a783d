import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
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
  /** Another directory can take the path. A clone or a copy has another number. */
  inode: string;
}

/** Returns whether the user has allowed the code of a directory, or of one above it. */
export function isCodeAllowed(directory: string, env: NodeJS.ProcessEnv): boolean {
  const path = realpathSync(directory);
  return readAllowed(env).some(
    (allowed) => (path === allowed.path || path.startsWith(allowed.path + sep)) && isSame(allowed),
  );
}

/** Allows the code of a directory from now on. @throws CommandError if the list cannot be written. */
export function allowCode(directory: string, env: NodeJS.ProcessEnv): void {
  const path = realpathSync(directory);
  const others = readAllowed(env).filter((each) => each.path !== path && isSame(each));
  const text = JSON.stringify([...others, { path, inode: inodeOf(path) }], null, 2);
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
    return list.filter(({ path, inode }) => typeof path === 'string' && typeof inode === 'string');
  } catch {
    return [];
  }
}

function isSame({ path, inode }: AllowedDirectory): boolean {
  return inodeOf(path) === inode;
}

function inodeOf(path: string): string | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino.toString();
}
