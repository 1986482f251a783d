import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '../../../../client/client.js';
import { unlessDeleted } from '../../../../client/failures.js';
import type { CapturedEmail } from '../../../../contract/control/emails/captured-email.js';
import { OWNER_ONLY } from '../../../../file-modes.js';
import { emailPage } from '../../../../html/email-page.js';
import type { Pictures } from '../../../../pictures/pictures.js';
import { readControlBytes, readInlineImages, SAFE_ID } from '../../../emails/page/save-email.js';
import { parseNote } from '../../../emails/parse-state.js';
import { CommandError } from '../../../errors/exit-codes.js';

/** Writes the files of one message: .eml, .html, .txt, .json, and .png where a browser takes pictures. */

/** The directory of the messages. */
export const MESSAGES = 'messages';

/** Returns the name of a message's file. @throws CommandError for an ID that is not a valid file name. */
export function messageFile(id: string, extension: 'eml' | 'html' | 'txt' | 'json' | 'png'): string {
  if (SAFE_ID.test(id)) return `${id}.${extension}`;
  throw new CommandError(`Cannot write an email: its ID ${JSON.stringify(id)} is not a valid file name.`);
}

/**
 * Writes the files of a message. The HTML is in a page that shows it in a sandbox, as `svc emails open` does. Writes
 * nothing for a message that was deleted meanwhile. Returns whether there is a picture.
 */
export async function writeMessage(
  client: Client,
  id: string,
  folder: string,
  pictures: Pictures | undefined,
): Promise<boolean> {
  const params = { id };
  const found = await unlessDeleted(
    Promise.all([client.control('emails.captured', { params }), readControlBytes(client, 'emails.raw', { params })]),
  );
  if (!found) return false;
  const [email, raw] = found;
  // Creating a file can take longer than everything else, so several are created at the same time.
  const write = (extension: Parameters<typeof messageFile>[1], content: string | Uint8Array) =>
    writeFile(join(folder, messageFile(id, extension)), content, { flag: 'wx', mode: OWNER_ONLY });
  const content = await contentOf(client, email);
  const { from, subject } = email;
  const to = email.recipients.map(({ address }) => address).join(', ');
  const picture = await pictures?.take(content, {}).catch(() => undefined);
  await Promise.all([
    write('eml', raw),
    write('html', emailPage({ from, to, subject, ...content }, content.images)),
    picture && write('png', picture.png),
    write('txt', email.text || email.html_text),
    write('json', `${JSON.stringify(email, null, 2)}\n`),
  ]);
  return picture !== undefined;
}

/** Returns what a page and a picture show. */
async function contentOf(client: Client, { id, subject, html, text }: CapturedEmail) {
  const isEmpty = subject === '' && html === '' && text === '';
  // Only these need more than the email itself.
  if (!isEmpty && !html.includes('cid:')) return { html, text, images: new Map() };
  const inspection = await client.control('emails.inspect', { params: { id } });
  const note = isEmpty ? parseNote(inspection, undefined) : undefined;
  return { html, text: note ?? text, images: await readInlineImages(client, inspection) };
}
