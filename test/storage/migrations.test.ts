import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lastVersion, UnusableDatabaseError } from '../../src/storage/common/schema-version.js';
import { migrate, migrations } from '../../src/storage/sqlite/migrations.js';
import { openSqliteStore } from '../../src/storage/sqlite/store.js';
import { svc, temporaryDirectory } from '../support/cli/binary.js';

let directory: ReturnType<typeof temporaryDirectory>;
let file: string;

beforeEach(() => {
  directory = temporaryDirectory();
  file = join(directory.path, 'mail.db');
});
afterEach(() => directory.remove());

/** Puts one row into every table of a database, with any columns, parents before those that refer to them. */
function fill(db: Database.Database): void {
  db.pragma('foreign_keys = OFF');
  for (const table of tablesOf(db)) {
    const columns = db.pragma(`table_info(${table})`) as { name: string; type: string; pk: number }[];
    const values = columns.map(({ name, type }, index) => cellOf(name, type, index));
    db.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`).run(...values);
  }
  // Every reference is to the first row of its table.
  expect(db.pragma('foreign_key_check')).toEqual([]);
}

/**
 * Returns a value for a column. Keys are 1 or `one` everywhere, so that references are valid; others differ from each
 * other.
 */
function cellOf(name: string, type: string, index: number): unknown {
  if (type === 'BLOB') return Buffer.from([0, index, 255]);
  if (/(^|_)seq$/.test(name)) return 1;
  if (type === 'INTEGER') return 1_000 + index;
  if (type === 'REAL') return 0.5 + index;
  return /(^|_)id$/.test(name) ? 'one' : `"text ${index}"`;
}

function tablesOf(db: Database.Database): string[] {
  return db
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'search%' ORDER BY name",
    )
    .pluck()
    .all() as string[];
}

function contentOf(db: Database.Database): Record<string, unknown[]> {
  return Object.fromEntries(tablesOf(db).map((table) => [table, db.prepare(`SELECT * FROM ${table}`).all()]));
}

/** Returns everything that a schema has, as SQLite stores it. */
function schemaOf(db: Database.Database): unknown[] {
  return db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name').all();
}

const versionOf = (db: Database.Database) => db.pragma('user_version', { simple: true });
const CURRENT = lastVersion(migrations);

describe('migrating', () => {
  it('of a new database creates the schema, without rows', () => {
    const db = new Database(file);
    migrate(db);
    expect(versionOf(db)).toBe(CURRENT);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(Object.values(contentOf(db)).flat()).toEqual([]);
    expect(db.prepare("SELECT v FROM search_config WHERE k = 'deletemerge'").pluck().get()).toBe(50);
    db.close();
  });

  it('runs the migrations that a database lacks, and keeps its rows', () => {
    const db = new Database(file);
    migrate(db);
    fill(db);
    const before = contentOf(db);
    const newer = [
      ...migrations,
      'ALTER TABLE rules ADD COLUMN note TEXT',
      "UPDATE rules SET note = 'checked'; CREATE TABLE notes (text TEXT) STRICT",
    ];
    migrate(db, newer.slice(0, -1));
    expect(versionOf(db)).toBe(CURRENT + 1);
    migrate(db, newer);
    expect(versionOf(db)).toBe(CURRENT + 2);

    expect(contentOf(db)).toMatchObject({ ...before, rules: [{ note: 'checked' }], notes: [] });
    const fresh = new Database(':memory:');
    migrate(fresh, newer);
    expect(schemaOf(fresh)).toEqual(schemaOf(db));
    fresh.close();
    db.close();
  });

  it('announces each migration of stored emails, and none of a database without them', () => {
    const steps: unknown[] = [];
    const record = (step: object) => steps.push({ ...step, tables: tablesOf(db).filter((name) => /later/.test(name)) });
    const newer = [...migrations, 'CREATE TABLE later_one (x)', 'CREATE TABLE later_two (x)'];
    const db = new Database(file);
    migrate(db, migrations, record);
    migrate(db, newer.slice(0, -1), record);
    expect(steps).toEqual([]);
    fill(db);
    migrate(db, [...newer, 'DROP TABLE later_one'], record);
    expect(steps).toEqual([
      { step: 1, steps: 2, emails: 1, tables: ['later_one'] },
      { step: 2, steps: 2, emails: 1, tables: ['later_one', 'later_two'] },
    ]);
    db.close();
  });

  it('does nothing to a database that is up to date', () => {
    openSqliteStore({ file }).close();
    const before = readFileSync(file);
    openSqliteStore({ file }).close();
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('rolls back a migration that fails, and those before it', () => {
    const db = new Database(file);
    migrate(db);
    fill(db);
    const before = [schemaOf(db), contentOf(db)];
    const failing = [...migrations, 'CREATE TABLE extra (x); DELETE FROM events; CREATE TABLE extra (x);'];
    expect(() => migrate(db, failing)).toThrow('extra');
    expect([schemaOf(db), contentOf(db)]).toEqual(before);
    expect(versionOf(db)).toBe(CURRENT);
    db.close();
  });

  it('may recreate a table without losing the rows that refer to it', () => {
    const db = new Database(file);
    migrate(db);
    fill(db);
    const made = db.prepare("SELECT sql FROM sqlite_master WHERE name = 'emails'").pluck().get() as string;
    const rebuild = `${made.replace('TABLE emails', 'TABLE emails_anew')};
      INSERT INTO emails_anew SELECT * FROM emails;
      DROP TABLE emails;
      ALTER TABLE emails_anew RENAME TO emails;`;
    migrate(db, [...migrations, rebuild]);
    expect(contentOf(db).recipients).toHaveLength(1);
    expect(db.pragma('foreign_keys', { simple: true })).toBe(1);
    db.close();
  });

  it('refuses to leave rows behind with dangling references', () => {
    const db = new Database(file);
    migrate(db);
    fill(db);
    expect(() => migrate(db, [...migrations, 'DELETE FROM emails'])).toThrow('refer to nothing');
    expect(contentOf(db).emails).toHaveLength(1);
    db.close();
  });

  it('of one new file by several processes at once creates one database', async () => {
    // The source is TypeScript and Node runs JavaScript, so the built binary stands for the processes.
    const dataDir = join(directory.path, 'data');
    const runs = await Promise.all(
      Array.from({ length: 4 }, () => svc(['emails', 'list', '--json'], { env: { SVC_DATA_DIR: dataDir } })),
    );
    for (const { code, stderr } of runs) expect(code, stderr).toBe(0);
    const db = new Database(join(dataDir, 'mail.db'), { readonly: true });
    expect(versionOf(db)).toBe(CURRENT);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    db.close();
  });

  it('of one new file by two connections leaves the second with nothing to do', () => {
    const [one, other] = [new Database(file), new Database(file)];
    migrate(one);
    migrate(other);
    expect(schemaOf(one)).toEqual(schemaOf(other));
    one.close();
    other.close();
  });
});

describe('a file that is not svc’s', () => {
  /** Returns the files of the directory with their contents. */
  const snapshot = () =>
    Object.fromEntries(
      readdirSync(directory.path).map((name) => [name, readFileSync(join(directory.path, name), 'hex')]),
    );

  const foreign: [string, (db: Database.Database) => void][] = [
    ['a database of another program', (db) => db.exec('CREATE TABLE notes (text); INSERT INTO notes VALUES (1)')],
    ['one that marked its file and made no table', (db) => db.pragma('application_id = 42')],
    ['one that numbered its file and made no table', (db) => db.pragma('user_version = 1')],
    ['one with tables named like svc’s', (db) => db.exec(migrations[0]!)],
  ];

  it.each(foreign)('is refused and left unchanged: %s', (_, make) => {
    const db = new Database(file);
    make(db);
    db.close();
    const before = snapshot();
    expect(() => openSqliteStore({ file })).toThrow(UnusableDatabaseError);
    expect(() => openSqliteStore({ file })).toThrow(`${file} is a database of another program`);
    expect(snapshot()).toEqual(before);
  });

  it('keeps its journal mode', () => {
    const db = new Database(file);
    db.exec('CREATE TABLE notes (text)');
    db.close();
    expect(() => openSqliteStore({ file })).toThrow(UnusableDatabaseError);
    const again = new Database(file);
    expect(again.pragma('journal_mode', { simple: true })).toBe('delete');
    again.close();
  });

  it('keeps its write-ahead log when its program was killed', () => {
    // Copied while it is open: what a crash leaves behind.
    const live = join(directory.path, 'live.db');
    const db = new Database(live);
    db.pragma('journal_mode = WAL');
    db.exec('CREATE TABLE notes (text); INSERT INTO notes VALUES (1)');
    for (const suffix of ['', '-wal']) copyFileSync(live + suffix, file + suffix);
    db.close();
    const before = [readFileSync(file, 'hex'), readFileSync(`${file}-wal`, 'hex')];
    expect(() => openSqliteStore({ file })).toThrow('of another program');
    expect([readFileSync(file, 'hex'), readFileSync(`${file}-wal`, 'hex')]).toEqual(before);
  });

  it.each([
    ['text', 'Dear diary, '.repeat(1_000)],
    ['a few bytes', 'x'],
    ['the start of a database', 'SQLite format 3\0'],
  ])('is refused and left unchanged: %s', (_, text) => {
    writeFileSync(file, text);
    expect(() => openSqliteStore({ file })).toThrow(UnusableDatabaseError);
    expect(() => openSqliteStore({ file })).toThrow(`Cannot use ${file}: it is not an SQLite database`);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(readdirSync(directory.path)).toEqual(['mail.db']);
  });

  it('is refused when it is a directory', () => {
    mkdirSync(file);
    expect(() => openSqliteStore({ file })).toThrow(UnusableDatabaseError);
  });

  it('is refused by the command, with an explanation and exit code 1', async () => {
    const db = new Database(file);
    db.exec('CREATE TABLE notes (text)');
    db.close();
    const before = readFileSync(file);
    const run = await svc(['dev', '--http-port', '0', '--smtp-port', '0', '--data-dir', directory.path]);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain(`${file} is a database of another program; svc does not change it.`);
    expect(run.stderr).not.toMatch(/^\s+at /m);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('becomes svc’s when it is empty', async () => {
    writeFileSync(file, '');
    const store = openSqliteStore({ file });
    await store.write((tx) => tx.settings.set('a', 'b'));
    expect(await store.read.settings.get('a', String)).toBe('b');
    await store.close();
  });
});

describe('a database of a newer svc', () => {
  it('is refused and left unchanged', () => {
    const db = new Database(file);
    migrate(db, [...migrations, 'CREATE TABLE later (x)', 'INSERT INTO later VALUES (1)']);
    db.pragma('journal_mode = WAL');
    db.close();
    const before = readFileSync(file);
    expect(() => openSqliteStore({ file })).toThrow(
      `${file} was written by a newer version of svc (schema ${CURRENT + 2}; this version supports ${CURRENT}). Update svc.`,
    );
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('is refused even if the newer svc writes it at the last moment', () => {
    const [slow, fast] = [new Database(file, { timeout: 0 }), new Database(file, { timeout: 0 })];
    const newer = [...migrations, 'CREATE TABLE later (x)'];
    const begin = slow.transaction.bind(slow);
    // What another process does between the check of the file and the lock on it.
    slow.transaction = ((work: () => void) => {
      migrate(fast, newer);
      return begin(work);
    }) as unknown as typeof slow.transaction;
    expect(() => migrate(slow)).toThrow('newer version of svc');
    expect(versionOf(slow)).toBe(CURRENT + 1);
    slow.close();
    fast.close();
  });
});

describe('a database of a version before the first release', () => {
  /** Makes one whose process was killed, so that its write-ahead log is left. */
  function makeEarlier(): void {
    const live = join(directory.path, 'live.db');
    const db = new Database(live);
    db.pragma('journal_mode = WAL');
    db.exec("CREATE TABLE emails (seq INTEGER PRIMARY KEY, subject TEXT); INSERT INTO emails VALUES (1, 'Hi')");
    db.pragma('application_id = 0x73766331');
    db.pragma('user_version = 23');
    for (const suffix of ['', '-wal']) copyFileSync(live + suffix, file + suffix);
    db.close();
  }
  const bytes = () => [readFileSync(file, 'hex'), readFileSync(`${file}-wal`, 'hex')];

  it('is refused with both versions and what to do, and left unchanged', () => {
    makeEarlier();
    const before = bytes();
    expect(() => openSqliteStore({ file })).toThrow(
      expect.objectContaining({
        message: `${file} was written by an earlier version of svc (schema 23; this version supports ${CURRENT}).`,
        advice: 'Move the file away, or choose another directory with --data-dir.',
      }),
    );
    expect(bytes()).toEqual(before);
  });

  it('is refused by commands and by the check of the database, and left unchanged', async () => {
    makeEarlier();
    const before = bytes();
    const env = { SVC_DATA_DIR: directory.path };
    for (const args of [['dev', '--http-port', '0', '--smtp-port', '0'], ['emails', 'list'], ['doctor']]) {
      const { code, stdout, stderr } = await svc(args, { env });
      expect(code, args[0]).toBe(1);
      expect(stdout + stderr).toContain('was written by an earlier version of svc (schema 23;');
      expect(stdout + stderr).toContain('Move the file away, or choose another directory with --data-dir.');
    }
    expect(bytes()).toEqual(before);
  });
});
