import { UsageError } from '../../errors/exit-codes.js';

const FORM =
  'Use the form postgres://user:password@host:5432/database. Percent-encode special characters of the user and the ' +
  'password: %40 for @, %2F for /, %23 for #, %3F for ?.';

/**
 * Returns the URL of a PostgreSQL database; undefined without one.
 * @throws UsageError for another text. The message does not repeat it, because it may contain a password.
 */
export function readDatabaseUrl(url: string | undefined, env: NodeJS.ProcessEnv): string | undefined {
  if (!url) return undefined;
  const source = sourceOf(url, env);
  if (!URL.canParse(url) || !/^postgres(?:ql)?:$/.test(new URL(url).protocol)) {
    throw new UsageError(`${source} must be a URL of PostgreSQL.`, FORM);
  }
  if (isCutShort(new URL(url))) throw new UsageError(`${source} contains a special character in its password.`, FORM);
  checkParameters(new URL(url), source);
  return url;
}

/** Returns the flag or the variable that a database URL comes from. */
export function sourceOf(url: string, env: NodeJS.ProcessEnv): string {
  return url === env.SVC_DATABASE_URL ? 'SVC_DATABASE_URL' : '--database';
}

/** Parameters that the driver uses, as the advice lists them. */
const ADVISED = [
  ...['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation'],
  ...['application_name', 'options', 'statement_timeout'],
];
/** All that it uses. It ignores any other. */
const PARAMETERS = [
  ...ADVISED,
  ...['ssl', 'uselibpqcompat', 'host', 'port', 'user', 'password', 'fallback_application_name', 'client_encoding'],
  ...['query_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'],
];
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** @throws UsageError for what the driver would ignore: the connection might be less secure than the URL demands. */
function checkParameters({ searchParams }: URL, source: string): void {
  const unknown = [...searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(
      `${source} has the unknown parameter ${JSON.stringify(unknown)}.`,
      `Use parameters of this list: ${ADVISED.join(', ')}.`,
    );
  }
  const mode = searchParams.get('sslmode');
  if (mode === null || SSL_MODES.includes(mode)) return;
  throw new UsageError(
    `The sslmode of ${source} must be one of ${SSL_MODES.join(', ')}, not ${JSON.stringify(mode)}.`,
    'Use sslmode=verify-full for a connection with TLS whose certificate is verified.',
  );
}

/**
 * Returns whether a character of the password ended the host: the rest of the password would be shown as the host or
 * the database.
 */
function isCutShort({ username, pathname, search, searchParams, hash }: URL): boolean {
  if (hash !== '' || pathname.includes('@')) return true;
  if (username === '') return search.includes('@');
  const names = [...searchParams.keys()];
  if (names.some((name) => !PARAMETERS.includes(name)) && search.includes('@')) return true;
  return names.some((name) => /[@/]/.test(name));
}
