import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { BINARY, startDev, temporaryDirectory } from '../support/cli/binary.js';
import { offered } from '../support/cli/completion.js';

/** Tests files that other users of the machine could read, and a database that they could write. */

describe.skipIf(process.platform === 'win32')('what svc creates with permissions for everyone (umask 000)', () => {
  it('is accessible to its owner only: data directory, database, key, profiles, archive and compiled code', async () => {
    const home = temporaryDirectory();
    const run = (args: string[], more: Record<string, string> = {}) => {
      const env = {
        PATH: process.env.PATH,
        HOME: home.path,
        SVC_DATA_DIR: join(home.path, 'data'),
        SVC_CONFIG_DIR: join(home.path, 'profiles'),
        XDG_CACHE_HOME: join(home.path, 'cache'),
        ...more,
      };
      const script = `umask 000; exec "${process.execPath}" "${BINARY}" "$@"`;
      return spawnSync('sh', ['-c', script, 'sh', ...args], { env, cwd: home.path }).status;
    };

    const send = ['emails', 'send', '--to', 'a@x.test', '--from', 'b@x.test', '--subject', 's', '--text', 't'];
    const profile = ['profiles', 'add', 'production', '--base-url', 'https://api.example.test/v1'];
    expect(run(send)).toBe(0);
    expect(run(['dev', 'export', join(home.path, 'state.tar.gz')])).toBe(0);
    expect(run(profile, { SVC_API_KEY: 'svc_live_x' })).toBe(0);

    const open = readdirSync(home.path, { recursive: true, withFileTypes: true })
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => (lstatSync(path).mode & 0o077) !== 0)
      .map((path) => relative(home.path, path));
    home.remove();
    expect(open).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('the socket of --lmtp-socket', () => {
  it.each(['000', '022', '177'])('accepts connections of its owner only, with umask %s', async (umask) => {
    const folder = temporaryDirectory();
    const socket = join(folder.path, 'lmtp.sock');
    const script = `umask ${umask}; exec "${process.execPath}" "${BINARY}" dev --in-memory --http-port 0 --smtp-port 0 --lmtp-socket "${socket}" --json`;
    const child = spawn('sh', ['-c', script], { env: { PATH: process.env.PATH, HOME: folder.path } });
    await once(child.stdout, 'data');
    const mode = lstatSync(socket).mode & 0o777;
    child.kill();
    await once(child, 'exit');
    folder.remove();
    expect(mode.toString(8)).toBe('600');
  });
});

describe('completion from a database that someone has changed', () => {
  it.each<[string, string]>([
    [
      'an endless view',
      "SELECT 'x' AS id, 'evil' AS name, 's' AS subject FROM (WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c)",
    ],
    ['a view of other names', "SELECT 'tpl_x' AS id, 'evil $(id)' AS name, 's' AS subject"],
    ['a view that fails', 'SELECT abs(-9223372036854775808) AS id, 1 AS name'],
  ])('offers only latest with %s, and ends', async (_, view) => {
    const own = temporaryDirectory();
    const env = { SVC_DATA_DIR: own.path };
    await (await startDev(['--data-dir', own.path])).stop();
    const database = new Database(join(own.path, 'mail.db'));
    database.pragma('foreign_keys = off');
    database.exec('ALTER TABLE templates RENAME TO others');
    database.exec(`CREATE VIEW templates AS ${view}`);
    database.close();

    const { code, stderr, names } = await offered(['templates', 'get', ''], { env });
    own.remove();
    expect({ code, stderr, names }).toEqual({
      code: 0,
      stderr: '',
      names: [{ name: 'latest', about: 'the newest one' }],
    });
  });
});
