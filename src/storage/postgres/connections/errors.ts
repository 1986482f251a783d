import { DatabaseUnavailableError, StoreUnavailableError } from '../../../core/store.js';
import type { EngineErrors } from '../../common/commit.js';

/** Describes errors of PostgreSQL and of the connection to it. */

interface Known {
  reason: string;
  advice: string;
}

const REACHABLE = 'Check that PostgreSQL runs, and that the database URL has its host and port.';
const CREDENTIALS = 'Check the user and the password in the database URL, and pg_hba.conf on the server.';
const FREE_SPACE = 'Free disk space on the machine of PostgreSQL.';
const CONNECTIONS = 'Raise max_connections of PostgreSQL, or run fewer replicas.';
const WAIT = 'Wait until PostgreSQL accepts connections again; svc then continues by itself.';

/**
 * Errors of the machine or the connection, not of a statement, by the code of Node.js or PostgreSQL.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const KNOWN: Record<string, Known> = {
  ECONNREFUSED: { reason: 'connection refused', advice: REACHABLE },
  ECONNRESET: { reason: 'the connection was closed', advice: WAIT },
  EPIPE: { reason: 'the connection was closed', advice: WAIT },
  ETIMEDOUT: { reason: 'timed out', advice: REACHABLE },
  EHOSTUNREACH: { reason: 'host unreachable', advice: REACHABLE },
  ENETUNREACH: { reason: 'network unreachable', advice: REACHABLE },
  ENOENT: { reason: 'the socket does not exist', advice: REACHABLE },
  ENOTFOUND: { reason: 'unknown host', advice: REACHABLE },
  EAI_AGAIN: { reason: 'the name of the host cannot be resolved', advice: REACHABLE },
  '28P01': { reason: 'wrong password', advice: CREDENTIALS },
  '28000': { reason: 'the user is not allowed to connect', advice: CREDENTIALS },
  '3D000': { reason: 'the database does not exist', advice: 'Create it with "createdb", or correct the database URL.' },
  '42501': { reason: 'permission denied', advice: 'Make the user the owner of the database.' },
  '53100': { reason: 'the disk is full', advice: FREE_SPACE },
  '53200': { reason: 'PostgreSQL is out of memory', advice: 'Give PostgreSQL more memory.' },
  '53300': { reason: 'too many connections', advice: CONNECTIONS },
  '25006': { reason: 'it is read-only', advice: 'Connect to the primary server, not to a standby.' },
  '57014': {
    reason: 'a statement timed out',
    advice: 'Raise statement_timeout of the user, or give PostgreSQL more CPU.',
  },
  '25P03': { reason: 'a transaction waited too long', advice: WAIT },
  '55P03': { reason: 'another process has locked it', advice: 'Check pg_locks for a session that keeps a lock.' },
  '57P01': { reason: 'PostgreSQL closed the connection', advice: WAIT },
  '57P02': { reason: 'PostgreSQL has crashed', advice: WAIT },
  '57P03': { reason: 'PostgreSQL does not accept connections now', advice: WAIT },
};

/** Classes of errors that concern the connection or the machine: connection, resources, intervention, system. */
const CLASSES = /^(08|53|57|58|40)/;

/** Messages of the driver, which have no code. */
const LOST =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout expired|timeout exceeded)/;

/** Errors of the driver that have no code, and those of Node.js for certificates. */
const OTHERS: readonly [form: RegExp, known: Known][] = [
  [
    /client password must be a/,
    { reason: 'no password was given', advice: 'Add the password to the database URL, or set PGPASSWORD.' },
  ],
  [
    /does not support SSL/,
    { reason: 'it does not offer TLS', advice: 'Enable TLS on PostgreSQL, or remove sslmode from the database URL.' },
  ],
  [
    /^(?:UNABLE_TO_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT_)/,
    {
      reason: 'its certificate is not trusted',
      advice:
        'Add sslrootcert=FILE with its CA to the database URL, and use a host name of the certificate. sslmode=no-verify ' +
        'encrypts without this check.',
    },
  ],
];

export function codeOf(error: unknown): string {
  return (error as { code?: string } | null)?.code ?? '';
}

/** Calls of the system that connections make, unlike files. */
const CONNECTION_CALLS = new Set(['connect', 'read', 'write', 'getaddrinfo']);

function knownOf(error: unknown): Known | undefined {
  // Node.js tries all addresses of a host, and reports an error for each.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const { syscall } = (first ?? {}) as NodeJS.ErrnoException;
  if (syscall !== undefined && !CONNECTION_CALLS.has(syscall)) return undefined;
  const known = KNOWN[codeOf(first)];
  if (known) return known;
  const message = first instanceof Error ? first.message : '';
  if (LOST.test(message)) return { reason: 'the connection was lost', advice: WAIT };
  const other = OTHERS.find(([form]) => form.test(codeOf(first) || message));
  if (other) return other[1];
  return CLASSES.test(codeOf(first)) ? { reason: message, advice: WAIT } : undefined;
}

/** Returns whether a statement waited too long for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** Returns whether PostgreSQL ended a transaction because its process did not continue. */
export function isIdleTimeout(error: unknown): boolean {
  return codeOf(error) === '25P03';
}

/** Returns whether PostgreSQL ended a statement because of its time limit. */
export function isCanceled(error: unknown): boolean {
  return codeOf(error) === '57014';
}

/** Returns whether a statement took too long, or waited too long for a connection of its pool. */
export function isOverTime(error: unknown): boolean {
  return isCanceled(error) || (error instanceof Error && error.message === 'timeout exceeded when trying to connect');
}

export function reasonOf(error: unknown): string {
  return knownOf(error)?.reason ?? (error instanceof Error ? error.message : String(error));
}

export function adviceOf(error: unknown): string | undefined {
  return knownOf(error)?.advice;
}

function unavailable(error: unknown): StoreUnavailableError {
  if (error instanceof StoreUnavailableError) return error;
  return new DatabaseUnavailableError(`Cannot use the database: ${reasonOf(error)}`, { cause: error }, adviceOf(error));
}

/** Converts an error of PostgreSQL to one of the core. Returns any other error unchanged. */
export function named(error: unknown): unknown {
  return knownOf(error) ? unavailable(error) : error;
}

export const postgresErrors: EngineErrors = {
  named,
  unavailable,
  failed: unavailable,
  mustRunAgain: () => false,
};
