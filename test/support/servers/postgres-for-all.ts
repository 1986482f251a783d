import type { TestProject } from 'vitest/node';
import { openPostgresStore } from '../../../src/storage/postgres/store.js';
import { startPostgres } from '../postgres.js';

/** Starts a PostgreSQL server for all tests of a run with SVC_TEST_STORAGE=postgres. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Statistics of tables that were emptied would be those of tables that stay empty.
  const server = await startPostgres({ settings: ['autovacuum=off'] });
  const url = await server.createDatabase();
  await (await openPostgresStore(url, { process: 'template' })).close();
  project.provide('postgres', { admin: server.url('postgres'), template: new URL(url).pathname.slice(1) });
  return () => server.remove();
}
