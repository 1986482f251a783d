import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import type { ReceivedMessage } from '../../src/core/model.js';
import { createSmtpServer, type SmtpService } from '../../src/smtp/server.js';
import { deliver, openSmtp, type SmtpSession } from '../support/smtp-session.js';

describe('the content of a message', () => {
  let server: SmtpService;
  let received: ReceivedMessage[];
  afterEach(() => server.close());

  async function listen(unfinishedBytes?: number) {
    received = [];
    server = createSmtpServer({
      accept: async (message) => `msg_${received.push(message)}`,
      isKey: async () => true,
      onConnection: () => {},
      onFault: () => {},
      ...(unfinishedBytes !== undefined && { unfinishedBytes }),
    });
    return server.listen('127.0.0.1', 0);
  }

  async function begin(address: { host: string; port: number }): Promise<SmtpSession> {
    const session = await openSmtp(address);
    await session.reply();
    for (const command of ['EHLO x.test', 'MAIL FROM:<a@x.test>', 'RCPT TO:<b@x.test>', 'DATA'])
      await session.say(command);
    return session;
  }

  /** Dots are added as RFC 5321 says: after CRLF alone. */
  const stuffed = (text: string) => text.replace(/(^|\r\n)\./g, '$1..');
  const contents = [
    'a\n.\nb\n..c\r\n',
    'a\n..\n.b\r\n.c\r\n..d\r\n',
    '.\n.\r\n..\r\n...\r\n',
    '.a\r\n\r\n.\n\r.\r\n',
    '\r\n.x\r\n',
    'x\r.\r\n',
  ];

  it.each(contents)('is kept as it was sent: %j', async (content) => {
    const address = await listen();
    expect(await deliver(address, stuffed(content))).toMatch(/^250/);
    expect(received[0]?.bytes.toString()).toBe(content);
  });

  it.each(contents)('is kept as it was sent byte by byte: %j', async (content) => {
    const session = await begin(await listen());
    session.socket.setNoDelay(true);
    for (const byte of Buffer.from(stuffed(content))) {
      session.write(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await session.say('.')).toMatch(/^250/);
    expect(received[0]?.bytes.toString()).toBe(content);
    session.socket.end();
  });

  it('ends at CRLF, a dot and CRLF alone', async () => {
    const address = await listen();
    const smuggled = 'a\n.\nMAIL FROM:<x@x.test>\r\nb\r\n.\nc\n.\r\nd\r\r\n';
    expect(await deliver(address, stuffed(smuggled))).toMatch(/^250/);
    expect(received.map(({ bytes }) => bytes.toString())).toEqual([smuggled]);
  });

  it('takes its part of the memory for unfinished messages, and gives it back', async () => {
    const address = await listen(100_000);
    const large = `${'x'.repeat(998)}\r\n`.repeat(80);
    const first = await begin(address);
    first.write(large);
    // What was written before is read by the time that a later command is answered on the same connection alone.
    const second = await begin(address);
    second.write(large);
    const replies = [await second.say('.'), await first.say('.')];
    expect(replies.filter((reply) => reply?.startsWith('452 4.')).length).toBe(1);
    expect(replies.filter((reply) => reply?.startsWith('250')).length).toBe(1);
    expect(await deliver(address, large)).toMatch(/^250/);
    expect(received).toHaveLength(2);
    for (const { socket } of [first, second]) socket.end();
  });

  it('gives its part back when its client goes away', async () => {
    const address = await listen(100_000);
    const session = await begin(address);
    session.write(`${'x'.repeat(998)}\r\n`.repeat(80));
    session.socket.end();
    session.socket.destroySoon();
    await once(session.socket, 'close');
    const retry = async (): Promise<string | undefined> => {
      const reply = await deliver(address, `${'x'.repeat(998)}\r\n`.repeat(80));
      return reply?.startsWith('452') ? retry() : reply;
    };
    expect(await retry()).toMatch(/^250/);
  });
});
