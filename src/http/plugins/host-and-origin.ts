import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Access } from '../../contract/vocabulary/access.js';
import { isLoopback } from '../../contract/vocabulary/domains.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { shortened } from '../../contract/vocabulary/text.js';
import { originOf } from '../inbox/session.js';

/**
 * Prevents web pages from reading captured email, either with a cross-origin request (checked by Origin) or with a
 * domain name that resolves to this machine (checked by Host). The address that a client connected to is always allowed
 * as a host.
 */

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether pages of any origin may call the route, because emails contain links to it. */
    anyOrigin?: boolean;
  }
}

export interface HostAndOriginOptions {
  allowedHosts: ReadonlySet<string>;
  /** Names the command whose flag allows a host; undefined for a server without that flag. */
  access?: Access | undefined;
  /** Returns the URL of a proxy in front of this server, or the server's own. */
  publicUrl(): string;
}

const plugin: FastifyPluginAsync<HostAndOriginOptions> = async (server, options) => {
  server.addHook('onRequest', async (request) => rejectForeignOrigins(request, options));
};

export const hostAndOrigin = fp(plugin);

function rejectForeignOrigins(request: FastifyRequest, options: HostAndOriginOptions): void {
  const { publicUrl } = options;
  refuseTwoHosts(request);
  if (request.headers.host === undefined) throw new ServiceError('bad_request', 'The request has no Host header.');
  refuseForeignHost(request, request.headers.host, options);
  // A trusted proxy may forward the name that the browser used.
  if (request.host !== request.headers.host) refuseForeignHost(request, request.host, options);
  // The target may be a URL such as `http://name/path`. Its host takes precedence (RFC 9112 section 3.2.2).
  const [, targetHost] = ABSOLUTE_TARGET.exec(request.raw.url ?? '') ?? [];
  if (targetHost !== undefined) refuseForeignHost(request, targetHost, options);
  const { origin } = request.headers;
  if (request.routeOptions.config.anyOrigin) return;
  if (origin !== undefined && !isOwnOrigin(origin, request, publicUrl)) {
    const message = `Requests from pages at ${JSON.stringify(origin)} are not allowed.`;
    throw new ServiceError(
      'forbidden',
      message,
      undefined,
      'Send the request from a program. Web pages from other origins are blocked, so that they cannot read captured email.',
    );
  }
}

/** Returns whether an origin is that of the request's host. A proxy at the public URL may add TLS without being trusted. */
function isOwnOrigin(origin: string, request: FastifyRequest, publicUrl: () => string): boolean {
  return origin === `${request.protocol}://${request.host}` || origin === originOf(request, publicUrl());
}

const ABSOLUTE_TARGET = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i;

/** The usual spelling of this machine, which needs no parser. */
const USUAL_HOST = /^(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/;

function refuseForeignHost(
  request: FastifyRequest,
  value: string,
  { allowedHosts, access }: Pick<HostAndOriginOptions, 'allowedHosts' | 'access'>,
): void {
  if (USUAL_HOST.test(value)) return;
  const host = hostnameOf(value);
  if (host !== undefined && (isLoopback(host) || allowedHosts.has(host) || host === addressOf(request.socket))) return;
  const message = `The host ${JSON.stringify(shortened(value))} is not allowed.`;
  throw new ServiceError('forbidden', message, undefined, hintFor(host, access));
}

function hintFor(host: string | undefined, access: Access | undefined): string {
  const own = 'Use localhost or the server’s own address.';
  if (!host || access === undefined) return own;
  const flag = `--allow-host ${host}`;
  return `${own} To allow this name, start the server with ${access === 'team' ? flag : `"svc dev ${flag}"`}.`;
}

/** Returns the address that the client connected to, in the form that URLs use. */
function addressOf({ localAddress = '' }: { localAddress?: string | undefined }): string {
  const address = localAddress.replace(/^::ffff:(?=[\d.]+$)/, '').replace(/%.*/, '');
  return address.includes(':') ? `[${address}]` : address;
}

/** A host name or address with an optional port (RFC 9110 section 7.2), without other parts of a URL. */
const HOST = /^(?:[^\s/?#@\\:[\]]+|\[[\da-f:.]+\])(?::\d*)?$/i;

function hostnameOf(host: string): string | undefined {
  const url = `http://${host}`;
  return HOST.test(host) && URL.canParse(url) ? new URL(url).hostname : undefined;
}

/**
 * Rejects requests with two Host headers (RFC 9112 section 3.2), because a proxy before this server may have used the
 * other one.
 */
function refuseTwoHosts({ raw: { rawHeaders } }: FastifyRequest): void {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length > 1) throw new ServiceError('bad_request', 'The request has more than one Host header.');
}
