import { readFileSync } from 'node:fs';
import type { Client, ClientConfig } from 'pg';
import { fromStored } from '../statements/inserts.js';

/** Milliseconds to wait for a connection. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Milliseconds after which PostgreSQL ends a transaction of a process that no longer answers. */
const IDLE_IN_TRANSACTION_MS = 30_000;

const OID = { bool: 16, bytea: 17, int8: 20, int2: 21, int4: 23, text: 25, float8: 701, varchar: 1043, numeric: 1700 };
const NUMBERS: readonly number[] = [OID.int8, OID.int2, OID.int4, OID.float8, OID.numeric];

/** Reads values of PostgreSQL like those of SQLite: a boolean is 0 or 1, and all numbers are numbers. */
const parsers = {
  getTypeParser: (oid: number) => (value: string) => {
    if (NUMBERS.includes(oid)) return Number(value);
    if (oid === OID.bool) return value === 't' ? 1 : 0;
    if (oid === OID.bytea) return Buffer.from(value.slice(2), 'hex');
    return fromStored(value);
  },
};

/**
 * TLS modes that the driver treats as verify-full, with a warning on stderr that its next version will not. svc verifies
 * certificates in all of them.
 */
const VERIFYING = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;
/** Selects the modes of libpq instead, which verify less. */
const AS_LIBPQ = /[?&]uselibpqcompat=true(?=&|$)/;

/** Returns how to connect to a database. */
export function connectionTo(url: string, applicationName = 'svc'): ClientConfig {
  return {
    connectionString: AS_LIBPQ.test(url) ? url : url.replace(VERIFYING, '$1verify-full'),
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    types: parsers as unknown as NonNullable<ClientConfig['types']>,
  };
}

/** Returns a database as messages name it, without its password. */
export function describeDatabase({ host, port, database, user }: Pick<Client, 'host' | 'port' | 'database' | 'user'>) {
  return `the PostgreSQL database "${database}" on ${host}:${port} as user "${user}"`;
}

const FILE_PARAMETERS = ['sslrootcert', 'sslcert', 'sslkey'];
const FILE_ERRORS: Record<string, string> = {
  EACCES: 'permission denied',
  EISDIR: 'it is a directory',
  ENOENT: 'no such file or directory',
};

/** Describes the first file in a database URL that cannot be read; undefined if all can be read. */
export function unreadableFile(url: string): { message: string; advice: string } | undefined {
  const { searchParams } = new URL(URL.canParse(url) ? url : 'postgres:');
  for (const name of FILE_PARAMETERS) {
    const file = searchParams.get(name);
    if (!file) continue;
    try {
      readFileSync(file);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      return {
        message: `${file}, the ${name} of the database URL, cannot be read: ${FILE_ERRORS[code] ?? code}.`,
        advice: 'Correct its path, and make it readable for the user that runs svc.',
      };
    }
  }
  return undefined;
}
