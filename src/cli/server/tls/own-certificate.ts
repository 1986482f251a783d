import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { DAY_MS } from '../../../contract/vocabulary/limits.js';
import { UsageError } from '../../errors/exit-codes.js';
import { excerpt } from '../../output/text.js';
import { readText } from '../../process/files.js';
import type { KeyAndCert } from './certificates.js';

/** Reads and checks a certificate of the user: that of --tls-cert and --tls-key. */

/** Certificates with less time left cause a warning. ACME clients renew them 30 days before they end. */
const WARNED_BEFORE_MS = 14 * DAY_MS;

interface CertificateFiles {
  'tls-cert'?: string | undefined;
  'tls-key'?: string | undefined;
}

/** Returns the certificate of the flags. @throws UsageError that names the file that cannot be used, and why. */
export async function certificateOf({
  'tls-cert': certFile = '',
  'tls-key': keyFile = '',
}: CertificateFiles): Promise<KeyAndCert> {
  const found = { cert: await readText('--tls-cert', certFile), key: await readText('--tls-key', keyFile) };
  const [cert, key] = [excerpt(certFile), excerpt(keyFile)];
  const certificate = certificateIn(found.cert);
  if (!certificate) {
    throw new UsageError(
      `--tls-cert: ${cert} does not contain a certificate in PEM format.`,
      'The file must begin with the certificate of the server, followed by its chain.',
    );
  }
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(found.key)) {
    throw new UsageError(
      `--tls-key: ${key} is encrypted.`,
      'Decrypt the key with "openssl pkey -in FILE -out NEW_FILE".',
    );
  }
  if (!keyIn(found.key)) {
    throw new UsageError(
      `--tls-key: ${key} does not contain a private key in PEM format.`,
      'The file must contain a PRIVATE KEY section.',
    );
  }
  if (matches(found)) return found;
  throw new UsageError(
    `--tls-key: ${key} is not the key of the certificate in ${cert}, which is for ${nameOf(certificate)}.`,
    'Pass the files that were created together. The certificate of the server must be the first one in its file.',
  );
}

/** Returns a warning about a certificate that is invalid now, or ends within 14 days; undefined for any other. */
export function certificateWarning(
  { 'tls-cert': file = '' }: CertificateFiles,
  { cert }: Pick<KeyAndCert, 'cert'>,
  now: number,
): string | undefined {
  const begin = new Date(new X509Certificate(cert).validFrom);
  if (begin.getTime() > now) return `The certificate in ${file} is not valid before ${begin.toISOString()}.`;
  const left = remainingMs(cert, now);
  if (left > WARNED_BEFORE_MS) return undefined;
  const [day] = endOf(cert).split('T');
  const renew = 'Replace the file with a new certificate; the server then uses it without a restart.';
  return left <= 0
    ? `The certificate in ${file} expired on ${day}: clients refuse it. ${renew}`
    : `The certificate in ${file} expires on ${day}. ${renew}`;
}

function certificateIn(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function keyIn(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

function nameOf({ subject, subjectAltName }: X509Certificate): string {
  return excerpt((subjectAltName ?? subject).replaceAll('\n', ', '));
}

/** Checks certificates, without the library that creates them. */

/** Returns whether these are a certificate and its private key. */
export function matches({ key, cert }: KeyAndCert): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

/** Returns the milliseconds until a certificate ends; negative after its end. */
export function remainingMs(cert: string, now: number): number {
  return Date.parse(new X509Certificate(cert).validTo) - now;
}

/** Returns whether an authority has issued a certificate, and for all of these names. */
export function isIssuedFor(cert: string, ca: string, names: readonly string[]): boolean {
  const checked = new X509Certificate(cert);
  const issuer = new X509Certificate(ca);
  const hasName = (name: string) => (isIP(name) ? checked.checkIP(name) : checked.checkHost(name)) !== undefined;
  return checked.checkIssued(issuer) && checked.verify(issuer.publicKey) && names.every(hasName);
}

/** Returns the SHA-256 fingerprint of a certificate, as openssl prints it. */
export function fingerprintOf(cert: string): string {
  return new X509Certificate(cert).fingerprint256;
}

/** Returns when a certificate ends, in ISO 8601. */
export function endOf(cert: string): string {
  return new Date(Date.parse(new X509Certificate(cert).validTo)).toISOString();
}
