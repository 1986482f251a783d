import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { Ready } from '../support/cli/binary.js';

type Address = Pick<Ready, 'base_url' | 'api_key' | 'smtp'>;

/** Starts clients that send one email after another until their connection ends or `next` stops them. */

export interface Mail {
  /** Unique; the email is found by it. */
  subject: string;
  recipients: string[];
}

export interface Sender {
  /** Returns the next email to send; undefined to stop. */
  next(): Mail | undefined;
  /** Called when the server has acknowledged the email. */
  acknowledged(mail: Mail): void;
  /** Called when the server has refused to keep the email. */
  refused?(mail: Mail, code: number): void;
}

/**
 * Sends over one SMTP connection, line by line as RFC 5321 has it, and logs in if the server asks for it. Resolves when
 * either side ends it.
 */
export async function sendBySmtp(
  { smtp, api_key }: Address,
  sender: Sender,
  { logIn = false }: { logIn?: boolean } = {},
): Promise<void> {
  const socket = connect(smtp.port, smtp.host);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  const answer = async (): Promise<number | undefined> => {
    for (;;) {
      // A server that is killed resets its connections, which the lines pass on.
      const { value, done } = await lines.next().catch(() => ({ value: undefined, done: true as const }));
      if (done) return undefined;
      if (value[3] !== '-') return Number(value.slice(0, 3));
    }
  };
  const command = (line: string) => {
    socket.write(`${line}\r\n`);
    return answer();
  };
  await answer();
  await command('EHLO load.test');
  if (logIn) await command(`AUTH PLAIN ${Buffer.from(`\0svc\0${api_key}`).toString('base64')}`);
  for (let mail = sender.next(); mail; mail = sender.next()) {
    if (!(await command('MAIL FROM:<shop@example.test>'))) break;
    for (const recipient of mail.recipients) await command(`RCPT TO:<${recipient}>`);
    if ((await command('DATA')) !== 354) break;
    const headers = `From: shop@example.test\r\nTo: ${mail.recipients.join(', ')}\r\nSubject: ${mail.subject}\r\n`;
    const code = await command(`${headers}\r\n${BODY}\r\n.`);
    if (code === undefined) break;
    if (code === 250) sender.acknowledged(mail);
    else sender.refused?.(mail, code);
  }
  socket.end('QUIT\r\n');
  await closed;
}

/** Sends over REST, one request after the other. Resolves when `next` stops it or the server is gone. */
export async function sendByRest(
  { base_url, api_key }: Pick<Address, 'base_url' | 'api_key'>,
  sender: Sender,
): Promise<void> {
  for (let mail = sender.next(); mail; mail = sender.next()) {
    const { subject, recipients } = mail;
    try {
      const response = await fetch(`${base_url}/emails`, {
        method: 'POST',
        headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ from: 'shop@example.test', to: recipients, subject, html: BODY }),
      });
      await response.text();
      if (response.status === 201) sender.acknowledged(mail);
      else sender.refused?.(mail, response.status);
    } catch {
      // Disconnected: the email may be stored or not, and was not acknowledged.
      return;
    }
  }
}

const BODY = `<p>${'Thank you for your order. '.repeat(60)}</p>`.replace(/(.{70})/g, '$1\r\n');
