import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { svc, temporaryDirectory } from '../../support/cli/binary.js';

const PLAIN = 'http://mail.example.test/v1';
const SECURE = 'https://mail.example.test/v1';
const UNREACHABLE = 'http://ada:hunter2@127.0.0.1:1';
const UNSET = { HTTP_PROXY: '', http_proxy: '', HTTPS_PROXY: '', https_proxy: '', NO_PROXY: '', no_proxy: '' };
const folder = temporaryDirectory();

describe('a proxy that fails', () => {
  afterAll(() => folder.remove());

  it.each([
    ['HTTPS_PROXY', SECURE],
    ['https_proxy', SECURE],
    ['HTTP_PROXY', PLAIN],
    ['http_proxy', SECURE],
  ])('is named with its variable: %s for %s', async (variable, baseUrl) => {
    const { code, stderr } = await list(baseUrl, { [variable]: UNREACHABLE });

    expect(code).toBe(5);
    expect(stderr).toContain(
      `Cannot connect to ${baseUrl}: cannot connect to the proxy http://127.0.0.1:1 (from ${variable}): connection refused`,
    );
    expect(stderr).toContain(`\nSet ${variable} to a running proxy`);
    expect(stderr).not.toMatch(/ada|hunter2|svc dev|retrying/);
  });

  it('is the one whose host is unknown', async () => {
    const { code, stderr } = await list(SECURE, { HTTPS_PROXY: 'http://proxy.invalid:3128' });

    expect(code).toBe(5);
    expect(stderr).toMatch(
      /the proxy http:\/\/proxy\.invalid:3128 \(from HTTPS_PROXY\): (host not found|DNS lookup failed)/,
    );
  });

  it('is not named for a host that is called without it', async () => {
    const { code, stderr } = await list('https://mail.invalid/v1', {
      HTTPS_PROXY: UNREACHABLE,
      NO_PROXY: 'mail.invalid',
    });

    expect(code).toBe(5);
    expect(stderr).toMatch(/Cannot connect to https:\/\/mail\.invalid\/v1: (host not found|DNS lookup failed)/);
    expect(stderr).not.toContain('proxy');
  });

  it('is distinguished from a server that gives the same answer, and called once', async () => {
    const asked: (string | undefined)[] = [];
    const proxy = createServer().on('connect', ({ url }, socket) => {
      asked.push(url);
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

    const { code, stderr } = await list(SECURE, { HTTPS_PROXY: url });

    proxy.close();
    expect(code).toBe(5);
    expect(stderr).toContain(`the proxy ${url} (from HTTPS_PROXY) responded 407.\nThe proxy requires a user name`);
    expect(asked).toEqual(['mail.example.test:443']);
  });

  function list(baseUrl: string, env: Record<string, string>) {
    const args = ['emails', 'list', '--base-url', baseUrl, '--api-key', 'svc_test_x', '--data-dir', folder.path];
    const retries = baseUrl.includes('.invalid') ? ['--retries', '0'] : [];
    return svc([...args, ...retries], { env: { ...UNSET, ...env } });
  }
});
