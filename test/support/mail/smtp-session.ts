import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** An SMTP client that sends exactly the given bytes, line by line or all at once. */
export interface SmtpSession {
  socket: Socket;
  /** Returns all lines of the server's next reply; undefined when the server has closed the connection. */
  reply(): Promise<string | undefined>;
  /** Writes bytes unchanged. */
  write(bytes: string | Buffer): void;
  /** Sends a command and returns the reply to it. */
  say(command: string): Promise<string | undefined>;
}

/** Connects without sending anything. */
export async function openSmtp({ host, port }: { host: string; port: number }): Promise<SmtpSession> {
  // Many clients keep their half of a connection open when the server has closed the other.
  const socket = connect({ port, host, allowHalfOpen: true });
  // The server may close first. Its last replies have been read by then.
  socket.on('error', () => {});
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  await once(socket, 'connect');
  const reply = async () => {
    const all: string[] = [];
    for (;;) {
      const { value, done } = await lines.next();
      if (done) return undefined;
      all.push(value);
      if (value[3] !== '-') return all.join('\n');
    }
  };
  const write = (bytes: string | Buffer) => void socket.write(bytes);
  return {
    socket,
    reply,
    write,
    say(command) {
      write(`${command}\r\n`);
      return reply();
    },
  };
}

/** Connects and sends the commands up to DATA, so that the server expects a message. */
export async function openSmtpData(address: { host: string; port: number }): Promise<SmtpSession> {
  const session = await openSmtp(address);
  await session.reply();
  for (const command of ['EHLO x.test', 'MAIL FROM:<a@x.test>', 'RCPT TO:<b@x.test>', 'DATA'])
    await session.say(command);
  return session;
}

/** Begins a message, and closes the connection before its end. One recipient is refused before. */
export async function brokenSession(address: { host: string; port: number }): Promise<void> {
  const session = await openSmtp(address);
  await session.reply();
  const commands = ['EHLO app.example.test', 'MAIL FROM:<a@x.test>', 'RCPT TO:<b>', 'RCPT TO:<b@x.test>', 'DATA'];
  for (const command of commands) await session.say(command);
  session.write('Subject: Broken\r\n\r\nThe beginning\r\n');
  session.socket.end();
  await once(session.socket, 'close');
}

/** Doubles the dot of each line that begins with one, and appends the end of data. RFC 5321 section 4.5.2. */
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
 * @returns the last reply for each message.
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

/** Delivers one message over a new connection, and returns the last reply. */
export async function deliver(
  address: { host: string; port: number },
  message: string | Buffer,
  { from = 'app@example.test', to = ['ada@example.test'] } = {},
): Promise<string | undefined> {
  const [reply] = await deliverAll(address, [{ bytes: Buffer.from(message), to }], from);
  return reply;
}

/** Returns the id in a 250 reply. */
export function queuedId(reply: string | undefined): string | undefined {
  return /^250 .*queued as (msg_\w+)/.exec(reply ?? '')?.[1];
}
