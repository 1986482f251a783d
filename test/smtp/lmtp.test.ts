import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOf } from '../../src/client/smtp-session-texts.js';
import { type DevServer, startDev, svc, temporaryDirectory } from '../support/cli/binary.js';
import { python } from '../support/mail/delivered.js';
import { openSmtp } from '../support/mail/smtp-session.js';
import { countEmails, data } from '../support/servers/server-calls.js';

const MESSAGE = 'From: app@example.test\r\nTo: ada@example.test\r\nSubject: Hi\r\n\r\nHello\r\n';

describe('LMTP', () => {
  const folder = temporaryDirectory();
  const socket = join(folder.path, 'lmtp.sock');
  let dev: DevServer;
  let address: { host: string; port: number };

  beforeAll(async () => {
    // What a server leaves that is killed.
    leaveSocket(socket);
    dev = await startDev(['--in-memory', '--lmtp-port', '0', '--lmtp-socket', socket, '--smtp-auth', 'required']);
    address = (dev.ready as unknown as { lmtp: typeof address }).lmtp;
  });

  afterAll(async () => {
    expect(await dev.stop()).toBe(0);
    expect(existsSync(socket)).toBe(false);
    folder.remove();
  });

  const greeted = async () => {
    const session = await openSmtp(address);
    expect(await session.reply()).toMatch(/^220 \S+ LMTP svc$/);
    return session;
  };

  it('answers once for each accepted recipient, also for one that is named twice', async () => {
    const session = await greeted();
    const before = await countEmails(dev.ready);
    expect(await session.say('EHLO client.example.test')).toMatch(/^500 /);
    expect(await session.say('LHLO client.example.test')).toMatch(/^250-/);
    await session.say('MAIL FROM:<app@example.test>');
    for (const to of ['ada@example.test', 'bob@example.test', 'ADA@example.test']) {
      expect(await session.say(`RCPT TO:<${to}>`)).toMatch(/^250 /);
    }
    expect(await session.say('RCPT TO:<ada@example.123>')).toMatch(/^553 /);

    await session.say('DATA');
    session.write(`${MESSAGE}.\r\nNOOP\r\n`);

    const replies = [await session.reply(), await session.reply(), await session.reply()];
    expect(new Set(replies)).toEqual(new Set([expect.stringMatching(/^250 2\.\d\.0 OK: queued as msg_/)]));
    expect(await session.reply()).toBe('250 2.0.0 OK');
    expect(await countEmails(dev.ready)).toBe(before + 1);
    session.socket.end();
  });

  it('refuses a message that is too large once for each recipient', async () => {
    const session = await greeted();
    await session.say('LHLO client.example.test');
    await session.say('MAIL FROM:<app@example.test>');
    for (const to of ['ada@example.test', 'bob@example.test']) await session.say(`RCPT TO:<${to}>`);
    await session.say('DATA');

    session.write(Buffer.alloc(41_943_050, `${'x'.repeat(76)}\r\n`));
    session.write('\r\n.\r\nNOOP\r\n');

    expect([await session.reply(), await session.reply()]).toEqual(Array(2).fill(expect.stringMatching(/^552 /)));
    expect(await session.reply()).toBe('250 2.0.0 OK');
    session.socket.end();
  });

  it('smtplib delivers over TCP and over a Unix socket, without the log-in that SMTP requires', async () => {
    const { host, port } = address;
    expect(await python('smtp_secure_send.py', '', ['lmtp', host, String(port), '-'])).toEqual({ sent: true });
    expect(await python('smtp_secure_send.py', '', ['lmtp-socket', socket, '0', '-'])).toEqual({ sent: true });

    const { emails } = await data(dev.ready, '/v1/emails?limit=2');
    expect(emails.map(({ subject }: { subject: string }) => subject)).toEqual(['smtplib lmtp-socket', 'smtplib lmtp']);
    const { sessions } = await data(dev.ready, '/_svc/smtp-sessions?limit=2');
    expect(sessions.map(clientOf)).toEqual([
      expect.stringMatching(/^Unix socket \(.+\)$/),
      expect.stringMatching(/^127\.0\.0\.1 \(/),
    ]);
  });

  it('neither replaces a file at the path of the socket, nor a socket that is in use', async () => {
    const file = join(folder.path, 'file');
    writeFileSync(file, 'mine');
    for (const [path, reason] of [
      [file, 'a file that is not a socket exists there'],
      [socket, 'already in use'],
    ] as const) {
      const ports = ['--http-port', '0', '--smtp-port', '0'];
      const { code, stderr } = await svc(['dev', '--in-memory', ...ports, '--lmtp-socket', path], {
        env: { SVC_DATA_DIR: join(folder.path, 'none') },
      });
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringContaining(`Cannot listen on the socket ${path}: ${reason}`),
      });
    }
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });
});

/** Creates a socket to which no process listens. */
function leaveSocket(path: string): void {
  execFileSync('python3', ['-c', 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])', path]);
  expect(existsSync(path)).toBe(true);
}
