import { Client } from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { openPostgresStore } from '../../src/storage/postgres/store.js';
import { emptyDatabase, type PostgresServer, startPostgres, withoutPostgres } from '../support/postgres.js';
import { storeConformance } from './store-conformance.js';

describe.skipIf(withoutPostgres)(`on a server${withoutPostgres}`, () => {
  let server: PostgresServer;
  let url: string;
  let cleaner: Client;
  beforeAll(async () => {
    server = await startPostgres({ checksPasswords: false });
    url = await server.createDatabase();
    cleaner = new Client(url);
    await cleaner.connect();
  });
  afterAll(async () => {
    await cleaner?.end();
    await server?.remove();
  });

  storeConformance('the PostgreSQL store', { shared: true }, () => {
    let opened = 0;
    return {
      open: () => {
        opened += 1;
        return openPostgresStore(url, { process: `test ${opened}` });
      },
      remove: () => emptyDatabase(cleaner),
    };
  });
});
