import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '../../../client/client.js';
import { OWNER_ONLY } from '../../../file-modes.js';
import { CommandError } from '../../errors/exit-codes.js';
import { describeFileError } from '../../errors/fs-errors.js';
import { openInBrowser } from '../../process/open-browser.js';
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
 * Writes an email as a page and opens it in the browser. On a server without a control API, inline images are missing.
 * @throws CommandError when the file cannot be written; else as the client does.
 */
export async function openEmail(client: Client, id: string, env: NodeJS.ProcessEnv): Promise<OpenedEmail> {
  const email = await client.call('emails.get', { params: { id } });
  const inspection = await inspectIfPossible(client, email.id);
  const images = inspection ? await readInlineImages(client, inspection) : new Map();
  const note = inspection && missingContentNote(email, inspection, `svc emails get ${email.id} --raw`);
  const file = writePage(emailPage({ ...email, text: note ?? email.text }, images));
  return { id: email.id, file, opened: await openInBrowser(file, env) };
}

function writePage(page: string): string {
  try {
    const file = join(mkdtempSync(join(tmpdir(), 'svc-email-')), 'index.html');
    writeFileSync(file, page, { flag: 'wx', mode: OWNER_ONLY });
    return file;
  } catch (error) {
    throw new CommandError(`Cannot write to ${tmpdir()}: ${describeFileError(error)}.`);
  }
}
