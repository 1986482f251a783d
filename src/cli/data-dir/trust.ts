import { lstatSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_DIR_FILES } from '../../storage/data-dir-files.js';
import { shellQuote } from '../output/text.js';
import { isEmptyDataDir, isMarked } from './mark.js';

/** Decides whether a data directory can be trusted. Checks links, owners, modes and the mark. */

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
const ROOT = 0;

/** The reason why a data directory is not trusted, as the end of a sentence, and what to do about it. */
export interface Distrust {
  reason: string;
  remedy: string;
}

/**
 * Returns why a `.svc` directory that was found, not named, is not used; undefined when it is trusted. It must belong
 * to this user, not be a link, and be writable by no one else. It must also be empty, or have been created by this
 * user's svc. `stats` are those of the directory itself, or of the link.
 */
export function distrustFound(directory: string, stats: Stats): Distrust | undefined {
  const user = process.getuid?.();
  // Git stores links: one in a cloned repository could point to another data directory of this user.
  if (stats.isSymbolicLink()) {
    return {
      reason: 'it is a symbolic link',
      remedy: 'If it is yours, pass the directory it points to with --data-dir.',
    };
  }
  const unmarked = {
    reason: 'svc did not create it for this user (it may come from a repository or an archive)',
    remedy: 'If it is yours, pass --trust-data-dir once to use it from now on.',
  };
  // Windows has no owners or modes that Node can read.
  if (user === undefined) return isMarked(directory) ? undefined : unmarked;
  if (stats.uid !== user) return foreign('it', stats.uid);
  if ((stats.mode & OTHERS_WRITE) !== 0) {
    return {
      reason: 'other users can write to it',
      remedy: `If it is yours, run "chmod 700 ${shellQuote(directory)}".`,
    };
  }
  if (!isMarked(directory)) return isEmptyDataDir(directory) ? undefined : unmarked;
  for (const [name, file] of filesOf(directory)) {
    if (!file.isFile()) return { reason: `${name} is not a regular file`, remedy: `Remove ${join(directory, name)}.` };
    if (file.uid !== user) return foreign(name, file.uid);
    if ((file.mode & OTHERS) !== 0) {
      const path = shellQuote(join(directory, name));
      return { reason: `other users can read or write ${name}`, remedy: `If it is yours, run "chmod 600 ${path}".` };
    }
  }
  return undefined;
}

/** The problems of a data directory that was named. */
export interface NamedTrust {
  /** The reason to refuse it: another user, who is not root, owns it or a file of svc in it. */
  distrust: Distrust | undefined;
  /** Whether users other than its owner can write to it, or to a file of svc in it. */
  othersCanWrite: boolean;
}

/** Checks the owner and mode of a data directory that was named, and of the files of svc in it. */
export function examineNamed(directory: string): NamedTrust {
  const user = process.getuid?.();
  if (user === undefined) return { distrust: undefined, othersCanWrite: false };
  const entries = entriesOf(directory);
  const [name, stats] = entries.find(([, { uid }]) => uid !== user && uid !== ROOT) ?? [];
  return {
    distrust: name === undefined || stats === undefined ? undefined : foreign(name, stats.uid),
    othersCanWrite: entries.some(([, each]) => !each.isSymbolicLink() && (each.mode & OTHERS_WRITE) !== 0),
  };
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

/** Returns the stats of a directory; undefined where this user cannot use one. */
export function directoryStats(path: string): Stats | undefined {
  const stats = look(() => statSync(path, { throwIfNoEntry: false }));
  return stats?.isDirectory() ? stats : undefined;
}

/** Returns the stats of a path, or of the link itself. Undefined where it is missing or cannot be accessed. */
export function linkStats(path: string): Stats | undefined {
  return look(() => lstatSync(path, { throwIfNoEntry: false }));
}

/** Returns undefined for a path that cannot be accessed: the error is reported when it is used. */
function look(stat: () => Stats | undefined): Stats | undefined {
  try {
    return stat();
  } catch {
    return undefined;
  }
}

function filesOf(directory: string): [string, Stats][] {
  return DATA_DIR_FILES.flatMap((name): [string, Stats][] => {
    const stats = linkStats(join(directory, name));
    return stats ? [[name, stats]] : [];
  });
}
