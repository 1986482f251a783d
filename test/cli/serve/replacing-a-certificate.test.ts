import { X509Certificate } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAuthority, createServerCertificate } from '../../../src/cli/server/tls/certificates.js';
import { svc, temporaryDirectory } from '../../support/cli/binary.js';
import { ADMIN_KEY, startServe, type TeamServer } from '../../support/cli/serve.js';

const directory = temporaryDirectory();
const file = (name: string) => join(directory.path, name);
let server: TeamServer;

beforeAll(async () => {
  const authority = await createAuthority(Date.now(), 'test');
  writeFileSync(file('ca.pem'), authority.cert);
  const [own, tenYearsAgo] = [['localhost', '127.0.0.1'], Date.now() - 10 * 365 * 24 * 3_600_000];
  const certificates: [string, string[], number][] = [
    ...['first', 'second'].map((name): [string, string[], number] => [name, own, Date.now()]),
    ['elsewhere', ['mail.example.test'], Date.now()],
    ['expired', own, tenYearsAgo],
  ];
  for (const [name, names, now] of certificates) {
    const { key, cert } = await createServerCertificate(authority, names, now);
    writeFileSync(file(`${name}.key`), key);
    writeFileSync(file(`${name}.pem`), cert);
  }
  use('first');
  server = await startServe([
    ...['--data-dir', file('data'), '--smtp-tls-port', '0'],
    ...['--tls-cert', file('used.pem'), '--tls-key', file('used.key')],
  ]);
});
afterAll(async () => {
  await server.stop();
  directory.remove();
});

function use(name: string): void {
  copyFileSync(file(`${name}.pem`), file('used.pem'));
  copyFileSync(file(`${name}.key`), file('used.key'));
}

function fingerprintAt(port: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.fingerprint256);
      socket.destroy();
    });
    socket.once('error', reject);
  });
}
const fingerprintOf = (name: string) => new X509Certificate(readFileSync(file(`${name}.pem`))).fingerprint256;

it('serves HTTPS and STARTTLS, and marks cookies as secure', async () => {
  expect(server.ready).toMatchObject({ base_url: expect.stringMatching(/^https:/), tls: { starttls: 'offered' } });
  const cookie = await new Promise((resolve) => {
    const headers = { accept: 'text/html' };
    const options = { port: server.ready.http.port, path: '/inbox', rejectUnauthorized: false, headers };
    request(options, ({ headers }) => resolve(headers['set-cookie']?.[0])).end();
  });
  expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; Path=\/; Secure$/);
  const { port } = server.ready.smtp;
  const tls = { rejectUnauthorized: false };
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    requireTLS: true,
    tls,
    auth: { user: 'a', pass: ADMIN_KEY },
  });
  expect((await transport.sendMail({ to: 'a@x.test', from: 'b@x.test', text: 'Hi' })).response).toMatch(/^250 /);
});

it('works with the commands, which name the variable for a CA of one’s own', async () => {
  const env = { SVC_BASE_URL: server.ready.base_url, SVC_API_KEY: ADMIN_KEY };
  expect(await svc(['emails', 'list'], { env: { ...env, NODE_EXTRA_CA_CERTS: file('ca.pem') } })).toMatchObject({
    code: 0,
  });
  const refused = await svc(['emails', 'list'], { env });
  expect(refused.code).toBe(5);
  expect(refused.stderr).toContain('NODE_EXTRA_CA_CERTS');
  expect(refused.stderr).not.toContain('retrying');
});

it('keeps the certificate while the files are broken, and then uses the new one', async () => {
  const ports = [server.ready.http.port, server.ready.tls.smtps.port];
  writeFileSync(file('used.pem'), 'broken');
  server.child.kill('SIGHUP');
  expect(await server.logged(({ msg }) => msg === 'the certificate was not replaced')).toMatchObject({
    level: 'error',
  });
  for (const port of ports) expect(await fingerprintAt(port)).toBe(fingerprintOf('first'));

  use('second');
  // Without a signal: the change of the files is enough.
  await server.logged(({ msg }) => msg === 'certificate read again');
  for (const port of ports) expect(await fingerprintAt(port)).toBe(fingerprintOf('second'));
});

it.each([
  ['for other names', 'elsewhere', 'The certificate is for other names.'],
  ['that has expired', 'expired', 'The certificate of the server has expired.'],
])('has advice for a certificate %s', async (_, name, advice) => {
  use(name);
  await expect.poll(() => fingerprintAt(server.ready.http.port)).toBe(fingerprintOf(name));
  const env = { SVC_BASE_URL: server.ready.base_url, SVC_API_KEY: ADMIN_KEY, NODE_EXTRA_CA_CERTS: file('ca.pem') };
  const refused = await svc(['emails', 'list'], { env });
  expect(refused.code).toBe(5);
  expect(refused.stderr).toContain(advice);
});
