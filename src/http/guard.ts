import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../contract/errors.js';
import { isLoopback } from '../contract/webhook.js';

/**
 * Keeps web pages out: a page must not be able to read captured mail, neither by a request of its own (Origin) nor by a name
 * of its own that resolves to this machine (Host). The address that a caller reached is no such name. Routes that mail leads
 * to take any origin.
 */
export function refuseForeignPages(request: FastifyRequest, allowedHosts: ReadonlySet<string>): void {
  const host = hostnameOf(`http://${request.headers.host ?? ''}`);
  if (host === undefined || !(isLoopback(host) || allowedHosts.has(host) || host === addressOf(request.socket))) {
    const message = `The host ${JSON.stringify(request.headers.host ?? '')} is not this server's.`;
    throw new ServiceError('forbidden', message, undefined, hintFor(host));
  }
  const { origin } = request.headers;
  if (request.routeOptions.config.anyOrigin) return;
  if (origin !== undefined && origin !== `http://${request.headers.host}`) {
    const message = `A page at ${JSON.stringify(origin)} may not call this server.`;
    throw new ServiceError(
      'forbidden',
      message,
      undefined,
      'Call it from a program; pages elsewhere are kept out, so that none reads captured mail.',
    );
  }
}

function hintFor(host: string | undefined): string {
  const own = 'Call it at localhost or at the address that it listens on';
  return host ? `${own}; for this name, start it with: svc dev --allow-host ${host}` : `${own}.`;
}

/** The address that was called, as a URL has it. */
function addressOf({ localAddress = '' }: { localAddress?: string | undefined }): string {
  const address = localAddress.replace(/^::ffff:(?=[\d.]+$)/, '').replace(/%.*/, '');
  return address.includes(':') ? `[${address}]` : address;
}

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
