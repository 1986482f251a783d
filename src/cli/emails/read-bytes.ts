import { buffer } from 'node:stream/consumers';
import type { Client } from '../../client/client.js';
import type { Control } from '../../contract/control/endpoints.js';
import type { Call } from '../../contract/endpoint.js';

/** Returns the body of a control API response that is bytes and not JSON. */
export function readControlBytes<Name extends 'emails.raw' | 'emails.attachment' | 'emails.delivered_html'>(
  client: Client,
  name: Name,
  call: Call<Control[Name]>,
): Promise<Buffer> {
  return buffer(client.stream(name, call));
}
