import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '../../../contract/vocabulary/limits.js';
import { OWNER_ONLY } from '../../../file-modes.js';
import { CA_CERT_FILE, CA_KEY_FILE, SERVER_CERT_FILE, SERVER_KEY_FILE } from '../../../storage/data-dir-files.js';
import { unusableDataDir } from '../../data-dir/data-dir.js';
import { CommandError } from '../../errors/exit-codes.js';
import { describeFileError } from '../../errors/fs-errors.js';
import { systemNow } from '../../output/local-time.js';
import { readSmallFile, writeFileAtomically } from '../../process/files.js';
import type { KeyAndCert } from './certificates.js';
import { isIssuedFor, matches, remainingMs } from './own-certificate.js';

/** Keeps the local certificate authority and the server's certificate in the data directory. */

/** A certificate with less time left is replaced. A server may run for weeks. */
const RENEWED_BEFORE_MS = 30 * DAY_MS;

/** What the server presents, and what clients have to trust. */
export interface ServerTls extends KeyAndCert {
  /** The certificate of the local authority, in PEM; null for a certificate of the user. */
  ca: string | null;
  /** The file with that certificate; null if it is not in a file. */
  caFile: string | null;
}

/**
 * Returns the certificate of a server that can be reached by these names. Creates what is missing, and replaces a
 * certificate that ends soon or lacks a name. Without a directory, nothing is kept.
 * @throws CommandError when the files cannot be used.
 */
export async function localTls(directory: string | null, names: readonly string[]): Promise<ServerTls> {
  const now = systemNow();
  const authority =
    (directory === null ? undefined : readAuthority(directory, now)) ?? (await newAuthority(directory, now));
  const server =
    (directory === null ? undefined : readServer(directory, authority.cert, names, now)) ??
    (await newServer(directory, authority, names, now));
  const caFile = directory && join(directory, CA_CERT_FILE);
  return { key: server.key, cert: server.cert + authority.cert, ca: authority.cert, caFile };
}

/** Returns the certificate of a data directory's authority; undefined if it has none. */
export function readCa(directory: string): string | undefined {
  const file = join(directory, CA_CERT_FILE);
  return existsSync(file) ? read(file) : undefined;
}

/** Returns the authority; undefined when it does not exist, or its certificate is about to end. */
function readAuthority(directory: string, now: number): KeyAndCert | undefined {
  const [certFile, keyFile] = [join(directory, CA_CERT_FILE), join(directory, CA_KEY_FILE)];
  if (!existsSync(certFile) || !existsSync(keyFile)) return undefined;
  const found = { key: read(keyFile), cert: read(certFile) };
  // Not replaced: clients trust it.
  if (!matches(found)) {
    throw new CommandError(
      `${certFile} and ${keyFile} cannot be used: they are not a certificate and its key.`,
      'Restore them, or remove both to create a new CA, which clients then have to trust.',
    );
  }
  return remainingMs(found.cert, now) > RENEWED_BEFORE_MS ? found : undefined;
}

async function newAuthority(directory: string | null, now: number): Promise<KeyAndCert> {
  const { createAuthority } = await import('./certificates.js');
  const created = await createAuthority(now, hostname());
  if (directory !== null) writePair(directory, created, { key: CA_KEY_FILE, cert: CA_CERT_FILE });
  return created;
}

/** Returns the server's certificate; undefined when it has to be created. */
function readServer(directory: string, ca: string, names: readonly string[], now: number): KeyAndCert | undefined {
  const [certFile, keyFile] = [join(directory, SERVER_CERT_FILE), join(directory, SERVER_KEY_FILE)];
  if (!existsSync(certFile) || !existsSync(keyFile)) return undefined;
  const found = { key: read(keyFile), cert: read(certFile) };
  const isUsable =
    matches(found) && isIssuedFor(found.cert, ca, names) && remainingMs(found.cert, now) > RENEWED_BEFORE_MS;
  return isUsable ? found : undefined;
}

async function newServer(
  directory: string | null,
  authority: KeyAndCert,
  names: readonly string[],
  now: number,
): Promise<KeyAndCert> {
  const { createServerCertificate } = await import('./certificates.js');
  const created = await createServerCertificate(authority, names, now);
  if (directory !== null) writePair(directory, created, { key: SERVER_KEY_FILE, cert: SERVER_CERT_FILE });
  return created;
}

/** Writes a key and its certificate. After an interruption in between, they do not match, and are created again. */
function writePair(directory: string, { key, cert }: KeyAndCert, names: { key: string; cert: string }): void {
  try {
    writeFileAtomically(join(directory, names.key), key, { mode: OWNER_ONLY });
    writeFileAtomically(join(directory, names.cert), cert, { mode: OWNER_ONLY });
  } catch (error) {
    throw unusableDataDir(directory, error);
  }
}

function read(file: string): string {
  try {
    return readSmallFile(file);
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${describeFileError(error)}.`, 'Make it readable for this user.');
  }
}
