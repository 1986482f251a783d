import type { Client } from '../../../client/client.js';
import type { Copy } from './pane.js';

/** More would not fit the list of what can be copied. */
const LINKS_MAX = 20;
const CODES_MAX = 5;

/** Returns the one-time codes and the links of an email. */
export async function copiesOfEmail(client: Client, id: string): Promise<Copy[]> {
  const params = { id };
  const { codes, links } = await client.control('emails.inspect', { params });
  return [
    ...codes.slice(0, CODES_MAX).map(({ value }) => ({ name: 'code', value })),
    ...links.slice(0, LINKS_MAX).map(({ href }) => ({ name: 'link', value: href })),
  ];
}
