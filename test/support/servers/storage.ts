import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import type { AppOptions } from '../../../src/app/app.js';
import { emptyDatabase, runIn } from '../postgres.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of a PostgreSQL server's administrative database, and the name of a database to copy. */
    postgres: { admin: string; template: string };
  }
}

/** Chooses the storage of apps under test: SVC_TEST_STORAGE=postgres gives each its own database instead of memory. */
export const isOnPostgres = process.env.SVC_TEST_STORAGE === 'postgres';

interface AppDatabase {
  url: string;
  /** Empties the database. A connection that is new reads the definitions of all tables first. */
  cleaner: Client;
}

/** Databases whose app was closed, for the next apps. */
const unused: AppDatabase[] = [];

/** Returns the storage of an app under test, and what to do after it was closed. */
export async function storageFor(
  storage: AppOptions['storage'],
): Promise<{ storage: AppOptions['storage']; discard(): Promise<void> }> {
  if (!isOnPostgres || storage !== 'memory') return { storage, discard: async () => {} };
  const database = unused.pop() ?? (await createDatabase());
  return {
    storage: { postgres: database.url },
    async discard() {
      await emptyDatabase(database.cleaner);
      unused.push(database);
    },
  };
}

async function createDatabase(): Promise<AppDatabase> {
  const { admin, template } = inject('postgres');
  const name = `app_${randomBytes(8).toString('hex')}`;
  await runIn(admin, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = Object.assign(new URL(admin), { pathname: name }).href;
  const cleaner = new Client(url);
  await cleaner.connect();
  return { url, cleaner };
}
