import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createAuthority, createServerCertificate } from '../../../src/cli/server/tls/certificates.js';
import { localTls } from '../../../src/cli/server/tls/tls-files.js';
import { temporaryDirectory } from '../../support/cli/binary.js';

const DAY_MS = 86_400_000;
const NAMES = ['localhost', '127.0.0.1'];

describe('the certificates of a data directory', () => {
  const folder = temporaryDirectory();
  const directory = join(folder.path, 'data');
  const read = (name: string) => readFileSync(join(directory, name), 'utf8');
  const write = (name: string, text: string) => writeFileSync(join(directory, name), text);

  beforeEach(() => {
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory);
  });

  afterAll(() => folder.remove());

  it('stay the same from start to start', async () => {
    const first = await localTls(directory, NAMES);

    expect(await localTls(directory, NAMES)).toEqual(first);
    expect(first.cert).toBe(read('smtp-cert.pem') + read('ca.pem'));
  });

  it('are replaced when a name is missing, without replacing the CA', async () => {
    const first = await localTls(directory, NAMES);

    const second = await localTls(directory, [...NAMES, 'mail.example.test', '192.0.2.7']);

    expect(second.ca).toBe(first.ca);
    expect(second.cert).not.toBe(first.cert);
    const certificate = new X509Certificate(second.cert);
    expect(certificate.checkHost('mail.example.test')).toBe('mail.example.test');
    expect(certificate.checkIP('192.0.2.7')).toBe('192.0.2.7');
    // Fewer names are a reason to keep it.
    expect((await localTls(directory, NAMES)).cert).toBe(second.cert);
  });

  it('are renewed before they end, without replacing the CA', async () => {
    const first = await localTls(directory, NAMES);
    const authority = { cert: read('ca.pem'), key: read('ca-key.pem') };
    const old = await createServerCertificate(authority, NAMES, Date.now() - 370 * DAY_MS);
    write('smtp-cert.pem', old.cert);
    write('smtp-key.pem', old.key);

    const second = await localTls(directory, NAMES);

    expect(second.ca).toBe(first.ca);
    expect(Date.parse(new X509Certificate(second.cert).validTo)).toBeGreaterThan(Date.now() + 390 * DAY_MS);
  });

  it('are issued by a new CA when the old one ends', async () => {
    const old = await createAuthority(Date.now() - 3_640 * DAY_MS, 'old');
    write('ca.pem', old.cert);
    write('ca-key.pem', old.key);

    const { ca, cert } = await localTls(directory, NAMES);

    expect(ca).not.toBe(old.cert);
    expect(new X509Certificate(cert).verify(new X509Certificate(ca ?? '').publicKey)).toBe(true);
  });

  it('are created again when the key of the server is missing or another one', async () => {
    const first = await localTls(directory, NAMES);
    write('smtp-key.pem', (await createAuthority(Date.now(), 'x')).key);

    const second = await localTls(directory, NAMES);

    expect(second.ca).toBe(first.ca);
    expect(new X509Certificate(second.cert).verify(new X509Certificate(second.ca ?? '').publicKey)).toBe(true);
  });

  it('are not replaced when the CA is damaged, because clients trust it', async () => {
    await localTls(directory, NAMES);
    write('ca.pem', 'damaged');

    await expect(localTls(directory, NAMES)).rejects.toThrow('they are not a certificate and its key');
    expect(read('ca.pem')).toBe('damaged');
  });
});
