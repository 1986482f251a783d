import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthority, createServerCertificate } from '../../../src/cli/server/tls/certificates.js';
import { svc, temporaryDirectory } from '../../support/cli/binary.js';
import { ADMIN_KEY, startServe, type TeamServer } from '../../support/cli/serve.js';

const directory = temporaryDirectory();
const file = (name: string) => join(directory.path, name);
let plain: TeamServer;
let secure: TeamServer;

beforeAll(async () => {
  const authority = await createAuthority(Date.now(), 'test');
  const { key, cert } = await createServerCertificate(authority, ['localhost', '127.0.0.1'], Date.now());
  writeFileSync(file('key.pem'), key);
  writeFileSync(file('cert.pem'), cert);
  plain = await startServe(['--data-dir', file('plain')]);
  secure = await startServe([
    ...['--data-dir', file('secure')],
    ...['--tls-cert', file('cert.pem'), '--tls-key', file('key.pem')],
  ]);
});
afterAll(async () => {
  await Promise.all([plain?.stop(), secure?.stop()]);
  directory.remove();
});

const list = (baseUrl: string, retries = ['--retries', '0']) =>
  svc(['emails', 'list', ...retries], { env: { SVC_BASE_URL: baseUrl, SVC_API_KEY: ADMIN_KEY } });

describe('a command that uses the wrong protocol', () => {
  it('suggests https for a port with TLS', async () => {
    const url = secure.ready.base_url.replace('https:', 'http:');
    const { code, stderr } = await list(url);
    expect(code).toBe(5);
    expect(stderr).toContain(`No answer from ${url}: connection closed.\nTry ${secure.ready.base_url}, if`);
  });

  it('suggests http for a port without TLS, and does not retry', async () => {
    const url = plain.ready.base_url.replace('http:', 'https:');
    const { code, stderr } = await list(url, []);
    expect(code).toBe(5);
    expect(stderr).toContain(`Cannot connect to ${url}: the response is not TLS.\nTry ${plain.ready.base_url}. `);
    expect(stderr).not.toContain('retrying');
  });

  it.each([
    ['Apache', 'Reason: You’re speaking plain HTTP to an SSL-enabled server port.<br />'],
    ['Go', 'Client sent an HTTP request to an HTTPS server.\n'],
    ['nginx', '<center>The plain HTTP request was sent to HTTPS port</center>'],
  ])('suggests https after the answer of %s', async (_, body) => {
    const server = createServer((_request, response) => response.writeHead(400).end(body)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { code, stderr } = await list(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
    server.close();
    expect(code).toBe(1);
    expect(stderr).toContain('\nThe port expects TLS. Change http:// to https:// in the base URL.\n');
  });
});
