import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteIfExists } from '../../../src/cli/command/delete-if-exists.js';
import { Client } from '../../../src/client/client.js';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';

/** Tests --if-exists, with commands' client in the process of a server. */

describe('a deletion with --if-exists', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.closeClean());

  function deleteAt(baseUrl: string, fetch: typeof app.fetch = app.fetch): Promise<boolean> {
    const client = new Client({ baseUrl, apiKey: TEST_KEY, userAgent: 'test', fetch });
    const remove = () => client.call('domains.delete', { params: { domain: 'mail.example.test' } });
    return deleteIfExists({ 'if-exists': true }, remove, { client });
  }

  it('succeeds if the service does not have the resource', async () => {
    expect(await deleteAt('http://any.host.test/v1')).toBe(false);
  });

  it('succeeds with a key that may delete domains, but not list them', async () => {
    const forbidden = { error: { code: 'authorization_error', message: 'Not permitted.' } };
    const fetch: typeof app.fetch = async (url, init) =>
      init?.method === 'DELETE' ? app.fetch(url, init) : Response.json(forbidden, { status: 403 });

    expect(await deleteAt('http://any.host.test/v1', fetch)).toBe(false);
  });

  it('fails at an address where the service does not have its endpoints', async () => {
    await expect(deleteAt('http://any.host.test/api/v1')).rejects.toMatchObject({
      code: 'not_found',
      message: 'No route matches DELETE /api/v1/domains/mail.example.test.',
      hint: expect.stringContaining('the base URL is probably wrong'),
    });
  });
});
