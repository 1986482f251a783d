import { trimEndOf } from '../../../contract/vocabulary/helpers/trim.js';
import { UsageError } from '../../errors/exit-codes.js';

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
