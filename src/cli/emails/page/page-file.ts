import { lstatSync, mkdtempSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OWNER_ONLY } from '../../../file-modes.js';
import { CommandError } from '../../errors/exit-codes.js';
import { describeFileError } from '../../errors/fs-errors.js';
import { systemNow } from '../../output/local-time.js';

/** Writes pages for a browser to the directory for temporary files. */

const PREFIX = 'svc-email-';
export const PAGE = 'index.html';
/** The browser may still show a page, and load it again. */
const PAGE_KEPT_MS = 24 * 3_600_000;

/** Removes pages that were opened more than a day ago. After a failure, the next call tries again. */
export function removeOldPages(): void {
  for (const directory of pageDirectories()) {
    try {
      const stats = lstatSync(directory);
      const isOwn = process.getuid === undefined || stats.uid === process.getuid();
      if (!stats.isDirectory() || !isOwn || stats.mtimeMs > systemNow() - PAGE_KEPT_MS) continue;
      rmSync(join(directory, PAGE), { force: true });
      // Fails if anything else is in it.
      rmdirSync(directory);
    } catch {
      // Another process is removing it, or svc did not create it.
    }
  }
}

function pageDirectories(): string[] {
  try {
    const names = readdirSync(tmpdir()).filter((name) => name.startsWith(PREFIX));
    return names.map((name) => join(tmpdir(), name));
  } catch {
    return [];
  }
}

/** Writes a page to a new directory that only its owner can read. Returns its path. @throws CommandError */
export function writePage(page: string): string {
  try {
    const file = join(mkdtempSync(join(tmpdir(), PREFIX)), PAGE);
    writeFileSync(file, page, { flag: 'wx', mode: OWNER_ONLY });
    return file;
  } catch (error) {
    throw new CommandError(`Cannot write to ${tmpdir()}: ${describeFileError(error)}.`);
  }
}
