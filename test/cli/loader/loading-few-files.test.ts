import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ROOT, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { traceLoads } from '../../support/cli/bundle.js';

/** Tests that a command reads few files, because each takes time. */

/** More than any command needs, and far fewer than the modules of a command with a server. */
const FILES_MAX = 40;

let folder: ReturnType<typeof temporaryDirectory>;

beforeEach(() => {
  folder = temporaryDirectory();
});
afterEach(() => folder.remove());

it.each([
  ['a server of its own', ['dev', 'exec', '--fresh', '--', 'true']],
  ['a server in its process', ['emails', 'list']],
  ['no server', ['profiles', 'list']],
])('a command with %s reads few files of the bundle', async (_, args) => {
  const { env, files } = traceLoads(folder.path);

  const { code } = await svc(args, { env: { ...env, SVC_DATA_DIR: `${folder.path}/data` } });

  expect(code).toBe(0);
  const loaded = files().filter((file) => file.includes('/dist/'));
  expect(loaded.length).toBeGreaterThan(2);
  expect(loaded.length).toBeLessThan(FILES_MAX);
});

it('svc --version reads its own module only, and not that of all commands', async () => {
  const { env, files } = traceLoads(folder.path);

  await svc(['--version'], { env });

  expect(files().filter((file) => file.includes('/dist/pack.js'))).toEqual([]);
});

it('a clone that is not built, or only in part, names the command that builds it', () => {
  cpSync(join(ROOT, 'bin'), join(folder.path, 'bin'), { recursive: true });
  const run = () => spawnSync(process.execPath, [join(folder.path, 'bin/run.js')], { encoding: 'utf8' });
  const expected = { status: 1, stderr: `Error: svc is not built.\nRun "npm run build" in ${folder.path}.\n` };

  expect(run()).toMatchObject(expected);
  mkdirSync(join(folder.path, 'dist'));
  writeFileSync(join(folder.path, 'dist/loader.js'), '');
  expect(run()).toMatchObject(expected);
});
