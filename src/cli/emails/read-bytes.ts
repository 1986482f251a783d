import { buffer } from 'node:stream/consumers';
import type { Client } from '../../client/client.js';
import type { Inspection } from '../../contract/control/emails/inspect.js';
import type { Control } from '../../contract/control/endpoints.js';
import type { Call } from '../../contract/endpoint.js';
import { type InlineImages, readInlineImages as readImages } from '../../html/inline-images.js';

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
  return readImages(attachments, (index) => readControlBytes(client, 'emails.attachment', { params: { id, index } }));
}
