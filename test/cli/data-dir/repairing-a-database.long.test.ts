import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { startDev, svc } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';
import { edit, quarantineOf } from '../../support/storage/damage.js';

const BAD_ROWS = 300;

/** Adds templates that svc cannot read. */
const ADD_BAD_ROWS = `
  WITH RECURSIVE number (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM number WHERE n < ${BAD_ROWS})
  INSERT INTO templates (id, name, subject, created_at, updated_at, text, html)
  SELECT 'tpl_' || n, 'bad ' || n, 'x', -1, -1, 'x', 'x' FROM number`;

/** Commits a change every millisecond, as a busy server does. */
const WRITER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const db = new (require('better-sqlite3'))(workerData);
  db.pragma('synchronous = OFF');
  const write = db.prepare("INSERT OR REPLACE INTO settings VALUES ('busy', hex(randomblob(8)))");
  for (let count = 0; ; count += 1) {
    write.run();
    if (count === 0) parentPort.postMessage('writing');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  }
`;

/** Tests svc doctor on a database with damaged rows, or a damaged file. */

describe('svc doctor', () => {
  const folder = folderOfEachTest();
  const file = () => join(folder.path, 'mail.db');
  const run = (...args: string[]) => svc([...args, '--data-dir', folder.path]);
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args, '--json');
    if (stdout === '') throw new Error(`svc ${args.join(' ')} printed nothing and exited with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  };
  const databaseFinding = async () =>
    (await json('doctor')).findings.find(({ check }: { check: string }) => check === 'database');

  async function damage() {
    await run('templates', 'create', '--name', 'kept', '--subject', 'x', '--html', 'x');
    await run('templates', 'create', '--name', 'bad', '--subject', 'x', '--html', 'x');
    edit(file(), "UPDATE templates SET created_at = -1 WHERE name = 'bad'");
    edit(
      file(),
      "INSERT INTO jobs (kind, run_at, payload, error) VALUES ('email.send', 0, '{}', 'Error: broken\n  at x')",
    );
  }

  it('finds no damaged rows in a database that svc wrote', async () => {
    await run('templates', 'create', '--name', 'kept', '--subject', 'x', '--html', 'x');

    expect(await databaseFinding()).toMatchObject({ ok: true, found: 'no damaged rows' });
  });

  it.each([
    ['without a server', false],
    ['with a running server', true],
  ])('lists damaged rows and failed jobs, and moves them with --repair, %s', async (_, running) => {
    await damage();
    if (running) await folder.startServer();

    const before = await databaseFinding();
    expect(before.found).toContain('1 damaged row and 1 failed job: templates 2 (created_at is not an instant');
    expect(before.found).toContain('jobs 1 (email.send failed: Error: broken)');
    expect(before.fix).toContain('--repair');
    expect((await run('doctor', '--repair')).stderr).toContain('--yes');

    const { repaired, damaged } = await json('doctor', '--repair', '--yes');

    expect(damaged).toEqual([]);
    expect(repaired).toEqual(
      expect.arrayContaining([
        { table: 'templates', key: '2', reason: 'created_at is not an instant from 1970 to 9999' },
        { table: 'jobs', key: '1', reason: 'email.send failed: Error: broken' },
      ]),
    );
    expect(await databaseFinding()).toMatchObject({ ok: true });
    expect(
      quarantineOf(file())
        .map(({ table_name }) => table_name)
        .sort(),
    ).toEqual(['jobs', 'templates']);
    const { templates } = await json('templates', 'list');
    expect(templates).toMatchObject([{ name: 'kept' }]);
  });

  it('repairs a database to which a server keeps writing', async () => {
    await run('templates', 'create', '--name', 'kept', '--subject', 'x', '--html', 'x');
    edit(file(), ADD_BAD_ROWS);
    const writer = new Worker(WRITER, { eval: true, workerData: file() });
    try {
      await once(writer, 'message');
      const { repaired } = await json('doctor', '--repair', '--yes');

      expect(repaired.filter(({ table }: { table: string }) => table === 'templates')).toHaveLength(BAD_ROWS);
    } finally {
      await writer.terminate();
    }
  });

  it('lists rows that the server has already set aside', async () => {
    await damage();
    await json('templates', 'list');

    expect((await databaseFinding()).found).toContain('templates 2');
  });

  it('reports a stored clock that is invalid; every command then uses the machine’s time', async () => {
    await run('templates', 'create', '--name', 'kept', '--subject', 'x', '--html', 'x');
    edit(file(), `INSERT INTO settings VALUES ('clock', '{"offset":0,"frozenAt":-1e17}')`);

    expect((await run('emails', 'list')).code).toBe(0);
    expect((await run('dev', 'reset', '--yes')).code).toBe(0);
    expect((await run('dev', 'clock', 'reset')).code).toBe(0);
    edit(file(), `INSERT OR REPLACE INTO settings VALUES ('clock', '{"offset":1e300}')`);
    expect((await databaseFinding()).found).toContain('settings clock');
  });

  it('does not report the clock as right when the stored one is damaged', async () => {
    await run('templates', 'create', '--name', 'kept', '--subject', 'x', '--html', 'x');
    edit(file(), `INSERT OR REPLACE INTO settings VALUES ('clock', '{"offset":1e300}')`);
    const clock = async () => (await json('doctor')).findings.find(({ check }: { check: string }) => check === 'clock');

    expect(await clock()).toMatchObject({ ok: false, found: expect.stringContaining('stored clock is damaged') });
    await run('doctor', '--repair', '--yes');
    expect(await clock()).toMatchObject({ ok: true });
  });

  it('is suggested by a server that starts with unreviewed rows that were set aside', async () => {
    await damage();
    await json('templates', 'list');
    const startAndStop = async () => {
      const server = await startDev(['--data-dir', folder.path, '--json']);
      await server.stop();
      return server.stderr;
    };

    expect(await startAndStop()).toContain('1 damaged row was set aside earlier and not reviewed. Run: svc doctor');
    await run('doctor', '--repair', '--yes');
    expect(await startAndStop()).toBe('');
  });

  it('is suggested once by a server that finds a damaged row, or a damaged clock at its start', async () => {
    await damage();
    edit(file(), `INSERT OR REPLACE INTO settings VALUES ('clock', '{"offset":1e300}')`);
    const server = await startDev(['--data-dir', folder.path]);
    await run('templates', 'list');
    await run('templates', 'list');
    await server.stop();

    const lines = (await server.stderr).split('\n').filter((line) => line.includes('was set aside'));
    expect(lines).toEqual([
      expect.stringContaining('A damaged row of settings (clock) was set aside'),
      expect.stringContaining('A damaged row of templates (2) was set aside'),
    ]);
  });

  it('reports a damaged file with what to do, and the server answers with the same advice', async () => {
    const content = ['--from', 'app@example.test', '--subject', 'x', '--html', 'x'.repeat(100_000)];
    for (let count = 0; count < 5; count += 1) await run('emails', 'send', '--to', 'ada@example.test', ...content);
    const bytes = readFileSync(file());
    for (let page = 4096 * 8; page < bytes.length; page += 4096) bytes.fill(0xaa, page, page + 4096);
    writeFileSync(file(), bytes);

    const finding = await databaseFinding();
    expect(finding).toMatchObject({ ok: false, fix: expect.stringContaining('svc dev import') });
    expect(finding.found).toMatch(/mail\.db (is damaged|cannot be checked): /);
    const { code, stderr } = await run('emails', 'list');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/damaged|malformed/) });
    expect(stderr).not.toContain('The server failed.');
  });
});
