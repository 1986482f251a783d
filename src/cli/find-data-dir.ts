import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { DISCOVERED_NAME, markDataDir } from './data-dir-mark.js';
import { directoryStats, distrustFound, distrustNamed, isLink, othersCanWrite } from './data-dir-trust.js';
import { CommandError } from './exit-codes.js';
import { shellWord } from './shell-word.js';

/** Finds the data directory: `--data-dir`, else `SVC_DATA_DIR`, else the nearest `.svc/` that is trusted, else the user's own. */

export interface DataDirFlags {
  'data-dir'?: string | undefined;
  'trust-data-dir'?: boolean | undefined;
}

/** What to tell the user of a data directory, and what to do about it. */
export interface DataDirWarning {
  message: string;
  advice: string;
}

export interface FoundDataDir {
  path: string;
  /** What was not used, or who else can write to the directory. */
  warnings: DataDirWarning[];
  /** The nearest `.svc/` that was not used. */
  skipped: string | undefined;
  /** Why the directory must not be used. */
  refusal: CommandError | undefined;
  /** What made svc trust a directory that it otherwise would not, or would warn about. */
  trustedBy: string | undefined;
}

const NOT_A_DIRECTORY = {
  reason: 'it is not a directory',
  remedy: 'Remove or rename it, or name a data directory with --data-dir.',
};

/** Looks for the data directory, and at whose it is. Changes nothing. */
export function locateDataDir(flags: DataDirFlags, env: NodeJS.ProcessEnv, cwd: string): FoundDataDir {
  const override = trustOverride(flags, env);
  const named = flags['data-dir'] ?? env.SVC_DATA_DIR;
  if (named) return ownOrNamed(resolve(cwd, named), override);
  const skipped: { path: string; reason: string; remedy: string }[] = [];
  for (let directory = cwd; ; directory = dirname(directory)) {
    const path = join(directory, DISCOVERED_NAME);
    const isDirectory = directoryStats(path) !== undefined;
    const isFile = !isDirectory && existsSync(path) && !isLink(path);
    const distrust = isFile ? NOT_A_DIRECTORY : isLink(path) || isDirectory ? distrustFound(path) : undefined;
    const isTrusted = isDirectory && (!distrust || override !== undefined);
    const isLast = dirname(directory) === directory;
    if (distrust && !isTrusted) skipped.push({ path, ...distrust });
    if (!isTrusted && !isLast) continue;
    const found = isTrusted
      ? { ...trusted(path), ...(distrust && { trustedBy: override }) }
      : ownOrNamed(envPaths('svc', { suffix: '' }).data, override);
    const warnings = skipped.map((each) => ({
      message: `${each.path} is not used: ${each.reason}. Using ${found.path} instead.`,
      advice: each.remedy,
    }));
    return { ...found, warnings: [...warnings, ...found.warnings], skipped: skipped[0]?.path };
  }
}

/** Returns the path of the data directory. @throws CommandError when it is another user's. */
export function findDataDir(flags: DataDirFlags, env: NodeJS.ProcessEnv, cwd: string): string {
  const { path, refusal } = locateDataDir(flags, env, cwd);
  if (refusal) throw refusal;
  return path;
}

/**
 * Finds the data directory for a command that is about to use it. With `--trust-data-dir`, it is found without the flag from then on.
 * @throws CommandError when it is another user's.
 */
export function takeDataDir(flags: DataDirFlags, env: NodeJS.ProcessEnv, cwd: string): FoundDataDir {
  return takeLocated(locateDataDir(flags, env, cwd), flags);
}

/** Does what `takeDataDir` does, with a data directory that was already located. @throws CommandError when it is another user's. */
export function takeLocated(found: FoundDataDir, flags: DataDirFlags): FoundDataDir {
  if (found.refusal) throw found.refusal;
  if (flags['trust-data-dir'] && isOwn(found.path)) markDataDir(found.path);
  return found;
}

/** Returns a warning as the one line that a command prints. */
export function warningLine({ message, advice }: DataDirWarning): string {
  return `${message} ${advice}`;
}

function isOwn(path: string): boolean {
  const stats = directoryStats(path);
  return stats !== undefined && (process.getuid === undefined || stats.uid === process.getuid());
}

/** Modes of mounted file systems say little, so that others can write is no reason to refuse what the user has named. */
function ownOrNamed(path: string, override: string | undefined): FoundDataDir {
  const distrust = distrustNamed(path);
  const isOpen = othersCanWrite(path);
  if (override !== undefined) return { ...trusted(path), trustedBy: distrust || isOpen ? override : undefined };
  if (distrust) {
    const refusal = new CommandError(`The data directory ${path} is not used: ${distrust.reason}.`, distrust.remedy);
    return { ...trusted(path), refusal };
  }
  if (!isOpen) return trusted(path);
  const advice = `Run "chmod -R go-w ${shellWord(path)}", or set SVC_TRUST_DATA_DIR=1 if the file system shows wide modes.`;
  return { ...trusted(path), warnings: [{ message: `Other users can write to the data directory ${path}.`, advice }] };
}

function trusted(path: string): FoundDataDir {
  return { path, warnings: [], skipped: undefined, refusal: undefined, trustedBy: undefined };
}

function trustOverride(flags: DataDirFlags, env: NodeJS.ProcessEnv): string | undefined {
  if (flags['trust-data-dir']) return '--trust-data-dir';
  return env.SVC_TRUST_DATA_DIR === '1' ? 'SVC_TRUST_DATA_DIR' : undefined;
}
