import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import type { AppOptions } from '../../../src/app/app.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of a PostgreSQL server's administrative database, and the name of a database to copy. */
    postgres: { admin: string; template: string };
  }
}

/** Chooses the storage of apps under test: SVC_TEST_STORAGE=postgres gives each its own database instead of memory. */
export const isOnPostgres = process.env.SVC_TEST_STORAGE === 'postgres';

/** Returns the storage of an app under test, and what to do after it was closed. */
export async function storageFor(
  storage: AppOptions['storage'],
): Promise<{ storage: AppOptions['storage']; discard(): Promise<void> }> {
  if (!isOnPostgres || storage !== 'memory') return { storage, discard: async () => {} };
  const { admin, template } = inject('postgres');
  const name = `app_${randomBytes(8).toString('hex')}`;
  await run(admin, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(admin);
  url.pathname = name;
  return {
    storage: { postgres: url.href },
    discard: () => run(admin, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function run(url: string, statement: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
