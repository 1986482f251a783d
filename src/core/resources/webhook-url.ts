import { type Failure, ServiceError } from '../../contract/vocabulary/errors.js';
import { isLoopback } from '../../contract/vocabulary/parsers/loopback.js';
import { plainHttpProblem } from '../../contract/vocabulary/parsers/webhook-url.js';
import type { CallContext, Core } from '../context.js';

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

/** A host with several labels that is not an IP address. It may end with the dot of the root. */
const PUBLIC_NAME = /\.[a-z][a-z0-9-]*\.?$/;

/**
 * Checks the URL of a subscription. Announces plain http to an allowed host, and any host without a public name.
 * Gaps 40 and 47.
 * @throws ServiceError for plain http to a host that is not allowed; on a strict server, also for what is announced.
 */
export function checkSubscriptionUrl(url: string, context: Pick<CallContext, 'allowedWebhookHosts' | 'warn'>): void {
  checkWebhookHost(url, context, 'url');
  const { protocol, hostname } = new URL(url);
  if (isLoopback(hostname) || (protocol === 'https:' && PUBLIC_NAME.test(hostname))) return;
  const message = context.allowedWebhookHosts.has(hostname)
    ? `${hostname} is allowed by --allow-webhook-host only; the service needs https and a public host`
    : `${hostname} is not a public host name`;
  context.warn({ code: 'webhook_host', path: 'url', message });
}
