import { afterAll, beforeAll, describe, vi } from 'vitest';
import { openPostgresStore } from '../../src/storage/postgres/store.js';
import { type PostgresServer, postgresPrograms, startPostgres, WITHOUT_POSTGRES } from '../support/postgres.js';
import { storeConformance } from './store-conformance.js';

describe.skipIf(!postgresPrograms())(`on a server${postgresPrograms() ? '' : ` (${WITHOUT_POSTGRES})`}`, () => {
  let server: PostgresServer;
  let template: string;
  vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
  beforeAll(async () => {
    server = await startPostgres();
    const url = await server.createDatabase();
    template = new URL(url).pathname.slice(1);
    await (await openPostgresStore(url, { process: 'template' })).close();
  }, 60_000);
  afterAll(() => server.remove());

  storeConformance('the PostgreSQL store', { shared: true, archives: false }, async () => {
    const url = await server.createDatabase(template);
    let opened = 0;
    return {
      open: () => {
        opened += 1;
        return openPostgresStore(url, { process: `test ${opened}` });
      },
      // The server is deleted with its databases.
      remove: () => {},
    };
  });
});
