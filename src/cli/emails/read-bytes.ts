import type { Client } from '../../client/client.js';
import type { Control } from '../../contract/control/endpoints.js';
import type { Call } from '../../contract/endpoint.js';

/** All bytes of a control API response that is no envelope. */
export async function readControlBytes<Name extends 'emails.raw' | 'emails.attachment'>(
  client: Client,
  name: Name,
  call: Call<Control[Name]>,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of client.stream(name, call)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
