import { afterEach, beforeEach, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';

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
  ]);
  const missing = await app.call('POST', '/v1/emails', { to: 'a@b.test', subject: 'Hi', html: 'x' });
  expect(missing.json.error.details).toEqual([{ path: 'from', message: 'is required' }]);
});
