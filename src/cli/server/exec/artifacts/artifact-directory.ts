import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { OWNER_ONLY, PRIVATE } from '../../../../file-modes.js';
import { CommandError } from '../../../errors/exit-codes.js';
import { assertDirectoryPath, describeFileError } from '../../../errors/fs-errors.js';
import { draftName, makeDirectory } from '../../../process/files.js';
import { isAlive } from '../../../process/process-identity.js';

/** Prepares and replaces a directory of artifacts. It only replaces what svc wrote. */

/** The file by which svc recognizes a directory that it wrote. */
const MARKER = '.svc-artifacts';
export const MARKER_TEXT =
  'svc dev exec --artifacts wrote index.html, messages/ and the .jsonl files, and replaces them.\n';
const DRAFT = '.svc-draft';
const CONTENTS = ['index.html', 'messages', 'events.jsonl', 'deliveries.jsonl', 'requests.jsonl'];

/**
 * Checks that artifacts can be written to a directory, and leaves it as it was. Returns its path.
 * @throws UsageError or CommandError if it is a file, has other files, or cannot be written to.
 */
export function checkArtifactDirectory(path: string): string {
  const directory = resolve(path);
  assertDirectoryPath(directory, '--artifacts');
  const made = firstMissing(directory);
  writing(directory, () => {
    makeDirectory(directory, PRIVATE);
    refuseOtherFiles(directory);
    rmSync(makeDraft(directory), { recursive: true });
  });
  // Only the directories that the check itself made, which are empty.
  if (made !== undefined) rmSync(made, { recursive: true });
  return directory;
}

/** Returns the uppermost directory of a path that does not exist; undefined if the path exists. */
function firstMissing(path: string): string | undefined {
  if (existsSync(path)) return undefined;
  return firstMissing(dirname(path)) ?? path;
}

/** Removes the artifacts of an earlier run, and leaves other files. @throws CommandError if one cannot be removed. */
export function removeArtifacts(directory: string): void {
  writing(directory, () => {
    if (isOurs(directory)) removeContents(directory);
  });
}

function removeContents(directory: string): void {
  for (const name of CONTENTS) rmSync(join(directory, name), { recursive: true, force: true });
}

/**
 * Writes artifacts: `write` fills a draft, which then replaces earlier artifacts. If it fails, these are kept.
 * @throws CommandError if a file cannot be written; else what `write` throws.
 */
export async function replaceArtifacts(directory: string, write: (draft: string) => Promise<void>): Promise<void> {
  let draft: string | undefined;
  try {
    makeDirectory(directory, PRIVATE);
    refuseOtherFiles(directory);
    draft = makeDraft(directory);
    await write(draft);
    removeContents(directory);
    for (const name of readdirSync(draft)) renameSync(join(draft, name), join(directory, name));
  } catch (error) {
    throw fileError(directory, error);
  } finally {
    if (draft !== undefined) rmSync(draft, { recursive: true, force: true });
  }
}

/** Creates an empty directory for the new files, and the marker. Removes drafts of processes that have ended. */
function makeDraft(directory: string): string {
  const isNew = !isOurs(directory);
  for (const name of readdirSync(directory)) {
    if (isAbandoned(name)) rmSync(join(directory, name), { recursive: true, force: true });
  }
  const draft = draftName(join(directory, `${DRAFT}.${process.pid}`));
  mkdirSync(draft, PRIVATE);
  if (isNew) writeFileSync(join(draft, MARKER), MARKER_TEXT, { flag: 'wx', mode: OWNER_ONLY });
  return draft;
}

/** Returns whether a name is that of a draft whose process has ended. This one has no other draft at the same time. */
function isAbandoned(name: string): boolean {
  if (!name.startsWith(`${DRAFT}.`)) return false;
  const pid = Number(name.split('.')[2]);
  return pid === process.pid || !isAlive(pid);
}

/** @throws CommandError if a directory has files and no marker. */
function refuseOtherFiles(directory: string): void {
  const names = readdirSync(directory).filter((name) => !name.startsWith(`${DRAFT}.`));
  if (names.length === 0 || isOurs(directory)) return;
  throw new CommandError(
    `${directory} is not empty, and svc did not write it.`,
    'Choose a new or an empty directory with --artifacts.',
  );
}

function isOurs(directory: string): boolean {
  const marker = join(directory, MARKER);
  if (!lstatSync(marker, { throwIfNoEntry: false })?.isFile()) return false;
  return statSync(marker).size === MARKER_TEXT.length && readFileSync(marker, 'utf8') === MARKER_TEXT;
}

function writing(directory: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    throw fileError(directory, error);
  }
}

/** Returns the error to report: what failed in the file system gets a hint. */
function fileError(directory: string, error: unknown): unknown {
  if (typeof (error as NodeJS.ErrnoException).syscall !== 'string') return error;
  return new CommandError(
    `Cannot write artifacts to ${directory}: ${describeFileError(error)}.`,
    'Free some disk space or change the permissions, or choose another directory with --artifacts.',
  );
}
