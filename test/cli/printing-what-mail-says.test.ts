import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BINARY, type DevServer, startDev, svc, temporaryDirectory } from '../support/binary.js';
import { data } from '../support/server-calls.js';
import { deliver } from '../support/smtp-session.js';

const HOSTILE =
  'Subject: =?utf-8?q?=1B]0;owned=07=1B[2J=E2=80=AEtxt.exe=C2=9B31m_end?=\r\nFrom: =?utf-8?q?Eve=1B[31m?= <eve@example.test>\r\n\r\nbody \x1b[2Jcleared\x07 end\r\n';

describe('text that came from mail', () => {
  const folder = temporaryDirectory();
  let dev: DevServer;

  beforeAll(async () => {
    dev = await startDev(['--data-dir', folder.path]);
    expect(await deliver(dev.ready.smtp, HOSTILE)).toMatch(/^250 /);
  });

  afterAll(async () => {
    expect(await dev.stop()).toBe(0);
    folder.remove();
  });

  it.each([
    ['a list', ['emails', 'list']],
    ['one email', ['emails', 'get', 'latest']],
    ['JSON', ['emails', 'get', 'latest', '--json']],
  ])('has no control characters in %s', async (_, args) => {
    const { code, stdout } = await svc([...args, '--data-dir', folder.path]);

    expect(code).toBe(0);
    expect(stdout).toContain('end');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(stdout).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
  });

  it('is whole for a program that asks the API', async () => {
    const [{ subject }] = (await data(dev.ready, '/v1/emails')).emails;

    expect(subject).toContain('\u001b]0;owned');
  });

  it('is cut short without a word when the reader has seen enough', async () => {
    for (let index = 0; index < 60; index += 1)
      await deliver(dev.ready.smtp, `Subject: ${'long '.repeat(150)}\r\n\r\nx\r\n`);
    const command = `"${process.execPath}" "${BINARY}" emails list --limit 100 --json --data-dir "${folder.path}" | head -c 1`;
    const child = spawn('bash', ['-o', 'pipefail', '-c', command], { stdio: ['ignore', 'pipe', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.stdout.resume();
    const [code] = await once(child, 'close');

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});
