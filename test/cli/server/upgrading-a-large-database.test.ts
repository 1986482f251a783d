import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { describeMigration } from '../../../src/cli/server/migration-message.js';
import { migrate, migrations } from '../../../src/storage/sqlite/migrations.js';
import { svc } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';

const EMAILS = 10_000;
const ANNOUNCED = 'Upgrading the database of 10,000 emails. This can take minutes.\n';

describe('a database of many emails that an older version wrote', () => {
  const folder = folderOfEachTest();

  beforeEach(() => {
    mkdirSync(folder.path, { recursive: true, mode: 0o700 });
    const db = new Database(join(folder.path, 'mail.db'));
    migrate(db, migrations.slice(0, -1));
    fillEmails(db);
    db.close();
  });

  it('is announced by a server in the background', async () => {
    const env = { SVC_DATA_DIR: folder.path };
    const { code, stderr } = await svc(['dev', '--detach', '--http-port', '0', '--smtp-port', '0'], { env });
    await svc(['dev', 'stop'], { env });
    expect(code, stderr).toBe(0);
    expect(stderr.startsWith(ANNOUNCED), stderr).toBe(true);
  });

  it('is announced by a command in-process, once', async () => {
    const run = () => svc(['templates', 'list', '--json'], { env: { SVC_DATA_DIR: folder.path } });
    expect(await run()).toMatchObject({ code: 0, stderr: ANNOUNCED });
    expect(await run()).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('the line about a migration', () => {
  it('has the number of several steps, and is left out for few emails', () => {
    expect(describeMigration({ step: 2, steps: 3, emails: 1_000_000 })).toBe(
      'Upgrading the database of 1,000,000 emails. This can take minutes. Step 2 of 3.',
    );
    expect(describeMigration({ step: 1, steps: 1, emails: EMAILS - 1 })).toBeUndefined();
  });
});

/** Adds emails with the least that the table requires. */
function fillEmails(db: Database.Database): void {
  const columns = (db.pragma('table_info(emails)') as Column[]).filter(
    ({ name, notnull, dflt_value }) => name === 'seq' || (notnull === 1 && dflt_value === null),
  );
  const sqlValueOf = ({ name, type }: Column) => {
    if (name === 'seq') return 'n';
    return name === 'id' ? "'msg_' || n" : type === 'INTEGER' ? '1' : "''";
  };
  db.exec(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${EMAILS})
    INSERT INTO emails (${columns.map(({ name }) => name).join(', ')})
    SELECT ${columns.map(sqlValueOf).join(', ')} FROM numbers`);
}

interface Column {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
}
