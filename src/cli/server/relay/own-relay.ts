import { hostname } from 'node:os';
import type { AppOptions, Listening } from '../../../app/app.js';
import { relayName } from '../../../contract/vocabulary/relay.js';
import { UsageError } from '../../errors/exit-codes.js';
import { isOwnAddress } from '../../target/own-address.js';

/**
 * Checks that the relay is another server.
 * @throws UsageError for the server's own SMTP port: it would receive each message that it releases.
 */
export function refuseOwnRelay(relay: AppOptions['relay'], { smtp, smtps }: Pick<Listening, 'smtp' | 'smtps'>): void {
  if (!relay || ![smtp.port, smtps?.port].includes(relay.port)) return;
  if (!isOwnAddress(relay.host) && relay.host.toLowerCase() !== hostname().toLowerCase()) return;
  throw new UsageError(
    `The relay ${relayName(relay)} is the SMTP port of this server.`,
    'Name another SMTP server with --relay.',
  );
}
