import { afterEach, expect, it } from 'vitest';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
afterEach(() => app.closeClean());

it('names flags and commands of a server for a team, not those of svc dev', async () => {
  app = await startApp({ access: 'team', plan: 'free' });
  const hintOf = async (path: string, headers: Record<string, string> = {}) =>
    (await app.call('GET', path, undefined, headers)).json.error.hint;

  expect(await hintOf('/v1/emails', { authorization: 'Bearer svc_test_unknown' })).toBe(
    'Send the header "Authorization: Bearer <API_KEY>". Someone with an admin key creates keys with "svc ' +
      'api-keys create".',
  );
  expect(await hintOf('/v1/emails', { host: 'mail.example' })).toBe(
    'Use localhost or the server’s own address. To allow this name, start the server with --allow-host mail.example.',
  );
  const calls = Array.from({ length: 61 }, () =>
    app.call('GET', '/v1/emails', undefined, { authorization: `Bearer ${TEST_KEY}` }),
  );
  const limited = (await Promise.all(calls)).find(({ status }) => status === 429);
  expect(limited?.json.error.hint).toBe(
    'Wait for the number of seconds in Retry-After. The limits are those of the flag --plan; an admin can set the quota ' +
      'of a workspace.',
  );
});
