import { afterAll, beforeAll, describe } from 'vitest';
import { openPostgresStore } from '../../src/storage/postgres/store.js';
import { type PostgresServer, startPostgres, withoutPostgres } from '../support/postgres.js';
import { searchCases } from './stored-cases.js';

describe.skipIf(withoutPostgres)(`in PostgreSQL${withoutPostgres}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  searchCases(async () => openPostgresStore(await server.createDatabase(), { process: 'test' }));
});
