import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { AppOptions, ListenAddress, Listening } from '../../../app/app.js';
import { relayName } from '../../../contract/vocabulary/relay.js';
import { UsageError } from '../../errors/exit-codes.js';
import { isOwnAddress, isUnspecified } from '../../target/own-address.js';

/**
 * Checks that the relay is another server.
 * @throws UsageError for the server's own SMTP port: it would receive each message that it releases.
 */
export function refuseOwnRelay(relay: AppOptions['relay'], { smtp, smtps }: Pick<Listening, 'smtp' | 'smtps'>): void {
  if (!relay || ![smtp, smtps].some((each) => each && leadsTo(relay, each))) return;
  throw new UsageError(
    `The relay ${relayName(relay)} is the SMTP port of this server.`,
    'Name another SMTP server with --relay.',
  );
}

function leadsTo(relay: ListenAddress, listening: ListenAddress): boolean {
  if (relay.port !== listening.port) return false;
  const host = canonical(relay.host.toLowerCase());
  // A name may have several addresses, and a server on an unspecified address has all of this machine.
  const isExact = isIP(host) !== 0 && !isUnspecified(host) && !isUnspecified(listening.host);
  return isExact ? host === listening.host : isOwnAddress(host) || host === hostname().toLowerCase();
}

/** Returns the usual form of an address that has several, such as 127.1 and ::ffff:127.0.0.1; a name unchanged. */
function canonical(host: string): string {
  const url = `http://${isIP(host) === 6 ? `[${host}]` : host}`;
  const found = URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/, '$1') : host;
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(found);
  if (!mapped) return found;
  const [high = 0, low = 0] = mapped.slice(1).map((part) => Number.parseInt(part, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
