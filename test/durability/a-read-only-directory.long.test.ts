import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { svc, temporaryDirectory } from '../support/cli/binary.js';
import { withoutMounts } from './full-disk.js';
import { integrityOf } from './integrity.js';

/** Tests a read-only file system, because root may write in spite of the permissions of files. */

let folder: ReturnType<typeof temporaryDirectory>;
let dataDir: string;
let isMounted = false;

beforeEach((context) => {
  folder = temporaryDirectory();
  const disk = join(folder.path, 'disk');
  dataDir = join(disk, 'data');
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk], { stdio: 'ignore' });
    isMounted = true;
  } catch {
    context.skip(withoutMounts);
  }
});
afterEach(() => {
  if (isMounted) execFileSync('umount', ['-l', join(folder.path, 'disk')]);
  isMounted = false;
  folder.remove();
});

const remount = (mode: 'ro' | 'rw') => execFileSync('mount', ['-o', `remount,${mode}`, join(folder.path, 'disk')]);
const run = (...args: string[]) => svc([...args, '--data-dir', dataDir]);
const send = () => run('emails', 'send', '--to', 'ada@example.test', '--from', 'shop@example.test');

it('is the reason that every command gives, and that svc doctor gives with no advice for a damaged file', async () => {
  expect((await send()).code).toBe(0);
  remount('ro');

  const reason = 'the file system is read-only';
  for (const command of [
    ['dev', '--http-port', '0', '--smtp-port', '0'],
    ['emails', 'list'],
    ['emails', 'send', '--to', 'ada@example.test'],
  ]) {
    const { code, stderr } = await run(...command);
    expect({ command, code, stderr }).toEqual({ command, code: 1, stderr: expect.stringContaining(reason) });
  }
  const { findings } = JSON.parse((await run('doctor', '--json')).stdout);
  const database = findings.find(({ check }: { check: string }) => check === 'database');
  expect(database).toMatchObject({
    ok: false,
    found: expect.stringContaining(reason),
    fix: 'Make the server’s data directory writable.',
  });

  remount('rw');
  expect((await send()).code).toBe(0);
  expect(JSON.parse((await run('emails', 'list', '--json')).stdout).pagination.total).toBe(2);
  expect(integrityOf(dataDir)).toBe('ok');
});
