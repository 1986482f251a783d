import { openSmtp } from './smtp-session.js';

/** Puts a second dot before each line that begins with one, and ends the message. RFC 5321 section 4.5.2. */
export function dotStuffed(message: Buffer): Buffer {
  const text = message.toString('latin1').replace(/(^|\r\n)\./g, '$1..');
  return Buffer.from(`${text}${text === '' || text.endsWith('\r\n') ? '' : '\r\n'}.\r\n`, 'latin1');
}

export interface Delivery {
  bytes: Buffer;
  to: readonly string[];
}

/**
 * Delivers messages one after the other over one connection.
 * @returns the last reply to each.
 */
export async function deliverAll(
  address: { host: string; port: number },
  deliveries: readonly Delivery[],
  from = 'app@example.test',
): Promise<(string | undefined)[]> {
  const session = await openSmtp(address);
  await session.reply();
  await session.say('EHLO client.example.test');
  const replies: (string | undefined)[] = [];
  for (const { bytes, to } of deliveries) {
    await session.say(`MAIL FROM:<${from}>`);
    for (const recipient of to) await session.say(`RCPT TO:<${recipient}>`);
    await session.say('DATA');
    session.write(dotStuffed(bytes));
    replies.push(await session.reply());
  }
  session.socket.end();
  return replies;
}

/** The id in a reply of 250. */
export function queuedId(reply: string | undefined): string | undefined {
  return /^250 .*queued as (msg_\w+)/.exec(reply ?? '')?.[1];
}
