import { dirname, join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { CommandError } from '../errors/exit-codes.js';
import type { DataDirFlags } from '../flags/data-dir.js';
import { shellQuote } from '../output/text.js';
import { DISCOVERED_NAME, markDataDir } from './mark.js';
import { type Distrust, directoryStats, distrustFound, examineNamed, linkStats } from './trust.js';

/**
 * Finds the data directory: `--data-dir`, then `SVC_DATA_DIR`, then the nearest trusted `.svc/`, then the user's own.
 */

/** A warning about a data directory, and what to do about it. */
export interface DataDirWarning {
  message: string;
  advice: string;
}

export interface FoundDataDir {
  path: string;
  /** Warnings about directories that were not used, or that other users can write to. */
  warnings: DataDirWarning[];
  /** The nearest `.svc/`, if it was not used. */
  skipped: string | undefined;
  /** Why the directory must not be used. */
  refusal: CommandError | undefined;
  /** Whether nothing names the directory: it is the user's own. */
  isUnnamed: boolean;
  /** The setting that made svc trust a directory that it would otherwise refuse or warn about. */
  trustedBy: string | undefined;
}

const NOT_A_DIRECTORY = {
  reason: 'it is not a directory',
  remedy: 'Remove or rename it, or name a data directory with --data-dir.',
};

/** Finds the data directory and checks its owner. Changes nothing. */
export function locateDataDir(flags: DataDirFlags, env: NodeJS.ProcessEnv, cwd: string): FoundDataDir {
  const override = trustOverride(flags, env);
  const named = namedPath(flags, env, cwd);
  if (named !== undefined) return ownOrNamed(named, override);
  const { path, trustedBy, skipped } = discover(cwd, override);
  const found =
    path === undefined ? { ...ownOrNamed(ownPath(), override), isUnnamed: true } : { ...trusted(path), trustedBy };
  const warnings = skipped.map((each) => ({
    message: `${each.path} is not used: ${each.reason}. Using ${found.path} instead.`,
    advice: each.remedy,
  }));
  return { ...found, warnings: [...warnings, ...found.warnings], skipped: skipped[0]?.path };
}

/**
 * Returns the path that `locateDataDir` finds, without checking the owner of a named directory. For messages, and for
 * directories that were checked before.
 */
export function dataDirPath(flags: DataDirFlags, env: NodeJS.ProcessEnv, cwd: string): string {
  return namedPath(flags, env, cwd) ?? discover(cwd, trustOverride(flags, env)).path ?? ownPath();
}

/**
 * Accepts a located data directory for use by a command. With `--trust-data-dir`, it is marked, so that later commands
 * find it without the flag.
 * @throws CommandError when it belongs to another user.
 */
export function takeDataDir(found: FoundDataDir, flags: DataDirFlags): FoundDataDir {
  if (found.refusal) throw found.refusal;
  if (flags['trust-data-dir'] && isOwn(found.path)) markDataDir(found.path);
  return found;
}

/** Returns a warning as one line. */
export function warningLine({ message, advice }: DataDirWarning): string {
  return `${message} ${advice}`;
}

function namedPath(flags: DataDirFlags, env: NodeJS.ProcessEnv, cwd: string): string | undefined {
  const named = flags['data-dir'] ?? env.SVC_DATA_DIR;
  return named ? resolve(cwd, named) : undefined;
}

/** Returns the path of the user's own data directory. */
function ownPath(): string {
  return envPaths('svc', { suffix: '' }).data;
}

interface Discovery extends Pick<FoundDataDir, 'trustedBy'> {
  /** Undefined when no `.svc/` is trusted. */
  path: string | undefined;
  skipped: (Distrust & { path: string })[];
}

/** Looks for the nearest trusted `.svc/`, in a directory and its parents. */
function discover(cwd: string, override: string | undefined): Discovery {
  const skipped: Discovery['skipped'] = [];
  for (let directory = cwd; ; directory = dirname(directory)) {
    const path = join(directory, DISCOVERED_NAME);
    const stats = linkStats(path);
    if (stats) {
      const mayBeUsed = stats.isDirectory() || stats.isSymbolicLink();
      const distrust = mayBeUsed ? distrustFound(path, stats) : NOT_A_DIRECTORY;
      if (!distrust) return { path, trustedBy: undefined, skipped };
      if (override !== undefined && directoryStats(path)) return { path, trustedBy: override, skipped };
      skipped.push({ path, ...distrust });
    }
    if (dirname(directory) === directory) return { path: undefined, trustedBy: undefined, skipped };
  }
}

function isOwn(path: string): boolean {
  const stats = directoryStats(path);
  return stats !== undefined && (process.getuid === undefined || stats.uid === process.getuid());
}

/**
 * Refuses a directory of another user. A named directory that others can write to is not refused, because the modes of
 * mounted file systems are unreliable.
 */
function ownOrNamed(path: string, override: string | undefined): FoundDataDir {
  const { distrust, othersCanWrite } = examineNamed(path);
  if (override !== undefined) return { ...trusted(path), trustedBy: distrust || othersCanWrite ? override : undefined };
  if (distrust) {
    const refusal = new CommandError(`The data directory ${path} is not used: ${distrust.reason}.`, distrust.remedy);
    return { ...trusted(path), refusal };
  }
  if (!othersCanWrite) return trusted(path);
  const advice = `Run "chmod -R go-w ${shellQuote(path)}", or set SVC_TRUST_DATA_DIR=1 if the file system cannot store permissions.`;
  return { ...trusted(path), warnings: [{ message: `Other users can write to the data directory ${path}.`, advice }] };
}

function trusted(path: string): FoundDataDir {
  return { path, warnings: [], skipped: undefined, refusal: undefined, trustedBy: undefined, isUnnamed: false };
}

function trustOverride(flags: DataDirFlags, env: NodeJS.ProcessEnv): string | undefined {
  if (flags['trust-data-dir']) return '--trust-data-dir';
  return env.SVC_TRUST_DATA_DIR === '1' ? 'SVC_TRUST_DATA_DIR' : undefined;
}
