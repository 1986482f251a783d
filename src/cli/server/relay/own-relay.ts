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
  const host = relay.host.toLowerCase();
  // A name may have several addresses, and a server on an unspecified address has all of this machine.
  const isExact = isIP(host) !== 0 && !isUnspecified(host) && !isUnspecified(listening.host);
  return isExact ? host === listening.host : isOwnAddress(host) || host === hostname().toLowerCase();
}
