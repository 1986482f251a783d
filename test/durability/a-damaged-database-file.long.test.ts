import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { svc } from '../support/cli/binary.js';
import { folderOfEachTest } from '../support/each-test.js';
import { data, request } from '../support/servers/server-calls.js';
import { integrityOf } from './integrity.js';

/** Tests database files of which a disk has lost parts. */

const PAGE_BYTES = 4096;
const ADVICE = 'move mail.db, mail.db-wal and mail.db-shm to another directory';

describe('a damaged database file', () => {
  const folder = folderOfEachTest();
  const file = () => join(folder.path, 'mail.db');
  const run = (...args: string[]) => svc([...args, '--data-dir', folder.path]);
  const send = () => run('emails', 'send', '--to', 'ada@example.test', '--subject', 'kept', '--html', 'x');

  beforeEach(async () => {
    await run('templates', 'create', '--name', 'welcome', '--subject', 'x', '--html', 'x');
    expect((await send()).code).toBe(0);
  });

  /** Overwrites bytes of the file, and returns its new content. */
  function damage(change: (bytes: Buffer) => Buffer): Buffer {
    const bytes = change(readFileSync(file()));
    writeFileSync(file(), bytes);
    return bytes;
  }
  function overwriteTable(table: string): Buffer {
    const db = new Database(file(), { readonly: true });
    const page = db.prepare('SELECT rootpage FROM sqlite_master WHERE name = ?').pluck().get(table) as number;
    db.close();
    return damage((bytes) => bytes.fill(0xaa, (page - 1) * PAGE_BYTES, page * PAGE_BYTES));
  }

  it.each([
    ['without its header', () => damage((bytes) => bytes.fill(0xaa, 0, 100)), 'it is not an SQLite database'],
    ['that is all zeros', () => damage((bytes) => bytes.fill(0)), 'it is not an SQLite database'],
    ['without its schema', () => damage((bytes) => bytes.fill(0xaa, 100, PAGE_BYTES)), 'malformed'],
    ['that was cut in half', () => damage((bytes) => bytes.subarray(0, bytes.length / 2)), 'malformed'],
    ['without its events', () => overwriteTable('events'), 'The database is damaged'],
  ])('%s is refused with what to do, and left as it is', async (_, makeDamage, reason) => {
    const left = makeDamage();

    for (const command of [
      ['dev', '--http-port', '0', '--smtp-port', '0'],
      ['emails', 'list'],
      ['dev', 'reset', '--yes'],
    ]) {
      const { code, stderr } = await run(...command);
      expect({ command, code, stderr }).toEqual({ command, code: 1, stderr: expect.stringContaining(reason) });
      expect(stderr).toContain(ADVICE);
    }
    expect((await run('doctor')).stdout).toContain(ADVICE);
    expect(readFileSync(file()).equals(left)).toBe(true);
  });

  it('can be replaced by following the advice, with the emails of an export', async () => {
    const archive = join(folder.path, 'export.tar.gz');
    expect((await run('dev', 'export', archive)).code).toBe(0);
    damage((bytes) => bytes.fill(0xaa, 0, 100));
    expect((await run('emails', 'list')).stderr).toContain(ADVICE);

    mkdirSync(join(folder.path, 'moved'));
    renameSync(file(), join(folder.path, 'moved', 'mail.db'));
    expect((await run('dev', 'import', archive, '--yes')).code).toBe(0);

    const { ready } = await folder.startServer();
    expect((await data(ready, '/v1/emails')).emails).toMatchObject([{ subject: 'kept' }]);
    expect(integrityOf(folder.path)).toBe('ok');
  });

  it('without its emails still serves the rest, and answers calls about emails with what to do', async () => {
    overwriteTable('emails');

    const { ready, stop, stderr } = await folder.startServer();

    expect((await data(ready, '/v1/templates')).templates).toMatchObject([{ name: 'welcome' }]);
    const mail = { from: 'shop@example.test', to: ['ada@example.test'], subject: 'x', html: 'x' };
    for (const response of [
      await request(ready, '/v1/emails'),
      await request(ready, '/v1/emails', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(mail),
      }),
    ]) {
      expect(response.status).toBe(500);
      expect(await response.json()).toMatchObject({ error: { hint: expect.stringContaining(ADVICE) } });
    }
    expect(await stop()).toBe(0);
    expect(await stderr).not.toContain('    at ');
  });
});
