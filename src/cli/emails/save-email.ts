import { existsSync, writeFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import type { Client } from '../../client/client.js';
import { OWNER_ONLY } from '../../file-modes.js';
import { CommandError } from '../errors/exit-codes.js';
import { describeFileError } from '../errors/fs-errors.js';
import { makeDirectory } from '../process/make-directory.js';
import { readControlBytes } from './read-bytes.js';

/** Writes an email to a directory: the message, and each attachment, under file names that svc chooses. */

const SAFE_ID = /^msg_[0-9A-Za-z]{1,64}$/;
/** A safe extension: the only part of the sender's file name that is used. */
const SAFE_EXTENSION = /^\.[a-z0-9]{1,8}$/;

/**
 * Writes the files. Returns their paths.
 * @throws CommandError when one of them already exists; then none is written.
 */
export async function saveEmail(client: Client, id: string, directory: string): Promise<string[]> {
  if (!SAFE_ID.test(id))
    throw new CommandError(`Cannot save the email: its ID ${JSON.stringify(id)} is not a valid file name.`);
  const { attachments } = await client.control('emails.inspect', { params: { id } });
  const files = [
    {
      path: join(resolve(directory), `${id}.eml`),
      read: () => readControlBytes(client, 'emails.raw', { params: { id } }),
    },
    ...attachments.map(({ index, filename }) => ({
      path: join(resolve(directory), `${id}-${index + 1}${safeExtension(filename)}`),
      read: () => readControlBytes(client, 'emails.attachment', { params: { id, index: String(index) } }),
    })),
  ];
  const there = files.find(({ path }) => existsSync(path));
  if (there) throw new CommandError(`${there.path} already exists. Nothing was written.`, 'Choose another directory.');
  for (const { path, read } of files) write(path, directory, await read());
  return files.map(({ path }) => path);
}

function write(path: string, directory: string, bytes: Uint8Array): void {
  try {
    makeDirectory(directory);
    // Exclusive: a file or a link that was created meanwhile is not followed. Only the owner may read email.
    writeFileSync(path, bytes, { flag: 'wx', mode: OWNER_ONLY });
  } catch (error) {
    throw new CommandError(`Cannot write ${path}: ${describeFileError(error)}.`);
  }
}

function safeExtension(filename: string): string {
  const extension = extname(filename).toLowerCase();
  return SAFE_EXTENSION.test(extension) ? extension : '.bin';
}
