import type { Client } from '../../client/client.js';
import type { ServiceOperations } from '../../client/operations.js';
import { collect } from '../../client/typed-calls.js';

/** Reads attachments in the form in which they are sent. */

export type AttachmentInput = NonNullable<ServiceOperations['emails.send']['request']['body']['attachments']>[number];

interface StoredAttachment {
  index: number;
  filename: string;
  content_type: string;
}

/** Returns the attachments of an email with their contents. */
export async function readAttachments(
  client: Client,
  id: string,
  stored: readonly StoredAttachment[],
  signal: AbortSignal,
): Promise<AttachmentInput[]> {
  const read = [];
  for (const { index, filename, content_type } of stored) {
    const bytes = await collect(client.stream('emails.attachment', { params: { id, index: String(index) } }, signal));
    read.push({ filename: nameOf(filename, index), content: base64Of(bytes), contentType: content_type });
  }
  return read;
}

/** Returns a file name that the API accepts. */
function nameOf(filename: string, index: number): string {
  return filename.replace(/[/\\]/g, '_') || `attachment-${index + 1}`;
}

/** Returns bytes in base64. Converts them in pieces, because a call has a limited number of arguments. */
export function base64Of(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 0x8000)
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  return btoa(pieces.join(''));
}
