import type { Client } from '../../../client/client.js';
import { htmlText } from '../../output/html-text.js';
import type { Copy } from './pane.js';

/** More would not fit the list of what can be copied. */
const LINKS_MAX = 20;
const CODES_MAX = 5;
/** A number of the length that one-time codes have. */
const CODE = /\b\d{4,8}\b/g;

/** Returns the links of an email, and numbers that may be one-time codes. */
export async function copiesOfEmail(client: Client, id: string): Promise<Copy[]> {
  const params = { id };
  const [{ subject, text, html }, { links }] = await Promise.all([
    client.call('emails.get', { params }),
    client.control('emails.inspect', { params }),
  ]);
  const words = `${subject} ${text || htmlText(html)}`.split(/\s+/).filter((word) => !word.includes('://'));
  const codes = new Set(words.join(' ').match(CODE));
  return [
    ...[...codes].slice(0, CODES_MAX).map((value) => ({ name: 'code', value })),
    ...links.slice(0, LINKS_MAX).map((value) => ({ name: 'link', value })),
  ];
}
