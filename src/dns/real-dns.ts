import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { ServiceError } from '../contract/vocabulary/errors.js';
import type { Dns } from '../core/ports.js';

/** Looks TXT records up in a real DNS. Gap 17. */

export interface RealDnsOptions {
  /** Resolvers to ask; the system's own by default. */
  servers: readonly { host: string; port: number }[];
  /** The time limit of a resolver's answer before it is asked once more. */
  timeoutMs?: number;
}

/** A time-out on a real socket: the machine's time, not the service's. */
const TIMEOUT_MS = 2_000;
const TRIES = 2;

/** Errors that mean that a record does not exist, as against no answer. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);

const reasons: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ETIMEOUT: 'timed out',
  ESERVFAIL: 'SERVFAIL response',
  EREFUSED: 'REFUSED response',
  EFORMERR: 'FORMERR response',
  ENOTIMP: 'NOTIMP response',
  EBADRESP: 'unreadable response',
};

export function createRealDns({ servers, timeoutMs = TIMEOUT_MS }: RealDnsOptions): Dns {
  const shown = servers.map(({ host, port }) => hostAndPort(host, port)).join(', ');
  return {
    async txt(name) {
      // Created for each lookup: the system's resolvers change with its network.
      const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES });
      const failed = ({ code = '', message }: NodeJS.ErrnoException) => {
        const asked = shown || `the system’s resolver (${resolver.getServers().join(', ')})`;
        const reason = reasons[code] ?? message;
        return new ServiceError('upstream', `Cannot look up TXT records of ${name} at ${asked}: ${reason}.`);
      };
      if (servers.length > 0) {
        resolver.setServers(
          await Promise.all(servers.map(toAddress)).catch((error) => {
            throw failed(error);
          }),
        );
      }
      try {
        // A value arrives as its character-strings, which are joined without anything between (RFC 7208 section 3.3).
        return (await resolver.resolveTxt(name)).map((strings) => strings.join(''));
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        if (ABSENT.has(code)) return [];
        throw failed(error as NodeJS.ErrnoException);
      }
    },
  };
}

/** Returns the address of a resolver: a name, of a container for example, is looked up first. */
async function toAddress({ host, port }: { host: string; port: number }): Promise<string> {
  return hostAndPort(isIP(host) ? host : (await lookup(host)).address, port);
}

function hostAndPort(host: string, port: number): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}
