import { type Failure, ServiceError } from '../../contract/vocabulary/errors.js';
import { plainHttpProblem } from '../../contract/vocabulary/parsers/webhook-url.js';
import type { Core } from '../context.js';

/**
 * Checks the host of a URL to post to, which depends on the server's settings.
 * @param path the field or parameter, for the error
 * @throws ServiceError for plain http to a host that is neither loopback nor allowed. Gaps 21 and 47.
 */
export function checkWebhookHost(
  url: string,
  { allowedWebhookHosts }: Pick<Core, 'allowedWebhookHosts'>,
  path: string,
  failure: Failure = 'invalid',
): void {
  const message = plainHttpProblem(url, allowedWebhookHosts);
  if (message === undefined) return;
  const hint = `To allow this host, start the local server with "svc dev --allow-webhook-host ${new URL(url).hostname}".`;
  throw new ServiceError(failure, `${path}: ${message}`, [{ path, message }], hint);
}
