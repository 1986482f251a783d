import { Client, type ClientBase } from 'pg';
import {
  FIRST_VERSION,
  lastVersion,
  missingMigrations,
  refuseOtherVersions,
  UnusableDatabaseError,
} from '../common/schema-version.js';
import { connectionTo, describeDatabase, unreadableFile } from './connections/database-url.js';
import { adviceOf, codeOf, reasonOf } from './connections/errors.js';
import schema from './schema.sql';

/** A change of the schema. The first one creates it, with version 100. A released migration never changes. */
export interface Migration {
  sql: string;
  /** The first schema version whose programs can still use the database: those of a rolling upgrade run side by side. */
  compatibleFrom: number;
}

const migrations: readonly Migration[] = [{ sql: schema, compatibleFrom: FIRST_VERSION }];

const EARLIER_ADVICE = 'Create an empty database, and set its URL.';

/** The key of the advisory lock under which processes migrate one after the other ("svc1"). */
const LOCK = 0x73766331;
const VERSION_MIN = 130_000;
const TRIGRAMS_ADVICE =
  'Install PostgreSQL’s extension pg_trgm (in Debian, the package "postgresql-contrib" or "postgresql"), and allow ' +
  'the user to create it: GRANT CREATE ON DATABASE.';

/**
 * Migrates a database to the current schema, or checks that its schema can be used.
 * @throws UnusableDatabaseError with the database and the reason, never with a password.
 */
export async function migrate(url: string, known: readonly Migration[] = migrations): Promise<void> {
  const client = clientFor(url);
  // The error of a lost connection reaches the statement that is under way.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await migrateWith(client, known);
  } catch (error) {
    if (error instanceof UnusableDatabaseError) throw error;
    throw new UnusableDatabaseError(
      `Cannot use ${describeDatabase(client)}: ${reasonOf(error)}.`,
      { cause: error },
      adviceOf(error),
    );
  } finally {
    await client.end().catch(() => {});
  }
}

function clientFor(url: string): Client {
  try {
    return new Client(connectionTo(url));
  } catch (error) {
    const file = unreadableFile(url);
    if (file) throw new UnusableDatabaseError(file.message, { cause: error }, file.advice);
    throw new UnusableDatabaseError(
      'The database URL is invalid.',
      { cause: error },
      'Use the form postgres://user:password@host:5432/database.',
    );
  }
}

async function migrateWith(client: Client, known: readonly Migration[]): Promise<void> {
  const database = describeDatabase(client);
  await requireServer(client, database);
  const { version, compatibleFrom } = await versionOf(client, database);
  refuseOtherVersions({ name: database, version, compatibleFrom }, known, EARLIER_ADVICE);
  const missing = missingMigrations(known, version);
  if (missing.length === 0) return;
  await client.query('BEGIN');
  if (version === 0) await createVersionTable(client);
  for (const [index, { sql, compatibleFrom: from }] of missing.entries()) {
    await client.query(sql);
    const number = lastVersion(known) - missing.length + 1 + index;
    await client.query('INSERT INTO schema_version (version, compatible_from) VALUES ($1, $2)', [number, from]);
  }
  await client.query('COMMIT');
}

async function requireServer(client: ClientBase, database: string): Promise<void> {
  const { rows } = await client.query(
    "SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding",
  );
  const { version, encoding } = rows[0] as { version: string; encoding: string };
  if (Number(version) < VERSION_MIN) {
    throw new UnusableDatabaseError(
      `Cannot use ${database}: PostgreSQL is too old.`,
      {},
      'Use PostgreSQL 13 or newer.',
    );
  }
  if (encoding !== 'UTF8') {
    throw new UnusableDatabaseError(
      `Cannot use ${database}: its encoding is ${encoding}.`,
      {},
      'Create the database with the encoding UTF8: createdb --encoding UTF8 --template template0.',
    );
  }
}

/** Returns the version of a schema; 0 for an empty database. */
async function versionOf(client: ClientBase, database: string): Promise<{ version: number; compatibleFrom: number }> {
  const tables = await client.query('SELECT tablename FROM pg_tables WHERE schemaname = current_schema()');
  const names = tables.rows.map(({ tablename }) => tablename as string);
  if (names.length === 0) return { version: 0, compatibleFrom: 0 };
  if (!names.includes('schema_version') || !names.includes('ledger')) {
    throw new UnusableDatabaseError(`${database} is a database of another program; svc does not change it.`);
  }
  const { rows } = await client.query(
    'SELECT version, compatible_from FROM schema_version ORDER BY version DESC LIMIT 1',
  );
  const { version, compatible_from } = rows[0] as { version: number; compatible_from: number };
  return { version, compatibleFrom: compatible_from };
}

async function createVersionTable(client: ClientBase): Promise<void> {
  try {
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
  } catch (error) {
    // The file of the extension is missing, or the user may not create it.
    if (!['58P01', '0A000', '42501'].includes(codeOf(error))) throw error;
    throw new UnusableDatabaseError(
      `Cannot use ${describeDatabase(client as Client)}: the extension pg_trgm cannot be created.`,
      { cause: error },
      TRIGRAMS_ADVICE,
    );
  }
  await client.query(
    'CREATE TABLE schema_version (version BIGINT PRIMARY KEY, compatible_from BIGINT NOT NULL, migrated_at TIMESTAMPTZ NOT NULL DEFAULT now())',
  );
}
