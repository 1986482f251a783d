import type { Client } from '../../../client/client.js';
import { ApiFailure } from '../../../client/failures.js';
import { emailPage } from '../../../html/email-page.js';
import type { CommandLine } from '../../output/text.js';
import { openInBrowser } from '../../process/open-browser.js';
import { inspectIfPossible, missingContentNote } from '../parse-state.js';
import { removeOldPages, writePage } from './page-file.js';
import { readInlineImages } from './save-email.js';

export interface OpenedEmail {
  id: string;
  /** The page, in a new directory for temporary files that only its owner can read. */
  file: string;
  /** Whether a browser was started. */
  opened: boolean;
}

/**
 * Writes an email as a page, marks it as read and, unless `print` is set, opens it in the browser. `command` completes
 * a command line for the server in use. On a server without a control API, inline images are missing.
 * @throws CommandError when the file cannot be written; else as the client does.
 */
export async function openEmail(
  client: Client,
  id: string,
  { command, env, print = false }: { command: CommandLine; env: NodeJS.ProcessEnv; print?: boolean },
): Promise<OpenedEmail> {
  const email = await client.call('emails.get', { params: { id } });
  const inspection = await inspectIfPossible(client, email.id);
  const images = inspection ? await readInlineImages(client, inspection) : new Map();
  const note = inspection && missingContentNote(email, inspection, command(`emails get ${email.id} --raw`));
  if (inspection) await markAsRead(client, email.id);
  removeOldPages();
  const file = writePage(emailPage({ ...email, text: note ?? email.text }, images));
  return { id: email.id, file, opened: !print && (await openInBrowser(file, env)) };
}

/** Marks an email as read. It may have been deleted meanwhile, and a server of an earlier version cannot mark it. */
export async function markAsRead(client: Client, id: string): Promise<void> {
  await client.control('emails.update', { params: { id }, body: { read: true } }).catch((error: unknown) => {
    if (!(error instanceof ApiFailure)) throw error;
  });
}
