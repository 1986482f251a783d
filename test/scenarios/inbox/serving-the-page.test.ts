import { readFile } from 'node:fs/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InboxApp, openPage, startInboxApp } from '../../support/inbox/inbox-app.js';
import { startApp } from '../../support/servers/app.js';

const SCRIPT = '/inbox/assets/main-ABCD.js';
const script = new URL('../../fixtures/inbox/assets/main-ABCD.js', import.meta.url);

let app: InboxApp;
beforeAll(async () => {
  app = await startInboxApp();
});
afterAll(() => app.closeClean());

describe('the page', () => {
  it.each(['/', '/inbox', '/inbox/emails/msg_1/source', '/inbox/emails?search=is:unread'])(
    'is served at %s',
    async (path) => {
      const { response } = await openPage(app.origin, path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.text()).toContain('<title>Inbox</title>');
    },
  );

  it('allows no inline script, no other origin and no frame around it', async () => {
    const { response } = await openPage(app.origin);
    const policy = response.headers.get('content-security-policy') ?? '';
    const [, nonce = ''] = /'nonce-(\w+)'/.exec(policy) ?? [];
    expect(policy.replace(nonce, 'N').split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'nonce-N'",
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "frame-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(await response.text()).toContain(`content="${nonce}"`);
    expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('has another nonce in each response', async () => {
    const [first, second] = await Promise.all([openPage(app.origin), openPage(app.origin)]);
    expect(await first.response.text()).not.toBe(await second.response.text());
  });

  it.each(['/', '/inbox'])('is a line of text for a program that asks for %s', async (path) => {
    const response = await fetch(app.origin + path);
    expect(response.status).toBe(200);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await response.text()).toContain('The API is at /v1');
  });

  it('leaves /emails to the error that names the route of the API', async () => {
    const { response } = await openPage(app.origin, '/emails');
    expect(response.status).toBe(404);
    expect(((await response.json()) as { error: { hint: string } }).error.hint).toContain('Did you mean /v1/emails?');
  });

  it('does not exist without the control API', async () => {
    const plain = await startApp({ control: false });
    for (const url of ['/', '/inbox', '/_svc/inbox/session']) {
      const { statusCode } = await plain.http.inject({ url, headers: { host: 'localhost', accept: 'text/html' } });
      expect({ url, statusCode }).toEqual({ url, statusCode: 404 });
    }
    await plain.closeClean();
  });

  it('is missing with a clear error in an incomplete installation', async () => {
    const broken = await startApp({ webDirectory: '/nonexistent' });
    const answer = await broken.http.inject({ url: '/', headers: { host: 'localhost', accept: 'text/html' } });
    expect({ status: answer.statusCode, hint: answer.json().error.hint }).toEqual({
      status: 404,
      hint: 'Reinstall svc.',
    });
    await broken.closeClean();
  });
});

describe('an asset', () => {
  it.each([
    ['br', 'gzip, deflate, br, zstd', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['gzip', 'gzip, br;q=0', gunzipSync],
    [undefined, 'identity', (bytes: Buffer) => bytes],
  ])('is sent as %s for "%s"', async (encoding, accepted, decode) => {
    const { headers, rawPayload } = await app.http.inject({
      url: SCRIPT,
      headers: { host: 'localhost', 'accept-encoding': accepted },
    });
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers['content-length']).toBe(String(rawPayload.length));
    expect(headers.vary).toBe('Accept-Encoding');
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(decode(rawPayload)).toEqual(await readFile(script));
  });

  it.each([
    '/inbox/assets/unknown-1.js',
    '/inbox/assets/..%2Findex.html',
    '/inbox/assets/..%2f..%2f..%2fpackage.json',
    '/inbox/assets/%2e%2e/index.html',
    '/inbox/assets/main-ABCD.js.gz',
    '/inbox/assets/',
    '/inbox/assets/.hidden.js',
    '/inbox/assets/main-ABCD.js%00.css',
  ])('is not found at %s', async (url) => {
    const { statusCode } = await app.http.inject({ url, headers: { host: 'localhost' } });
    expect(statusCode).toBe(404);
  });
});
