import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenedStore, openStore } from '../../../src/app/base.js';
import { createIds } from '../../../src/clock/ids.js';
import { type PostgresServer, startPostgres, withoutPostgres } from '../../support/postgres.js';
import { attachment, emailOf, recipientOf } from '../records.js';

/** The tables with rows of an email, and the column with its number. */
const DEPENDENT = {
  ...{ recipients: 'email_seq', tags: 'email_seq', attachments: 'email_seq', bodies: 'email_seq' },
  ...{ email_warnings: 'email_seq', email_extracts: 'email_seq', releases: 'email_seq' },
  ...{ unindexed: 'seq', search: 'seq' },
};
const COUNT = 8;

describe.skipIf(withoutPostgres)(`deleting many emails on PostgreSQL${withoutPostgres}`, () => {
  let server: PostgresServer;
  let store: OpenedStore;
  let client: Client;

  beforeAll(async () => {
    server = await startPostgres();
    const url = await server.createDatabase();
    store = await openStore({ storage: { postgres: url } }, createIds(), () => {});
    client = new Client(url);
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await store.close();
    await server.remove();
  });

  it('finds their rows by indexes, also with plans for small tables without statistics', async () => {
    await store.write(async (tx) => {
      for (let n = 1; n <= COUNT; n += 1) {
        const id = `msg_${n}`;
        const shown = n % 2 === 0 ? { htmlText: '', headers: [] } : undefined;
        await tx.emails.insert(emailOf(id), [recipientOf('ada@example.test')], [attachment], shown);
        await tx.emails.warn(id, { code: 'content_cut', path: '', message: 'cut' });
      }
    });
    const read = `SELECT relname, seq_scan FROM pg_stat_xact_user_tables WHERE relname = ANY ($1) AND seq_scan > 0`;

    await client.query('BEGIN');
    const { rowCount } = await client.query(`DELETE FROM emails WHERE seq < ${COUNT}`);
    const { rows } = await client.query(read, [Object.keys(DEPENDENT)]);
    await client.query('COMMIT');

    expect({ rowCount, rows }).toEqual({ rowCount: COUNT - 1, rows: [] });
    for (const [table, column] of Object.entries(DEPENDENT)) {
      const left = await client.query(`SELECT DISTINCT ${column}::int AS seq FROM ${table} WHERE ${column} < ${COUNT}`);
      expect({ table, rows: left.rows }).toEqual({ table, rows: [] });
    }
    expect(await store.read.emails.recipients(`msg_${COUNT}`)).toHaveLength(1);
  });
});
