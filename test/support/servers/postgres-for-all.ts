import type { TestProject } from 'vitest/node';
import { openPostgresStore } from '../../../src/storage/postgres/store.js';
import { startPostgres } from '../postgres.js';

/** Starts a PostgreSQL server for all tests of a run with SVC_TEST_STORAGE=postgres. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // It would record tables that were emptied as empty, and PostgreSQL would plan for that.
  const server = await startPostgres({ checksPasswords: false, settings: ['autovacuum=off'] });
  const url = await server.createDatabase();
  await (await openPostgresStore(url, { process: 'template' })).close();
  project.provide('postgres', { admin: server.url('postgres'), template: new URL(url).pathname.slice(1) });
  return () => server.remove();
}
