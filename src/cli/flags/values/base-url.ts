import { trimEndOf } from '../../../contract/vocabulary/helpers/trim.js';
import { SERVICE_PREFIX } from '../../../contract/vocabulary/routes.js';
import { UsageError } from '../../errors/exit-codes.js';

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
