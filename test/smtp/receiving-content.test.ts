import { describe, expect, it } from 'vitest';
import { deliver, dotStuffed, openSmtpData } from '../support/mail/smtp-session.js';
import { closeSmtpServersAfterEach, listenForSmtp } from '../support/servers/smtp-server.js';

describe('the content of a message', () => {
  closeSmtpServersAfterEach();

  const contents = [
    'a\n.\nb\n..c\r\n',
    'a\n..\n.b\r\n.c\r\n..d\r\n',
    '.\n.\r\n..\r\n...\r\n',
    '.a\r\n\r\n.\n\r.\r\n',
    '\r\n.x\r\n',
    'x\r.\r\n',
  ];

  it.each(contents)('is kept as it was sent: %j', async (content) => {
    const { address, received } = await listenForSmtp();
    expect(await deliver(address, content)).toMatch(/^250/);
    expect(received[0]?.bytes.toString()).toBe(content);
  });

  it.each(contents)('is kept as it was sent byte by byte: %j', async (content) => {
    const { address, received } = await listenForSmtp();
    const session = await openSmtpData(address);
    session.socket.setNoDelay(true);
    for (const byte of dotStuffed(Buffer.from(content))) {
      session.write(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await session.reply()).toMatch(/^250/);
    expect(received[0]?.bytes.toString()).toBe(content);
    session.socket.end();
  });

  it.each([
    ['.hello\r\n', 'hello\r\n'],
    ['a\r\n.b\r\n. \r\n.\n.c\r\n', 'a\r\nb\r\n \r\n\n.c\r\n'],
    ['.\rx\r\n', '\rx\r\n'],
  ])('loses the first dot of a line, whatever follows it: %j', async (sent, kept) => {
    const { address, received } = await listenForSmtp();
    for (const chunks of [[sent], [...sent]]) {
      const session = await openSmtpData(address);
      session.socket.setNoDelay(true);
      for (const chunk of chunks) await new Promise<void>((done) => session.socket.write(chunk, () => done()));
      expect(await session.say('.')).toMatch(/^250/);
      session.socket.end();
    }
    expect(received.map(({ bytes }) => bytes.toString())).toEqual([kept, kept]);
  });

  it('ends at CRLF, a dot and CRLF only', async () => {
    const { address, received } = await listenForSmtp();
    const smuggled = 'a\n.\nMAIL FROM:<x@x.test>\r\nb\r\n.\nc\n.\r\nd\r\r\n';
    expect(await deliver(address, smuggled)).toMatch(/^250/);
    expect(received.map(({ bytes }) => bytes.toString())).toEqual([smuggled]);
  });
});
