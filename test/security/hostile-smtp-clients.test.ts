import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevServer, startDev } from '../support/cli/binary.js';
import { openSmtp, type SmtpSession } from '../support/mail/smtp-session.js';
import { bytes, countEmails, data, request } from '../support/servers/server-calls.js';

let dev: DevServer;
beforeAll(async () => {
  dev = await startDev(['--in-memory', '--plan', 'none']);
});
afterAll(async () => {
  expect(await dev.stop()).toBe(0);
});

async function greeted(): Promise<SmtpSession> {
  const session = await openSmtp(dev.ready.smtp);
  await session.reply();
  await session.say('EHLO client.example.test');
  return session;
}

async function inData(): Promise<SmtpSession> {
  const session = await greeted();
  await session.say('MAIL FROM:<app@example.test>');
  await session.say('RCPT TO:<ada@example.test>');
  expect(await session.say('DATA')).toMatch(/^354/);
  return session;
}

describe('bytes that only look like the end of a message', () => {
  const TERMINATORS = [
    '\n.\n',
    '\n.\r\n',
    '\r\n.\n',
    '\r.\r',
    '\r.\r\n',
    '\r\n.\r',
    '\n.\r',
    '\r.\n',
    '\r\n\0.\r\n',
    '\r\n.\0\r\n',
    '\r\n. \r\n',
    '\r\r\n.\r\r\n',
  ];

  it.each(TERMINATORS)('%j do not end it, sent whole or byte by byte', async (terminator) => {
    const smuggled =
      'MAIL FROM:<evil@example.test>\r\nRCPT TO:<victim@example.test>\r\nDATA\r\nSubject: smuggled\r\n\r\ny';
    const message = Buffer.from(`Subject: one\r\n\r\nx${terminator}${smuggled}`);
    for (const size of [message.length, 1]) {
      const before = await countEmails(dev.ready);
      const session = await inData();
      session.socket.setNoDelay();
      for (let at = 0; at < message.length; at += size) {
        await new Promise<void>((done) => session.socket.write(message.subarray(at, at + size), () => done()));
      }
      const reply = await session.say('\r\n.');

      expect(reply).toMatch(/^250 .*queued as msg_/);
      expect(await session.say('NOOP')).toMatch(/^250/);
      session.socket.end();
      expect(await countEmails(dev.ready)).toBe(before + 1);
      const id = /queued as (msg_\w+)/.exec(reply ?? '')?.[1];
      expect((await bytes(dev.ready, `/_svc/emails/${id}/raw`)).toString()).toContain('Subject: smuggled');
    }
  });
});

describe('a client that tries to break the server', () => {
  it('is disconnected when it speaks HTTP, as a page in a browser can make it', async () => {
    const before = await countEmails(dev.ready);
    const session = await openSmtp(dev.ready.smtp);
    const mail = 'EHLO x\r\nMAIL FROM:<a@x.test>\r\nRCPT TO:<b@x.test>\r\nDATA\r\nSubject: x\r\n\r\nx\r\n.\r\n';
    session.write(`POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${mail.length}\r\n\r\n${mail}`);

    const replies: string[] = [];
    for (let reply = await session.reply(); reply !== undefined; reply = await session.reply()) replies.push(reply);

    expect(replies.at(-1)).toMatch(/^421/);
    expect(replies.filter((reply) => /^(354|250)/.test(reply))).toEqual([]);
    expect(await countEmails(dev.ready)).toBe(before);
  });

  it('is given 1,000 recipients and no more, and the message to these is kept', async () => {
    const session = await greeted();
    await session.say('MAIL FROM:<app@example.test>');
    const count = 10_000;
    session.write(Array.from({ length: count }, (_, n) => `RCPT TO:<r${n}@example.test>\r\n`).join(''));
    const codes: Record<string, number> = {};
    for (let n = 0; n < count; n += 1) {
      const code = (await session.reply())?.slice(0, 3) ?? 'none';
      codes[code] = (codes[code] ?? 0) + 1;
    }
    expect(codes).toEqual({ 250: 1_000, 452: count - 1_000 });

    await session.say('DATA');
    expect(await session.say('Subject: x\r\n\r\nx\r\n.')).toMatch(/^250/);
    session.socket.end();
  });

  it('is disconnected when it sends a command without an end', async () => {
    const session = await greeted();
    const line = Buffer.alloc(1024 * 1024, 'x');
    const closed = once(session.socket, 'close');
    // Written until the peer stops reading.
    const write = () => void session.socket.write(line, (error) => error || write());
    write();

    expect(await session.reply()).toMatch(/^(421|5\d\d)/);
    session.socket.destroy();
    await closed;
    expect((await request(dev.ready, '/_svc/health')).status).toBe(200);
  });

  it('gets as many answers to 50,000 NOOPs, and other clients theirs', async () => {
    const session = await greeted();
    session.write('NOOP\r\n'.repeat(50_000));
    expect((await request(dev.ready, '/v1/emails')).status).toBe(200);
    let answered = 0;
    while (answered < 50_000 && /^250/.test((await session.reply()) ?? '')) answered += 1;

    expect(answered).toBe(50_000);
    session.socket.end();
  });

  const base64 = (text: string) => Buffer.from(text).toString('base64');
  it.each<[string, string[]]>([
    ['an unsupported mechanism', ['AUTH CRAM-MD5']],
    ['no mechanism', ['AUTH']],
    ['invalid base64', ['AUTH PLAIN ****']],
    ['base64 without its parts', [`AUTH PLAIN ${base64('only one')}`]],
    ['too many parts', [`AUTH PLAIN ${base64('a\0b\0c\0d')}`]],
    ['an identity of 10 KB', [`AUTH PLAIN ${base64(`\0${'u'.repeat(10_000)}\0p`)}`]],
    ['an unknown key', [`AUTH PLAIN ${base64(`\0u\0svc_test_${'0'.repeat(32)}`)}`]],
    ['a cancelled PLAIN', ['AUTH PLAIN', '*']],
    ['a cancelled LOGIN', ['AUTH LOGIN', '*']],
    ['an empty LOGIN', ['AUTH LOGIN', '', '']],
    ['a LOGIN with a command in it', ['AUTH LOGIN', base64('u'), 'MAIL FROM:<a@x.test>']],
    ['an AUTH before EHLO', ['RSET', `AUTH PLAIN ${base64('\0u\0p')}`, `AUTH PLAIN ${base64('\0u\0p')}`]],
  ])('gets an answer to AUTH with %s, and can continue', async (_, lines) => {
    const session = await greeted();
    for (const line of lines) expect(await session.say(line)).toMatch(/^(235|250|334|421|5\d\d)/);
    expect(await session.say('NOOP')).toMatch(/^250/);
    session.socket.end();
  });
});

describe('an address with line ends or invisible characters', () => {
  const CHARACTERS = { CR: '\r', NUL: '\0', ESC: '\u001b', BEL: '\u0007', TAB: '\t', DEL: '\u007f', VT: '\u000b' };

  it.each(Object.entries(CHARACTERS))('is refused with %s, or kept out of every header', async (_, character) => {
    const session = await greeted();
    const replies = [
      await session.say(`MAIL FROM:<app${character}X-Evil: 1@example.test>`),
      await session.say('MAIL FROM:<app@example.test>'),
      await session.say(`RCPT TO:<ada${character}X-Evil: 1@example.test>`),
      await session.say(`RCPT TO:<ada@example.test${character}X-Evil: 1>`),
      await session.say('RCPT TO:<ada@example.test>'),
    ];
    await session.say('DATA');
    const id = /queued as (msg_\w+)/.exec((await session.say('Subject: x\r\n\r\nx\r\n.')) ?? '')?.[1];
    session.socket.end();

    expect(replies.map((reply) => reply?.slice(0, 1))).toEqual(['5', '2', '5', '5', '2']);
    expect((await bytes(dev.ready, `/_svc/emails/${id}/raw`)).toString()).not.toContain('X-Evil');
    const { envelope } = await data(dev.ready, `/_svc/emails/${id}`);
    expect(envelope).toMatchObject({ mail_from: 'app@example.test', rcpt_to: ['ada@example.test'] });
  });
});
