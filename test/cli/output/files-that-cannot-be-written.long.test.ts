import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BINARY, type RunOptions, svc } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';

/** Tests outputs that refuse svc's writes. */

const KEY = 'svc_test_0123456789abcdef';
const ADD = ['profiles', 'add', 'staging', '--base-url', 'http://127.0.0.1:9/v1', '--api-key-stdin'];

const folder = folderOfEachTest();
const path = (name: string) => join(folder.path, name);
const run = (args: string[], options: RunOptions = {}) =>
  svc(args, { cwd: folder.path, ...options, env: { SVC_DATA_DIR: path('data'), ...options.env } });

/** Runs svc as on a full disk: every write to a file fails. */
async function runOnFullDisk(args: string[], env: Record<string, string>, input = '') {
  const child = execFile('sh', ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, BINARY, ...args], {
    cwd: folder.path,
    env: { ...process.env, ...env },
  });
  let stderr = '';
  child.stderr?.on('data', (text) => {
    stderr += text;
  });
  child.stdin?.end(input);
  const [code] = await once(child, 'close');
  return { code, stderr };
}

describe('on a full disk', () => {
  it('profiles stay unchanged, and no part of the new ones is left', async () => {
    const env = { SVC_CONFIG_DIR: path('config') };
    mkdirSync(env.SVC_CONFIG_DIR);
    const before = '{"current":"local","profiles":{}}';
    writeFileSync(path('config/profiles.json'), before);

    const { code, stderr } = await runOnFullDisk(ADD, env, KEY);

    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('profiles.json cannot be written: ') });
    expect(readdirSync(env.SVC_CONFIG_DIR)).toEqual(['profiles.json']);
    expect(readFileSync(path('config/profiles.json'), 'utf8')).toBe(before);
  });

  it('no part of a record of syncs is left', async () => {
    const { ready } = await folder.startServer(['--data-dir', path('data')]);
    expect(await run(['templates', 'init', 'welcome'])).toMatchObject({ code: 0 });

    const { code, stderr } = await runOnFullDisk(['templates', 'push'], { SVC_DATA_DIR: ready.data_dir ?? '' });

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/Cannot write .*\.svc-sync\.json: /),
    });
    expect(readdirSync(path('templates'))).toEqual(['welcome']);
  });
});

// A file system that cannot create directories, and reports existing ones as missing.
describe.skipIf(!existsSync('/proc/self'))('a directory that cannot be created', () => {
  const NEVER = '/proc/svc/x';

  it.each([
    ['templates pull', ['templates', 'pull', NEVER]],
    ['templates init', ['templates', 'init', 'welcome', NEVER]],
    ['templates render', ['templates', 'render', 'hello', '-o', join(NEVER, 'hello.html')]],
    ['emails get --save', ['emails', 'get', 'latest', '--save', NEVER]],
  ])('is reported by %s', async (_, args) => {
    const template = ['--name', 'hello', '--subject', 'Hi', '--html', 'x'];
    expect(await run(['templates', 'create', ...template])).toMatchObject({ code: 0 });
    expect(await run(['emails', 'send', '--to', 'ada@example.test'])).toMatchObject({ code: 0 });

    const { code, stderr } = await run(args);

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^Error: Cannot write \/proc\/svc\/x.*: /),
    });
  });

  it('is reported for profiles', async () => {
    const { code, stderr } = await run(ADD, { input: KEY, env: { SVC_CONFIG_DIR: NEVER } });

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(`${NEVER}/profiles.json cannot be written: `),
    });
  });
});

it('a directory of profiles is accessible to its owner only, those of templates as the umask allows', async () => {
  await run(ADD, { input: KEY, env: { SVC_CONFIG_DIR: path('config/svc') } });
  await run(['templates', 'init', 'welcome']);
  mkdirSync(path('own'));

  const modeOf = (name: string) => statSync(path(name)).mode;
  expect(modeOf('config/svc') & 0o777).toBe(0o700);
  expect(modeOf('config/svc/profiles.json') & 0o777).toBe(0o600);
  expect(modeOf('templates/welcome')).toBe(modeOf('own'));
});
