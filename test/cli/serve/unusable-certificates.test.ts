import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthority, createServerCertificate } from '../../../src/cli/server/tls/certificates.js';
import { svc, temporaryDirectory } from '../../support/cli/binary.js';
import { ADMIN_KEY, startServe } from '../../support/cli/serve.js';

const directory = temporaryDirectory();
const file = (name: string) => join(directory.path, name);
const DAY_MS = 86_400_000;
/** svc issues certificates for so many days. */
const ISSUED_DAYS = 397;

/** Returns the day on which a certificate ends. */
function endOf(name: string): string {
  const { validTo } = new X509Certificate(readFileSync(file(name)));
  return new Date(validTo).toISOString().slice(0, 10);
}

/** Writes a certificate that ends in so many days. */
async function issue(name: string, days: number): Promise<void> {
  const now = Date.now() - (ISSUED_DAYS - days) * DAY_MS;
  const authority = await createAuthority(now, 'test');
  const { key, cert } = await createServerCertificate(authority, ['mail.example.com'], now);
  writeFileSync(file(`${name}.key`), key);
  writeFileSync(file(`${name}.pem`), cert);
}

beforeAll(async () => {
  await issue('good', 90);
  await issue('other', 90);
  await issue('ending', 9.5);
  await issue('ended', -1.5);
  mkdirSync(file('folder'));
  writeFileSync(file('text'), 'hello');
  writeFileSync(file('binary'), Buffer.from([0x30, 0x82, 0xff]));
  const encrypted = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' } as const;
  writeFileSync(file('encrypted.key'), generateKeyPairSync('ed25519').privateKey.export(encrypted));
});
afterAll(() => directory.remove());

const flagsOf = (cert: string, key: string) => ['--tls-cert', file(cert), '--tls-key', file(key)];

describe('files of a certificate', () => {
  it.each([
    ['a missing certificate', 'none', 'good.key', '--tls-cert: FILE/none cannot be read: no such file or directory.'],
    ['a directory', 'folder', 'good.key', '--tls-cert: FILE/folder cannot be read: it is a directory.'],
    ['a missing key', 'good.pem', 'none', '--tls-key: FILE/none cannot be read: no such file or directory.'],
    ['another text', 'text', 'good.key', '--tls-cert: FILE/text does not contain a certificate in PEM format.'],
    ['DER', 'binary', 'good.key', '--tls-cert: FILE/binary is not valid UTF-8.'],
    ['no key', 'good.pem', 'good.pem', '--tls-key: FILE/good.pem does not contain a private key in PEM format.'],
    ['an encrypted key', 'good.pem', 'encrypted.key', '--tls-key: FILE/encrypted.key is encrypted.\nDecrypt the key'],
    [
      'another key',
      'good.pem',
      'other.key',
      '--tls-key: FILE/other.key is not the key of the certificate in FILE/good.pem, which is for DNS:mail.example.com.',
    ],
  ])('are refused with the name of the file: %s', async (_, cert, key, message) => {
    const args = ['serve', '--data-dir', file('data'), ...flagsOf(cert, key)];
    const { code, stderr } = await svc(args, { env: { SVC_API_KEY: ADMIN_KEY } });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`Error: ${message.replaceAll('FILE', directory.path)}`),
    });
  });

  it('cause a warning when the certificate has expired or ends soon, also one that is read again', async () => {
    copyFileSync(file('ending.pem'), file('used.pem'));
    copyFileSync(file('ending.key'), file('used.key'));
    const server = await startServe(['--data-dir', file('data'), ...flagsOf('used.pem', 'used.key')]);
    const about = `The certificate in ${file('used.pem')}`;
    await server.logged(
      ({ level, msg }) => level === 'warn' && msg.startsWith(`${about} expires on ${endOf('ending.pem')}. Repl`),
    );

    copyFileSync(file('ended.key'), file('used.key'));
    copyFileSync(file('ended.pem'), file('used.pem'));
    server.child.kill('SIGHUP');
    await server.logged(
      ({ level, msg }) => level === 'warn' && msg.startsWith(`${about} expired on ${endOf('ended.pem')}: `),
    );
    expect(await server.stop()).toBe(0);
  });
});
