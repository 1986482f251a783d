import { INBOX_PATH } from '../../../contract/vocabulary/inbox.js';
import { CONTROL_PREFIX, SERVICE_PREFIX } from '../../../contract/vocabulary/routes.js';
import { trimEndOf } from '../../../contract/vocabulary/text.js';
import { UsageError } from '../../errors/exit-codes.js';

/** Defines the flags that name the address at which a proxy serves the server. */

/**
 * Returns the value of --external-url, without a slash at its end. A proxy may serve the server below a path.
 * @throws UsageError unless it is an http or https URL without a user name, a query and a fragment.
 */
export function readExternalUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const complete = url && /^https?:$/.test(url.protocol) && !url.username && !url.password;
  if (complete && !/[?#\s]/.test(text)) return trimEndOf(url.href, '/');
  throw new UsageError(
    '--external-url must be an http or https URL without a user name, a query or a fragment.',
    'Pass the address at which a browser reaches the server, as in --external-url http://localhost:8025.',
  );
}

/** Characters of a base path: those that no part of a URL, a cookie or HTML escapes. */
const BASE_PATH = /^(?:\/[\w~-][\w.~-]*)+$/;
const BASE_PATH_MAX = 200;
/** The first parts of the paths that the server has itself. */
const OWN_PATHS = [
  SERVICE_PREFIX,
  CONTROL_PREFIX,
  INBOX_PATH,
  '/docs',
  '/t',
  '/healthz',
  '/readyz',
  '/metrics',
  '/api',
];

/**
 * Returns the value of --base-path, without a slash at its end.
 * @throws UsageError unless it is a path of plain characters that the server does not have itself.
 */
export function readBasePath(text: string): string {
  const path = trimEndOf(text, '/');
  const form = `--base-path must be a path such as /mail, not ${JSON.stringify(text)}.`;
  if (!BASE_PATH.test(path) || path.length > BASE_PATH_MAX) {
    throw new UsageError(
      form,
      `Begin it with a slash, and use letters, digits, - _ . ~ and at most ${BASE_PATH_MAX} characters. Leave the flag out for none.`,
    );
  }
  const own = OWN_PATHS.find((each) => path === each || path.startsWith(`${each}/`));
  if (own === undefined) return path;
  throw new UsageError(`--base-path must not begin with ${own}, a path of the server itself.`, 'Choose another path.');
}

/**
 * Returns an external URL that ends with the base path.
 * @throws UsageError if it has another path.
 */
export function withBasePath(externalUrl: string, basePath: string): string {
  const { origin, pathname } = new URL(externalUrl);
  if (basePath === '' || pathname === basePath) return externalUrl;
  if (pathname === '/') return origin + basePath;
  throw new UsageError(
    `--external-url has the path ${JSON.stringify(pathname)}, and --base-path is ${basePath}.`,
    `Pass the same path, as in --external-url ${origin}${basePath}.`,
  );
}

/**
 * Returns the base URL as it was given, without a slash at its end.
 * @throws UsageError for an invalid URL. It names `source`, and does not repeat a password.
 */
export function checkBaseUrl(value: string, source: string): string {
  if (URL.canParse(value) && (new URL(value).username || new URL(value).password)) {
    throw new UsageError(`${source} must not contain a user name or password.`, 'Pass the API key in SVC_API_KEY.');
  }
  const given = JSON.stringify(value);
  const form = `${source} must be an http or https URL that ends in ${SERVICE_PREFIX}, not ${given}.`;
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) throw new UsageError(form);
  const advice = `Did you mean ${nearestBaseUrl(new URL(value))}?`;
  if (/[?#]/.test(value)) throw new UsageError(`${source} must be a URL without ? and #, not ${given}.`, advice);
  const address = trimEndOf(value, '/');
  if (!new URL(address).pathname.endsWith(SERVICE_PREFIX)) throw new UsageError(form, advice);
  return address;
}

/** Returns the URL up to the version segment, which is added if it is missing. */
function nearestBaseUrl({ origin, pathname }: URL): string {
  // Another version is not part of the address.
  const path = `${trimEndOf(pathname, '/').replace(/\/v\d+$/, '')}/`;
  const end = path.indexOf(`${SERVICE_PREFIX}/`);
  return origin + path.slice(0, end === -1 ? -1 : end) + SERVICE_PREFIX;
}
