import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { svc, temporaryDirectory } from '../support/cli/binary.js';
import { withoutMounts } from './full-disk.js';

/** Tests a disk with room for the database of a server, and for none of its other files. */

const FILES = 64;
/** What SQLite creates next to the database when it is opened: the log and its index. */
const FILES_OF_AN_OPEN_DATABASE = 2;

const folder = temporaryDirectory();
const mounted = mount();

afterAll(() => {
  if (mounted) execFileSync('umount', ['-l', folder.path]);
  folder.remove();
});

// Without a file system of its own, no disk can be filled to the last file.
describe.skipIf(!mounted)(`svc dev on a full disk${mounted ? '' : withoutMounts}`, () => {
  it('reports that and exits, when the database can be opened and server.json cannot be written', async () => {
    const dataDir = join(folder.path, 'data');
    await svc(['emails', 'send', '--to', 'ada@example.test', '--data-dir', dataDir]);
    writeFileSync(join(dataDir, 'server.lock'), '');
    const made = fill();
    for (const file of made.slice(0, FILES_OF_AN_OPEN_DATABASE)) rmSync(file);

    const { code, stdout, stderr } = await svc(['dev', '--http-port', '0', '--smtp-port', '0', '--data-dir', dataDir]);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`The data directory ${dataDir} cannot be written: the disk is full`);
    expect(stderr).toContain('--in-memory');
  });
});

function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=16m,nr_inodes=${FILES}`, 'tmpfs', folder.path], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

/** Creates files until there is room for no other. */
function fill(): string[] {
  const made: string[] = [];
  try {
    for (;;) {
      const file = join(folder.path, `filler-${made.length}`);
      writeFileSync(file, '');
      made.push(file);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    return made;
  }
}
