import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';

/** A message of 5 KB with a text part and an HTML part, as an application would send. */
export const MESSAGE = composeMessage(5 * 1024);

/**
 * An SMTP client that does as little work as possible, so that mostly the server is measured. It reads replies of one
 * line and of several.
 */
export class SmtpClient {
  #rest = '';
  #waiting: { replies: number; resolve(): void; reject(error: Error): void } | undefined;

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('latin1').setNoDelay(true);
    socket.on('data', (chunk: string) => this.#read(chunk));
    socket.on('error', (error) => this.#waiting?.reject(error));
    socket.on('close', () => this.#waiting?.reject(new Error('the server closed the connection')));
  }

  /** Connects, reads the greeting and sends EHLO. */
  static async open(port: number): Promise<SmtpClient> {
    const client = new SmtpClient(createConnection({ port, host: '127.0.0.1' }));
    await client.#replies(1);
    await client.#ask('EHLO bench.test\r\n', 1);
    return client;
  }

  /** Sends one message: one round trip per command, or two in total when the commands are pipelined (RFC 2920). */
  async send(pipelined: boolean): Promise<void> {
    const commands = ['MAIL FROM:<ada@example.test>\r\n', 'RCPT TO:<grace@example.test>\r\n', 'DATA\r\n'];
    if (pipelined) await this.#ask(commands.join(''), commands.length);
    else for (const command of commands) await this.#ask(command, 1);
    await this.#ask(MESSAGE, 1);
  }

  /** Sends one message. No line of it may start with a dot, because dots are not doubled. */
  async sendMessage(message: Buffer, to = 'ada@example.test'): Promise<void> {
    for (const command of ['MAIL FROM:<a@example.test>\r\n', `RCPT TO:<${to}>\r\n`, 'DATA\r\n'])
      await this.#ask(command, 1);
    this.socket.write(message);
    await this.#ask('\r\n.\r\n', 1);
  }

  /** Sends only the beginning of a message. */
  async sendUnfinished(bytes: number): Promise<void> {
    for (const command of ['MAIL FROM:<a@example.test>\r\n', 'RCPT TO:<ada@example.test>\r\n', 'DATA\r\n']) {
      await this.#ask(command, 1);
    }
    const line = Buffer.from(`${'x'.repeat(998)}\r\n`.repeat(1_000));
    for (let sent = 0; sent < bytes; sent += line.length) {
      if (this.socket.destroyed) return;
      if (!this.socket.write(line)) await this.#drained();
    }
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        this.socket.removeListener('drain', go).removeListener('close', go);
        resolve();
      };
      this.socket.once('drain', go).once('close', go);
    });
  }

  close(): void {
    this.#waiting = undefined;
    this.socket.destroy();
  }

  async quit(): Promise<void> {
    await this.#ask('QUIT\r\n', 1);
    this.socket.end();
    if (!this.socket.closed) await once(this.socket, 'close');
  }

  #ask(text: string | Buffer, replies: number): Promise<void> {
    this.socket.write(text);
    return this.#replies(replies);
  }

  #replies(replies: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting = { replies, resolve, reject };
    });
  }

  #read(chunk: string): void {
    this.#rest += chunk;
    for (let end = this.#rest.indexOf('\r\n'); end >= 0; end = this.#rest.indexOf('\r\n')) {
      const line = this.#rest.slice(0, end);
      this.#rest = this.#rest.slice(end + 2);
      if (line[3] === '-' || !this.#waiting) continue;
      this.#waiting.replies -= 1;
      const { replies, resolve, reject } = this.#waiting;
      if (line[0] !== '2' && line[0] !== '3') reject(new Error(line));
      if (replies > 0) continue;
      this.#waiting = undefined;
      resolve();
    }
  }
}

function composeMessage(bytes: number): Buffer {
  const lines = (line: string, size: number) => `${line}\r\n`.repeat(Math.floor(size / (line.length + 2)));
  const part = (type: string, body: string) =>
    `--boundary\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n${body}\r\n`;
  const head = [
    'From: Ada Lovelace <ada@example.test>',
    'To: Grace Hopper <grace@example.test>',
    'Subject: Your order has been shipped',
    'Message-ID: <order-4711@example.test>',
    'Date: Thu, 01 Jan 2026 12:00:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=boundary',
  ].join('\r\n');
  const text = lines('Your order has left our house and will be with you in two or three days.', bytes * 0.3);
  const html = lines(
    '<p>Your order has left our house; <a href="https://example.test/4711">track it</a>.</p>',
    bytes * 0.58,
  );
  return Buffer.from(`${head}\r\n\r\n${part('text/plain', text)}${part('text/html', html)}--boundary--\r\n.\r\n`);
}
