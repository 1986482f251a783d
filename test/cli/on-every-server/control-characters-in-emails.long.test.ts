import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeAll, expect, it } from 'vitest';
import { BINARY, text } from '../../support/cli/binary.js';
import { deliver } from '../../support/mail/smtp-session.js';
import { data as call, newestParsed } from '../../support/servers/server-calls.js';
import { onEveryServer } from '../../support/servers/service.js';

const HOSTILE =
  'Subject: =?utf-8?q?=1B]0;owned=07=1B[2J=E2=80=AEtxt.exe=C2=9B31m_end?=\r\nFrom: =?utf-8?q?Eve=1B[31m?= <eve@example.test>\r\n\r\nbody \x1b[2Jcleared\x07 end\r\n';

onEveryServer('text from an email', ({ run, reach, env, folder, kind }) => {
  beforeAll(async () => {
    await reach(async (ready) => {
      expect(await deliver(ready.smtp, HOSTILE)).toMatch(/^250 /);
      await newestParsed(ready);
    });
  });

  it.each([
    ['a list', ['emails', 'list']],
    ['one email', ['emails', 'get', 'latest']],
    ['JSON', ['emails', 'get', 'latest', '--json']],
  ])('has no control characters in %s', async (_, args) => {
    const { code, stdout } = await run(args);

    expect(code).toBe(0);
    expect(stdout).toContain('end');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(stdout).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
  });

  it('is unchanged for a program that calls the API', async () => {
    const { emails } = await reach((ready) => call(ready, '/v1/emails'));

    expect(emails[0].subject).toContain('\u001b]0;owned');
  });

  it('is cut short without a message when its reader closes the pipe', async () => {
    await reach(async ({ smtp }) => {
      for (let index = 0; index < 60; index += 1) await deliver(smtp, `Subject: ${'long '.repeat(150)}\r\n\r\nx\r\n`);
    });
    const command = `"${process.execPath}" "${BINARY}" emails list --limit 100 --json | head -c 1`;
    const child = spawn('bash', ['-o', 'pipefail', '-c', command], {
      cwd: folder,
      env: { ...process.env, ...env() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = text(child.stderr);
    child.stdout.resume();
    const [code] = await once(child, 'close');

    expect({ code, stderr: await said }).toEqual({ code: 0, stderr: kind === 'remote' ? expect.any(String) : '' });
  });
});
