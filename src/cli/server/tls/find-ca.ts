import { join } from 'node:path';
import { CA_CERT_FILE } from '../../../storage/data-dir-files.js';
import { CommandError } from '../../errors/exit-codes.js';
import { lookForServer } from '../running-server.js';
import { readCa } from './tls-files.js';

/** The certificate of a local CA, in PEM, and its file if it has one. */
export interface FoundCa {
  pem: string;
  file: string | null;
}

/**
 * Returns the CA of the running server, or that of the data directory; undefined if neither exists.
 * @throws CommandError when the running server has a certificate of the user.
 */
export async function findCa(dataDir: string): Promise<FoundCa | undefined> {
  const running = (await lookForServer(dataDir))?.server.tls;
  if (running?.ca) return { pem: running.ca, file: running.ca_file };
  if (running) {
    throw new CommandError(
      'The local CA is not in use: the server has the certificate of --tls-cert.',
      'Clients have to trust the issuer of that certificate.',
    );
  }
  const pem = readCa(dataDir);
  return pem === undefined ? undefined : { pem, file: join(dataDir, CA_CERT_FILE) };
}
