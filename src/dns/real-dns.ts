import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { ServiceError } from '../contract/vocabulary/errors.js';
import type { Dns } from '../core/ports.js';

/** Looks TXT records up in a real DNS. Decision 17. */

export interface RealDnsOptions {
  /** Resolvers to ask; the system's own when there is none. */
  servers: readonly { host: string; port: number }[];
  /** How long a resolver may take to answer before it is asked once more. */
  timeoutMs?: number;
}

/** A time-out on a real socket: the machine's time, whatever the service's clock says. */
const TIMEOUT_MS = 2_000;
const TRIES = 2;

/** Answers that say there is no such record, as against no answer. */
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
      // Anew each time: the system's resolvers change with the network it is in.
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
        // A value comes as its character-strings, which are joined without anything between (RFC 7208 section 3.3).
        return (await resolver.resolveTxt(name)).map((strings) => strings.join(''));
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        if (ABSENT.has(code)) return [];
        throw failed(error as NodeJS.ErrnoException);
      }
    },
  };
}

/** A resolver can only be told addresses; a name, of a container say, is looked up first. */
async function toAddress({ host, port }: { host: string; port: number }): Promise<string> {
  return hostAndPort(isIP(host) ? host : (await lookup(host)).address, port);
}

function hostAndPort(host: string, port: number): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}
