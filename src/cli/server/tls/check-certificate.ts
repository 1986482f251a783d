import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { KeyAndCert } from './certificates.js';

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
