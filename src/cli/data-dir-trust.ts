import { lstatSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_DIR_FILES } from '../data-dir-files.js';
import { isEmptyDataDir, isMarked } from './data-dir-mark.js';
import { shellWord } from './shell-word.js';

/** Decides whether a data directory can be trusted: whose it is, and who else can write to it. Checks links, owners, modes and the mark. */

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
const ROOT = 0;

/** Why a data directory is not trusted, as the end of a sentence, and what to do about it. */
export interface Distrust {
  reason: string;
  remedy: string;
}

/**
 * Returns why a `.svc` directory that was found, not named, is not used; undefined when it is trusted. It must belong to this
 * user, not be a link, be writable by no one else, and have been created by this user's svc, unless it is empty.
 */
export function distrustFound(directory: string): Distrust | undefined {
  const user = process.getuid?.();
  // Git carries links: one in a cloned repository could lead to the data directory of another project of this user.
  if (isLink(directory)) {
    return { reason: 'it is a link', remedy: 'If it is yours, name the directory that it leads to with --data-dir.' };
  }
  const unmarked = {
    reason: 'this user’s svc did not create it here (it may come with a repository or an archive)',
    remedy: 'If it is yours, pass --trust-data-dir once to use it from now on.',
  };
  // Windows has neither owners nor modes that Node could read.
  if (user === undefined) return isMarked(directory) ? undefined : unmarked;
  const stats = lstatSync(directory);
  if (stats.uid !== user) return foreign('it', stats.uid);
  if ((stats.mode & OTHERS_WRITE) !== 0) {
    return {
      reason: 'other users can write to it',
      remedy: `If it is yours, run "chmod 700 ${shellWord(directory)}".`,
    };
  }
  if (!isMarked(directory)) return isEmptyDataDir(directory) ? undefined : unmarked;
  for (const [name, file] of filesOf(directory)) {
    if (!file.isFile()) return { reason: `${name} is not a regular file`, remedy: `Remove ${join(directory, name)}.` };
    if (file.uid !== user) return foreign(name, file.uid);
    if ((file.mode & OTHERS) !== 0) {
      const path = shellWord(join(directory, name));
      return { reason: `other users can read or write ${name}`, remedy: `If it is yours, run "chmod 600 ${path}".` };
    }
  }
  return undefined;
}

/** Returns why a data directory that was named is refused: another user, who is not root, owns it or a file of svc in it. */
export function distrustNamed(directory: string): Distrust | undefined {
  const user = process.getuid?.();
  if (user === undefined) return undefined;
  for (const [name, { uid }] of entriesOf(directory)) if (uid !== user && uid !== ROOT) return foreign(name, uid);
  return undefined;
}

/** Returns whether users other than its owner can write to a data directory, or to a file of svc in it. */
export function othersCanWrite(directory: string): boolean {
  if (process.getuid === undefined) return false;
  return entriesOf(directory).some(([, stats]) => !stats.isSymbolicLink() && (stats.mode & OTHERS_WRITE) !== 0);
}

function foreign(name: string, uid: number): Distrust {
  return {
    reason: `${name} belongs to ${uid === ROOT ? 'root' : `another user (uid ${uid})`}`,
    remedy: 'If you trust that user, pass --trust-data-dir or set SVC_TRUST_DATA_DIR=1.',
  };
}

function entriesOf(directory: string): [string, Stats][] {
  const stats = directoryStats(directory);
  return stats ? [['it', stats], ...filesOf(directory)] : [];
}

/** Returns what is known of a directory; undefined where there is none that this user could use. */
export function directoryStats(path: string): Stats | undefined {
  const stats = look(() => statSync(path));
  return stats?.isDirectory() ? stats : undefined;
}

/** Returns whether a path is a symbolic link, wherever it leads. */
export function isLink(path: string): boolean {
  return look(() => lstatSync(path))?.isSymbolicLink() === true;
}

/** Returns undefined for a path that is missing or cannot be accessed: that shows when it is used. */
function look(stat: () => Stats): Stats | undefined {
  try {
    return stat();
  } catch {
    return undefined;
  }
}

function filesOf(directory: string): [string, Stats][] {
  return DATA_DIR_FILES.flatMap((name): [string, Stats][] => {
    const stats = look(() => lstatSync(join(directory, name)));
    return stats ? [[name, stats]] : [];
  });
}
