import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UnusableDatabaseError } from '../../src/storage/common/unusable-database.js';
import { migrate, migrations } from '../../src/storage/sqlite/migrations.js';
import { openSqliteStore } from '../../src/storage/sqlite/store.js';
import { ROOT, svc, temporaryDirectory } from '../support/cli/binary.js';

const SOURCES = join(ROOT, 'src/storage/sqlite');

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

/** Returns the settings of the index of searches. */
function settingsOf(db: Database.Database): { k: string; v: number }[] {
  return db.prepare("SELECT k, v FROM search_config WHERE k <> 'version'").all() as { k: string; v: number }[];
}

/** Returns the statements that create the tables and indexes of a database, without what SQLite creates with them. */
function statementsOf(db: Database.Database): string {
  const statements = db
    .prepare(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'search_*'",
    )
    .pluck()
    .all();
  for (const { k, v } of settingsOf(db)) statements.push(`INSERT INTO search (search, rank) VALUES ('${k}', ${v})`);
  return `-- The schema of a new database. Written by: npx vitest run test/storage/migrations.test.ts -u\nPRAGMA user_version = ${migrations.length};\n${statements.join(';\n')};\n`;
}

function schemaOf(db: Database.Database): unknown[] {
  return db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name').all();
}

/** Columns that a migration removed. */
const DROPPED = new Set(['emails.indexed']);
/** Columns of emails that a migration moved to `bodies`. */
const BODIES = ['text', 'text_key', 'text_size', 'html', 'html_key', 'html_size'];

/** Returns rows with the columns that their emails have in `bodies`. */
function withBodies(table: string, rows: unknown[], bodies: unknown[] = []): unknown[] {
  if (table !== 'emails') return rows;
  return rows.map((row, index) => ({ ...(row as object), ...pick(bodies[index] as Record<string, unknown>, BODIES) }));
}

function pick(row: Record<string, unknown>, names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}

describe('migrating', () => {
  it.each(migrations.map((_, version) => version))(
    'from version %i keeps every row and ends in the same schema',
    (version) => {
      const db = new Database(file);
      if (version > 0) migrate(db, migrations.slice(0, version));
      if (version > 0) fill(db);
      const before = contentOf(db);
      db.close();

      const store = new Database(file);
      migrate(store);

      const after = contentOf(store);
      for (const [table, rows] of Object.entries(before)) {
        if (table === 'email_counts') continue;
        expect(after[table], table).toHaveLength(rows.length);
        const kept = withBodies(table, after[table] ?? [], after.bodies);
        for (const [index, row] of rows.entries()) {
          const expected = Object.entries(row as object).filter(([column]) => !DROPPED.has(`${table}.${column}`));
          expect(kept[index], table).toMatchObject(Object.fromEntries(expected));
        }
      }
      expect(store.pragma('user_version', { simple: true })).toBe(migrations.length);
      expect(store.pragma('foreign_key_check')).toEqual([]);
      expect(store.pragma('integrity_check', { simple: true })).toBe('ok');
      const fresh = new Database(':memory:');
      migrate(fresh);
      expect(schemaOf(store)).toEqual(schemaOf(fresh));
      fresh.close();
      store.close();
    },
  );

  it('gives emails of a later service time an instant of the machine', () => {
    const db = new Database(file);
    migrate(db, migrations.slice(0, 11));
    fill(db);
    db.exec('UPDATE emails SET created_at = 9e14; UPDATE unparsed SET created_at = 9e14');
    migrate(db);
    for (const table of ['emails', 'unparsed']) {
      expect(db.prepare(`SELECT captured_at FROM ${table}`).pluck().get()).toBeLessThan(9e14);
    }
    db.close();
  });

  it('announces each migration of stored emails, and none of a database without them', () => {
    const steps: unknown[] = [];
    const db = new Database(file);
    migrate(db, migrations.slice(0, 5), (step) => steps.push(step));
    migrate(db, migrations.slice(0, 13), (step) => steps.push(step));
    expect(steps).toEqual([]);
    fill(db);
    migrate(db, migrations, (step) => steps.push({ ...step, applied: tablesOf(db).includes('tag_forms') }));
    migrate(db, migrations, (step) => steps.push(step));
    const count = migrations.length - 13;
    // Migration 15, the second one, creates the table.
    const announced = (index: number) => ({ step: index + 1, steps: count, emails: 1, applied: index >= 2 });
    expect(steps).toEqual(Array.from({ length: count }, (_, index) => announced(index)));
    db.close();
  });

  it('restores an index of searches that is missing', () => {
    const db = new Database(file);
    migrate(db, migrations.slice(0, 14));
    db.exec('DROP TABLE search');
    migrate(db);
    expect(db.prepare('SELECT count(*) FROM search').pluck().get()).toBe(0);
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
    expect(db.pragma('user_version', { simple: true })).toBe(migrations.length);
    db.close();
  });

  it('may recreate a table without losing the rows that refer to it', () => {
    const db = new Database(file);
    migrate(db);
    fill(db);
    const made = db.prepare("SELECT sql FROM sqlite_master WHERE name = 'emails'").pluck().get() as string;
    const rebuild = `${made.replace('TABLE "emails"', 'TABLE emails_anew')};
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
    expect(db.pragma('user_version', { simple: true })).toBe(migrations.length);
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
      `${file} was written by a newer version of svc (schema ${migrations.length + 2}; this version supports ${migrations.length}). Update svc.`,
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
    expect(slow.pragma('user_version', { simple: true })).toBe(newer.length);
    slow.close();
    fast.close();
  });
});

describe('the files of the migrations', () => {
  it('are numbered without gaps, and each is listed in order', () => {
    const names = readdirSync(join(SOURCES, 'migrations')).toSorted();
    for (const [index, name] of names.entries()) {
      expect(name).toMatch(/^\d{3}-[a-z0-9]+(-[a-z0-9]+)*\.sql$/);
      expect(Number(name.slice(0, 3))).toBe(index + 1);
      expect(migrations[index], name).toBe(readFileSync(join(SOURCES, 'migrations', name), 'utf8'));
    }
    expect(migrations).toHaveLength(names.length);
  });
});

it('creates the schema of all migrations at once', async () => {
  const migrated = new Database(':memory:');
  migrate(migrated, [...migrations]);
  await expect(statementsOf(migrated)).toMatchFileSnapshot(join(SOURCES, 'schema.sql'));
  expect(Object.values(contentOf(migrated)).flat()).toEqual([]);
  const created = new Database(':memory:');
  migrate(created);
  expect(schemaOf(created)).toEqual(schemaOf(migrated));
  expect(settingsOf(created)).toEqual([{ k: 'deletemerge', v: 50 }]);
  expect(created.pragma('user_version', { simple: true })).toBe(migrations.length);
});
