import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { BINARY, svc } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';

/** Tests commands that other commands print for copying. */

describe('a suggested command', () => {
  const folder = folderOfEachTest();

  /** Runs a line as a shell would where it is pasted. */
  async function paste(line: string, env: Record<string, string> = {}): Promise<string> {
    const shell = `svc() { '${process.execPath}' '${BINARY}' "$@"; }\n${line}`;
    const baseEnv = { PATH: process.env.PATH, HOME: folder.path, SVC_CONFIG_DIR: folder.path, ...env };
    return (await promisify(execFile)('sh', ['-c', shell], { cwd: folder.path, env: baseEnv })).stdout;
  }

  const nextOf = (stderr: string) => / (?:with|run): (svc .*)$/m.exec(stderr)?.[1] ?? '';

  it.each([
    [['emails', 'send', '--to', 'ada@example.test'], /ada@example\.test/],
    [['emails', 'list'], /^msg_\w+/],
    [['emails', 'get', 'latest'], /^msg_\w+/],
    [['templates', 'create', '--name', 'hi', '--subject', 'Hi', '--html', '<p>Hi</p>'], /<p>Hi<\/p>/],
    [['domains', 'list'], /mail\.example\.com/],
    [['dev', 'rules', 'list'], /corp\.test/],
  ])('works as printed after svc %j on a data directory other than the default', async (command, answer) => {
    const dataDir = join(folder.path, "ada's");

    const { stderr } = await svc([...command, '--data-dir', dataDir]);

    expect(nextOf(stderr)).toContain('--data-dir');
    expect(await paste(nextOf(stderr))).toMatch(answer);
  });

  it('names the server that was named, and asks for the key that was given without showing it', async () => {
    const { ready } = await folder.startServer(['--data-dir', join(folder.path, 'server')]);
    const env = { SVC_DATA_DIR: join(folder.path, 'another') };
    const whole = ['--to', 'ada@example.test', '--from', 'app@example.test', '--subject', 'Hi', '--html', '<p>Hi</p>'];
    const named = ['--base-url', ready.base_url, '--api-key', ready.api_key];

    const { code, stderr } = await svc(['emails', 'send', ...whole, ...named], { env });

    expect(code).toBe(0);
    const next = nextOf(stderr);
    expect(next).toMatch(/^svc emails get msg_\w+ --base-url http:\S+ --api-key KEY$/);
    expect(stderr).not.toContain(ready.api_key);
    expect(await paste(next.replace('KEY', ready.api_key), env)).toContain('ada@example.test');
  });

  it('names the profile that was named', async () => {
    const { ready } = await folder.startServer(['--data-dir', join(folder.path, 'server')]);
    const env = { SVC_DATA_DIR: join(folder.path, 'another'), SVC_CONFIG_DIR: folder.path };
    const add = ['profiles', 'add', 'my-own', '--base-url', ready.base_url, '--api-key-stdin'];
    expect(await svc(add, { env, input: ready.api_key })).toMatchObject({ code: 0 });

    const { stderr } = await svc(['domains', 'add', 'mail.example.com', '--profile', 'my-own'], { env });

    expect(stderr).toMatch(/svc domains verify mail\.example\.com --profile my-own$/m);
  });

  it('is limited to what a server without the control API supports', async () => {
    const dataDir = join(folder.path, 'server');
    await folder.startServer(['--data-dir', dataDir, '--no-control']);
    const create = ['webhooks', 'create', '--url', 'http://localhost:9/', '--events', 'email.sent', '--secret', 'x'];

    const { code, stderr } = await svc([...create, '--data-dir', dataDir]);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});
