import { isIP } from 'node:net';
import { UsageError } from '../../errors/exit-codes.js';

const DNS_PORT = 53;

/**
 * Reads `HOST`, `HOST:PORT`, an IPv6 address or `[IPv6]:PORT`.
 * @throws UsageError for any other form.
 */
function readDnsServer(text: string): { host: string; port: number } {
  if (isIP(text)) return { host: text, port: DNS_PORT };
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]\s/]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = digits === undefined ? DNS_PORT : Number(digits);
  const readable = host !== undefined && port >= 1 && port <= 65_535 && (bracketed === undefined || isIP(host) === 6);
  if (!readable) throw new UsageError(`--dns-server must be HOST or HOST:PORT, not ${JSON.stringify(text)}.`);
  return { host, port };
}

/** Returns the DNS servers to look up domains with; undefined for the simulated DNS. */
export function readDnsFlags(dns: string | undefined, servers: readonly string[] = []) {
  if (dns === 'simulated' && servers.length > 0) throw new UsageError('--dns-server requires --dns real.');
  return dns === 'real' || servers.length > 0 ? { servers: servers.map(readDnsServer) } : undefined;
}
