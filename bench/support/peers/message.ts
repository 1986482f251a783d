import { MESSAGE } from '../smtp-client.js';

const SUBJECT = 'Subject: Your order has been shipped';
const END = '\r\n.\r\n';
const [head = '', rest = ''] = MESSAGE.toString('latin1').slice(0, -END.length).split(SUBJECT);

/** Returns the message of 5 KB with a number of six digits in its subject, without the final dot. */
export function numbered(number: number): Buffer {
  return Buffer.from(`${head}Subject: Your order ${100_000 + number} has been shipped${rest}`, 'latin1');
}
