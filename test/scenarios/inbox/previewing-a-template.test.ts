import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type InboxApp, openSession, startInboxApp } from '../../support/inbox/inbox-app.js';
import { isOnPostgres } from '../../support/servers/storage.js';

/** Tests previews of templates that are not saved. */

let app: InboxApp;
let page: Record<string, string>;

beforeAll(async () => {
  app = await startInboxApp();
  page = await openSession(app.origin);
});
afterAll(() => app.closeClean());

async function preview(body: object) {
  const response = await fetch(`${app.origin}/_svc/inbox/previews`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: app.origin, ...page },
    body: JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries
  return { status: response.status, ...((await response.json()) as any) };
}

async function get(url: string) {
  const response = await fetch(new URL(url, app.origin));
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const template = { subject: 'Hi {{name}}', html: '<p>Hi {{name}}</p>', text: 'Hi {{name}}' };

it('renders as a saved template is rendered', async () => {
  const { json } = await app.call('POST', '/v1/templates', { name: 'welcome', ...template });
  const variables = { name: 'Ada <3' };
  const saved = await app.call('POST', `/v1/templates/${json.data.id}/render`, { variables });

  const { status, data } = await preview({ ...template, variables });

  expect(status).toBe(201);
  expect(data).toEqual({
    ...saved.json.data,
    expires_at: expect.any(String),
    urls: { html: expect.any(String), html_remote: expect.any(String) },
  });
});

it('serves the HTML as safely as that of an email', async () => {
  const html = '<script>alert(1)</script><img src="https://a.example/x.png"><a href="https://shop.example/">Shop</a>';
  const { data } = await preview({ ...template, html, variables: { name: 'Ada' } });

  const [blocked, allowed] = await Promise.all([get(data.urls.html), get(data.urls.html_remote)]);

  expect(blocked.status).toBe(200);
  expect(blocked.text).not.toMatch(/script|a\.example|href="https/);
  expect(blocked.text).toContain('href="/inbox/leave?');
  expect(blocked.headers.get('content-security-policy')).toMatch(/^default-src 'none'; .* sandbox allow-popups/);
  expect(allowed.text).toContain('src="https://a.example/x.png"');
});

it('refuses what a render refuses, with the field', async () => {
  expect(await preview({ ...template, variables: {} })).toMatchObject({
    status: 422,
    error: { code: 'invalid_variables', details: [{ path: 'variables.name', message: 'is missing' }] },
  });
  expect(await preview({ ...template, html: ' ', variables: {} })).toMatchObject({
    status: 422,
    error: { details: [{ path: 'html' }] },
  });
});

it('needs a session or a key, and a signed URL that has not expired', async () => {
  const { data } = await preview({ ...template, variables: { name: 'Ada' } });
  const url: string = data.urls.html;

  expect((await get(url.replace('previews/', 'previews/x'))).status).toBe(403);
  const later = Date.now() + 5 * 60_000;
  vi.spyOn(Date, 'now').mockReturnValue(later);
  expect((await get(url)).status).toBe(403);
  vi.restoreAllMocks();
  const anonymous = await fetch(`${app.origin}/_svc/inbox/previews`, { method: 'POST' });
  expect(anonymous.status).toBe(401);
});

// PostgreSQL keeps previews in a table until they expire.
it.skipIf(isOnPostgres)('replaces the oldest previews when they take too much memory', async () => {
  const { data: first } = await preview({ ...template, variables: { name: 'Ada' } });
  const large = { ...template, html: '{{a}}'.repeat(8), variables: { name: 'Ada', a: 'x'.repeat(1_000_000) } };
  let { data: last } = await preview(large);
  expect((await get(first.urls.html)).status).toBe(200);
  for (let count = 0; count < 4; count += 1) ({ data: last } = await preview(large));

  expect((await get(first.urls.html)).status).toBe(403);
  expect((await get(last.urls.html)).status).toBe(200);
});
