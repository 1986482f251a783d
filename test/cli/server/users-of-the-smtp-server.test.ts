import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { svc } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';
import { openSmtp } from '../../support/mail/smtp-session.js';

/** Tests the users of the SMTP server, and how long clients may be idle. */

describe('the file with the SMTP users', () => {
  const folder = folderOfEachTest();

  function users(content: string): string[] {
    const file = join(folder.path, 'users.txt');
    writeFileSync(file, content);
    return ['--in-memory', '--smtp-users-file', file];
  }

  it('may have comments, empty lines, a byte order mark and line ends of Windows', async () => {
    const lines = ['\uFEFFada:pencil', '', '# ada:other', '  # of the shop', '   ', 'bob:a: b#c'];
    const { ready } = await folder.startServer(users(lines.join('\r\n')));
    const session = await openSmtp(ready.smtp);
    await session.reply();
    await session.say('EHLO client.example.test');
    const plain = (name: string, password: string) => Buffer.from(`\0${name}\0${password}`).toString('base64');

    expect(await session.say(`AUTH PLAIN ${plain('ada', 'other')}`)).toMatch(/^535 /);
    expect(await session.say(`AUTH PLAIN ${plain('bob', 'a: b#c')}`)).toMatch(/^235 /);
    session.socket.end();
    const other = await openSmtp(ready.smtp);
    await other.reply();
    await other.say('EHLO client.example.test');
    expect(await other.say(`AUTH PLAIN ${plain('ada', 'pencil')}`)).toMatch(/^235 /);
    other.socket.end();
  });

  it.each([
    ['a name without a password', 'ada', 'must be NAME:PASSWORD.'],
    ['an empty password', 'ada:', 'must be NAME:PASSWORD.'],
    ['a space before the name', ' ada:pencil', 'must not have spaces around the name or the password.'],
    ['spaces around the colon', 'ada : pencil', 'must not have spaces around the name or the password.'],
    ['a space after the password', 'ada:pencil ', 'must not have spaces around the name or the password.'],
    ['a tab after the password', 'ada:pencil\t\r', 'must not have spaces around the name or the password.'],
  ])('is refused with %s, with the line', async (_, line, problem) => {
    const args = users(`# users\n\nbob:eraser\n${line}\n`);

    const { code, stderr } = await svc(['dev', '--http-port', '0', '--smtp-port', '0', ...args]);

    expect({ code, stderr }).toEqual({ code: 2, stderr: `Error: --smtp-users-file: line 4 ${problem}\n` });
  });
});

describe('svc dev --smtp-idle-timeout', () => {
  const folder = folderOfEachTest();

  it('sets the time after which a silent client is disconnected', async () => {
    const { ready } = await folder.startServer(['--in-memory', '--smtp-idle-timeout', '1s']);
    const session = await openSmtp(ready.smtp);
    expect(await session.reply()).toMatch(/^220 /);
    expect(await session.reply()).toMatch(/^421 /);
    expect(await session.reply()).toBeUndefined();
  });

  it('refuses a time outside of its bounds', async () => {
    const { code, stderr } = await svc(['dev', '--in-memory', '--smtp-idle-timeout', '0']);
    const message = 'Error: --smtp-idle-timeout must be 1s to 1d, not "0".\nPass another time.\n';
    expect({ code, stderr }).toEqual({ code: 2, stderr: message });
  });
});
