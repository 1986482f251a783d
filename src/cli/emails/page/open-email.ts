import { lstatSync, mkdtempSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '../../../client/client.js';
import { ApiFailure } from '../../../client/failures.js';
import { OWNER_ONLY } from '../../../file-modes.js';
import type { CommandLine } from '../../command/svc-command.js';
import { CommandError } from '../../errors/exit-codes.js';
import { describeFileError } from '../../errors/fs-errors.js';
import { openInBrowser } from '../../process/open-browser.js';
import { systemNow } from '../../process/system-time.js';
import { inspectIfPossible, missingContentNote } from '../parse-state.js';
import { emailPage } from './email-page.js';
import { readInlineImages } from './inline-images.js';

export interface OpenedEmail {
  id: string;
  /** The page, in a new directory for temporary files that only its owner can read. */
  file: string;
  /** Whether a browser was started. */
  opened: boolean;
}

/**
 * Writes an email as a page, marks it as read and opens it in the browser. `command` completes a command line for the server in use. On a
 * server without a control API, inline images are missing.
 * @throws CommandError when the file cannot be written; else as the client does.
 */
export async function openEmail(
  client: Client,
  id: string,
  { command, env }: { command: CommandLine; env: NodeJS.ProcessEnv },
): Promise<OpenedEmail> {
  const email = await client.call('emails.get', { params: { id } });
  const inspection = await inspectIfPossible(client, email.id);
  const images = inspection ? await readInlineImages(client, inspection) : new Map();
  const note = inspection && missingContentNote(email, inspection, command(`emails get ${email.id} --raw`));
  if (inspection) await markAsRead(client, email.id);
  removeOldPages();
  const file = writePage(emailPage({ ...email, text: note ?? email.text }, images));
  return { id: email.id, file, opened: await openInBrowser(file, env) };
}

/** Marks an email as read. It may have been deleted meanwhile, and a server of an earlier version cannot mark it. */
async function markAsRead(client: Client, id: string): Promise<void> {
  await client.control('emails.update', { params: { id }, body: { read: true } }).catch((error: unknown) => {
    if (!(error instanceof ApiFailure)) throw error;
  });
}

const PREFIX = 'svc-email-';
const PAGE = 'index.html';
/** The browser may still show a page, and load it again. */
const PAGE_KEPT_MS = 24 * 3_600_000;

/** Removes pages of emails that were opened more than a day ago. After a failure, the next call tries again. */
function removeOldPages(): void {
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

function writePage(page: string): string {
  try {
    const file = join(mkdtempSync(join(tmpdir(), PREFIX)), PAGE);
    writeFileSync(file, page, { flag: 'wx', mode: OWNER_ONLY });
    return file;
  } catch (error) {
    throw new CommandError(`Cannot write to ${tmpdir()}: ${describeFileError(error)}.`);
  }
}
