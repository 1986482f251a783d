// A library that @peculiar/x509 uses fails without it.
import 'reflect-metadata';
import { KeyObject, randomBytes, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { DAY_MS } from '../../../contract/vocabulary/limits.js';

/** Creates certificates. Only a server with TLS loads this module, and only to create a certificate. */

const AUTHORITY_DAYS = 3650;
/** Apple's systems refuse server certificates for more than 825 days, and browsers for more than 398. */
const SERVER_DAYS = 397;
/** Clocks of containers may be behind. */
const BACKDATED_MS = DAY_MS;

/** Every TLS client supports these keys, and creating one takes a millisecond. */
const EC_KEY = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const;

/** A private key and its certificate, in PEM. */
export interface KeyAndCert {
  key: string;
  cert: string;
}

/** Creates a certificate authority that can issue server certificates, and no other authorities. */
export async function createAuthority(now: number, machine: string): Promise<KeyAndCert> {
  const keys = await createKeys();
  const cert = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: [{ O: ['svc'] }, { CN: [`svc local CA (${machine})`] }],
    ...validity(now, AUTHORITY_DAYS),
    signingAlgorithm: SIGNATURE,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { key: pemOf(keys.privateKey), cert: pemOfCert(cert) };
}

/** Creates a server certificate for host names and IP addresses. */
export async function createServerCertificate(
  authority: KeyAndCert,
  names: readonly string[],
  now: number,
): Promise<KeyAndCert> {
  const keys = await createKeys();
  const issuer = new X509Certificate(authority.cert);
  const pkcs8 = PemConverter.decodeFirst(authority.key);
  const signingKey = await webcrypto.subtle.importKey('pkcs8', pkcs8, EC_KEY, false, ['sign']);
  const cert = await X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: [{ O: ['svc'] }, { CN: ['svc local server'] }],
    issuer: issuer.subjectName,
    ...validity(now, SERVER_DAYS),
    signingAlgorithm: SIGNATURE,
    publicKey: keys.publicKey,
    signingKey,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value })),
      ),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  });
  return { key: pemOf(keys.privateKey), cert: pemOfCert(cert) };
}

function createKeys() {
  return webcrypto.subtle.generateKey(EC_KEY, true, ['sign', 'verify']);
}

function validity(now: number, days: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(now - BACKDATED_MS), notAfter: new Date(now + days * DAY_MS) };
}

/** Returns a positive number of 16 bytes, in hexadecimal digits. */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8() & 0x7f) | 0x40);
  return bytes.toString('hex');
}

function pemOf(key: webcrypto.CryptoKey): string {
  return KeyObject.from(key).export({ type: 'pkcs8', format: 'pem' }).toString();
}

function pemOfCert(cert: X509Certificate): string {
  return `${cert.toString('pem')}\n`;
}
