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
  const source = url === env.SVC_DATABASE_URL ? 'SVC_DATABASE_URL' : '--database';
  if (!URL.canParse(url) || !/^postgres(?:ql)?:$/.test(new URL(url).protocol)) {
    throw new UsageError(`${source} must be a URL of PostgreSQL.`, FORM);
  }
  if (isCutShort(new URL(url))) throw new UsageError(`${source} contains a special character in its password.`, FORM);
  return url;
}

/**
 * Returns whether a character of the password ended the host: the rest of the password would be shown as the host or
 * the database.
 */
function isCutShort({ username, pathname, search, searchParams, hash }: URL): boolean {
  if (hash !== '' || pathname.includes('@')) return true;
  return username === '' ? search.includes('@') : [...searchParams.keys()].some((name) => /[@/]/.test(name));
}
