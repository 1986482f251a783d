import type { Client } from '../../../client/client.js';
import type { Inspection } from '../../../contract/control/emails/inspect.js';
import { IMAGE_TYPE, type InlineImages } from '../../../html/inline-images.js';
import { readControlBytes } from '../read-bytes.js';

/** Reads the images that the HTML of an email can refer to. */
export async function readInlineImages(
  client: Client,
  { id, attachments }: Pick<Inspection, 'id' | 'attachments'>,
): Promise<InlineImages> {
  const images = new Map<string, { type: string; bytes: Uint8Array }>();
  for (const { index, content_id, content_type } of attachments) {
    if (content_id === null || !IMAGE_TYPE.test(content_type)) continue;
    const bytes = await readControlBytes(client, 'emails.attachment', { params: { id, index: String(index) } });
    images.set(content_id, { type: content_type, bytes });
  }
  return images;
}
