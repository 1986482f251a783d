import { isLoopback } from '../../contract/vocabulary/domains.js';
import { type Failure, ServiceError } from '../../contract/vocabulary/errors.js';
import { plainHttpProblem } from '../../contract/vocabulary/webhooks/url.js';
import type { CallContext, Core } from '../context.js';
import { loopbackProblem, type OutboundHosts, toAllowHost } from './outbound-hosts.js';

/**
 * Checks the host of a URL to post to, which depends on the server's settings.
 * @param path the field or parameter, for the error
 * @throws ServiceError for plain http to a host that is neither loopback nor allowed, and for loopback on a server for a
 * team that does not allow it. Gaps 21 and 47.
 */
export function checkWebhookHost(
  url: string,
  { access, outboundHosts }: Pick<Core, 'access' | 'outboundHosts'>,
  path: string,
  failure: Failure = 'invalid',
): void {
  const message = webhookHostProblem(url, outboundHosts);
  if (message === undefined) return;
  const { hostname } = new URL(url);
  const hint =
    access === 'team'
      ? `To allow this host, ${toAllowHost(hostname)}.`
      : `To allow this host, start the local server with "svc dev --allow-webhook-host ${hostname}".`;
  throw new ServiceError(failure, `${path}: ${message}`, [{ path, message }], hint);
}

/** Returns why webhooks must not be posted to a URL, before its host is looked up; undefined if they may be. */
export function webhookHostProblem(url: string, hosts: OutboundHosts): string | undefined {
  const { hostname } = new URL(url);
  if (hosts.allowed.has(hostname)) return undefined;
  const problem = loopbackProblem(hostname, hosts) ?? plainHttpProblem(url);
  return problem === undefined || hosts.loopback || isLoopback(hostname) ? problem : 'must be https';
}

/** A host with several labels that is not an IP address. It may end with the dot of the root. */
const PUBLIC_NAME = /\.[a-z][a-z0-9-]*\.?$/;

/**
 * Checks the URL of a subscription. Announces plain http to an allowed host, and any host without a public name.
 * Gaps 40 and 47.
 * @throws ServiceError for a host that is not allowed; on a strict server, also for what is announced.
 */
export function checkSubscriptionUrl(
  url: string,
  context: Pick<CallContext, 'access' | 'outboundHosts' | 'warn'>,
): void {
  checkWebhookHost(url, context, 'url');
  const { protocol, hostname } = new URL(url);
  if (isLoopback(hostname) || (protocol === 'https:' && PUBLIC_NAME.test(hostname))) return;
  const message = context.outboundHosts.allowed.has(hostname)
    ? `${hostname} is allowed by --allow-webhook-host only; the service needs https and a public host`
    : `${hostname} is not a public host name`;
  context.warn({ code: 'webhook_host', path: 'url', message });
}
