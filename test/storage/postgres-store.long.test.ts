import { afterAll, beforeAll, describe, vi } from 'vitest';
import { openPostgresStore } from '../../src/storage/postgres/store.js';
import { type PostgresServer, startPostgres, withoutPostgres } from '../support/postgres.js';
import { storeConformance } from './store-conformance.js';

describe.skipIf(withoutPostgres)(`on a server${withoutPostgres}`, () => {
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

  storeConformance('the PostgreSQL store', { shared: true }, async () => {
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
