import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../contract/errors.js';
import { isLoopback } from '../contract/webhook.js';

/**
 * Keeps web pages out: a page must not be able to read captured mail, neither by a request of its own (Origin) nor by a name
 * of its own that resolves to this machine (Host). Routes that mail leads to take any origin.
 */
export function refuseForeignPages(request: FastifyRequest, allowedHosts: ReadonlySet<string>): void {
  const host = hostnameOf(`http://${request.headers.host ?? ''}`);
  if (host === undefined || !(isLoopback(host) || allowedHosts.has(host))) {
    throw new ServiceError('forbidden', `The host ${JSON.stringify(request.headers.host ?? '')} is not this server's.`);
  }
  const { origin } = request.headers;
  if (request.routeOptions.config.anyOrigin) return;
  if (origin !== undefined && origin !== `http://${request.headers.host}`) {
    throw new ServiceError('forbidden', `A page at ${JSON.stringify(origin)} may not call this server.`);
  }
}

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
