import { BlockList, isIP } from 'node:net';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { PERSON, PERSON_FORM, type SignInHeader, signInHeaders } from '../../contract/vocabulary/access.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';

/**
 * Reads who a trusted proxy has signed in. The name alone gives no right: it opens a session of the inbox, whose cookie
 * and token protect against other pages.
 */

declare module 'fastify' {
  interface FastifyRequest {
    /** The person that a trusted proxy has signed in; null without one. */
    person: string | null;
  }
}

export interface SignInOptions {
  /** The header that names the person; undefined if proxies sign no one in. */
  header: SignInHeader | undefined;
  /** Addresses and networks of the proxies. */
  trustedProxies: readonly string[];
}

const plugin: FastifyPluginAsync<SignInOptions> = async (server, { header, trustedProxies }) => {
  server.decorateRequest('person', null);
  if (header === undefined) return;
  const proxies = blockListOf(trustedProxies);
  server.addHook('onRequest', async (request) => {
    const sent = signInHeaders.find((name) => request.headers[name.toLowerCase()] !== undefined);
    if (sent === undefined) return;
    if (!isFrom(proxies, request)) throw notTrusted(sent);
    request.person = personIn(request, header);
  });
};

export const signIn = fp(plugin);

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = withoutZone(network).split('/');
    const type = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, type);
    else list.addSubnet(address, Number(bits), type);
  }
  return list;
}

/** Returns whether a proxy itself has sent the request, whatever X-Forwarded-For says. */
function isFrom(proxies: BlockList, { socket: { remoteAddress = '' } }: FastifyRequest): boolean {
  const address = withoutZone(remoteAddress);
  const version = isIP(address);
  // An IPv4 address in IPv6 form is found among those of IPv4.
  return version !== 0 && proxies.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** Returns an address without the name of an interface, as link-local ones have it: `fe80::1%eth0`. */
function withoutZone(address: string): string {
  return address.replace(/%[^/]*/, '');
}

function notTrusted(header: SignInHeader): ServiceError {
  return new ServiceError(
    'forbidden',
    `Only a trusted proxy may send the header ${header}.`,
    undefined,
    'Leave out the header and use an API key. If a proxy sent this, add its address to --trusted-proxy.',
  );
}

/** Returns the person that a header names; null without the header. Other headers may come from the client. */
function personIn({ headers, raw: { rawHeaders } }: FastifyRequest, header: SignInHeader): string | null {
  const name = header.toLowerCase();
  const value = headers[name];
  if (value === undefined) return null;
  const count = rawHeaders.filter((each, index) => index % 2 === 0 && each.toLowerCase() === name).length;
  // The proxy has added its own to that of the client.
  if (count > 1) throw new ServiceError('bad_request', `The request has more than one header ${header}.`);
  if (typeof value === 'string' && PERSON.test(value)) return value;
  throw new ServiceError('bad_request', `The header ${header} must be ${PERSON_FORM}.`);
}
