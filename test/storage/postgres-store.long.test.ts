import { afterAll, beforeAll, describe } from 'vitest';
import { openPostgresStore } from '../../src/storage/postgres/store.js';
import { emptyDatabase, type PostgresServer, startPostgres, withoutPostgres } from '../support/postgres.js';
import { storeConformance } from './store-conformance.js';

describe.skipIf(withoutPostgres)(`on a server${withoutPostgres}`, () => {
  let server: PostgresServer;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres();
    url = await server.createDatabase();
  });
  afterAll(() => server.remove());

  storeConformance('the PostgreSQL store', { shared: true }, () => {
    let opened = 0;
    return {
      open: () => {
        opened += 1;
        return openPostgresStore(url, { process: `test ${opened}` });
      },
      remove: () => emptyDatabase(url),
    };
  });
});
