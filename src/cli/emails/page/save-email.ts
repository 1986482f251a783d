import { closeSync, existsSync, lstatSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Client } from '../../../client/client.js';
import type { Inspection } from '../../../contract/control/emails/inspect.js';
import type { Control } from '../../../contract/control/endpoints.js';
import type { Call } from '../../../contract/endpoint.js';
import type { EmailDetail } from '../../../contract/service/emails.js';
import { safeExtension } from '../../../contract/vocabulary/emails.js';
import { OWNER_ONLY, PRIVATE } from '../../../file-modes.js';
import { emailPage, PAGE_START } from '../../../html/email-page.js';
import { collectInlineImages, type InlineImages } from '../../../html/inline-images.js';
import { CommandError } from '../../errors/exit-codes.js';
import { describeFileError } from '../../errors/fs-errors.js';
import { makeDirectory } from '../../process/files.js';
import { PAGE } from './page-file.js';

/** Writes an email to a directory, under file names that svc chooses. */

export const SAFE_ID = /^msg_[0-9A-Za-z]{1,64}$/;

/**
 * Writes the files: the message, its attachments, and a page that shows it, which is safe to open in a browser. The HTML
 * itself has an extension that no browser runs. The page replaces that of an email saved earlier. Returns their paths.
 * @throws CommandError when another one of them already exists; then none is written.
 */
export async function saveEmail(client: Client, email: EmailDetail, directory: string): Promise<string[]> {
  const { id } = email;
  if (!SAFE_ID.test(id))
    throw new CommandError(`Cannot save the email: its ID ${JSON.stringify(id)} is not a valid file name.`);
  const inspection = await client.control('emails.inspect', { params: { id } });
  const named = (name: string) => join(resolve(directory), name);
  const files = [
    { path: named(`${id}.eml`), read: () => readControlBytes(client, 'emails.raw', { params: { id } }) },
    ...inspection.attachments.map(({ index, filename, content_type }) => ({
      path: named(`${id}-${index + 1}${safeExtension(filename, content_type)}`),
      read: () => readControlBytes(client, 'emails.attachment', { params: { id, index: String(index) } }),
    })),
    ...(email.html === '' ? [] : [{ path: named(`${id}.html.txt`), read: async () => Buffer.from(email.html) }]),
    {
      path: named(PAGE),
      read: async () => Buffer.from(emailPage(email, await readInlineImages(client, inspection))),
    },
  ];
  const there = files.find(({ path }) => existsSync(path) && !isOwnPage(path));
  if (there) throw new CommandError(`${there.path} already exists. Nothing was written.`, 'Choose another directory.');
  for (const { path, read } of files) write(path, directory, await read());
  return files.map(({ path }) => path);
}

/** Returns whether a file is a page that svc wrote. A link to one is not. */
function isOwnPage(path: string): boolean {
  if (basename(path) !== PAGE || !lstatSync(path, { throwIfNoEntry: false })?.isFile()) return false;
  try {
    const handle = openSync(path, 'r');
    const start = Buffer.alloc(PAGE_START.length);
    readSync(handle, start);
    closeSync(handle);
    return start.toString() === PAGE_START;
  } catch {
    return false;
  }
}

function write(path: string, directory: string, bytes: Uint8Array): void {
  try {
    makeDirectory(directory, PRIVATE);
    if (isOwnPage(path)) rmSync(path);
    // Exclusive: a file or a link that was created meanwhile is not followed. Only the owner may read email.
    writeFileSync(path, bytes, { flag: 'wx', mode: OWNER_ONLY });
  } catch (error) {
    throw new CommandError(`Cannot write ${path}: ${describeFileError(error)}.`);
  }
}

/** Returns the body of a control API response that is bytes and not JSON. */
export function readControlBytes<Name extends 'emails.raw' | 'emails.attachment' | 'emails.delivered_html'>(
  client: Client,
  name: Name,
  call: Call<Control[Name]>,
): Promise<Buffer> {
  return buffer(client.stream(name, call));
}

/** Reads the images that the HTML of an email can refer to. */
export function readInlineImages(
  client: Client,
  { id, attachments }: Pick<Inspection, 'id' | 'attachments'>,
): Promise<InlineImages> {
  return collectInlineImages(attachments, (index) =>
    readControlBytes(client, 'emails.attachment', { params: { id, index } }),
  );
}
