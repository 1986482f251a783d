import { afterEach, beforeEach, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../support/servers/app.js';

let app: TestApp;

beforeEach(async () => {
  app = await startApp();
});

afterEach(() => app.closeClean());

it('distinguishes a field of a wrong type from a missing one', async () => {
  const body = { to: 'a@b.test', from: {}, html: 'x', tags: 'one', track_opens: 'yes' };
  const { status, json } = await app.call('POST', '/v1/emails', body);
  expect(status).toBe(422);
  expect(json.error.details).toEqual([
    { path: 'from', message: 'must be a string' },
    { path: 'tags', message: 'must be an array' },
    { path: 'track_opens', message: 'must be a boolean' },
    { path: 'subject', message: 'is required unless template_id is given' },
  ]);
  const missing = await app.call('POST', '/v1/emails', { to: 'a@b.test', subject: 'Hi', html: 'x' });
  expect(missing.json.error.details).toEqual([{ path: 'from', message: 'is required' }]);
});

it('refuses a query parameter that is given twice', async () => {
  const { status, json } = await app.call('GET', '/v1/emails?limit=1&limit=2');
  expect(status).toBe(400);
  expect(json.error.details).toEqual([{ path: 'limit', message: 'must be given once' }]);
});

it.each([
  ['POST', '/v1/emails', ['to', 'from', 'subject', 'html']],
  ['POST', '/v1/templates', ['name', 'subject', 'html']],
  ['POST', '/v1/domains', ['domain']],
  ['POST', '/v1/api-keys', ['name', 'environment']],
  ['POST', '/v1/webhooks', ['url', 'events']],
  ['POST', '/v1/templates/tpl_1/render', ['variables']],
])('names every missing field of an empty body: %s %s', async (method, path, fields) => {
  const { status, json } = await app.call(method, path, {});
  expect(status).toBe(422);
  const details: { path: string; message: string }[] = json.error.details;
  expect(details.map((detail) => detail.path)).toEqual(fields);
  for (const { message } of details) expect(message).toMatch(/^is required/);
});
