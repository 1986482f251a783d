import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

/** Specification: Errors; gap 11. */

describe('a fault of the server', () => {
  let app: TestApp;
  const directory = temporaryDirectory();
  const file = join(directory.path, 'mail.db');

  beforeEach(async () => {
    app = await startApp({ storage: { file } });
  });

  afterEach(async () => {
    await app.close();
    directory.remove();
  });

  it('is 500 internal_error in the envelope, without its cause', async () => {
    const database = new Database(file);
    database.exec('DROP TABLE webhooks');
    database.close();

    const answer = await app.call('GET', '/v1/webhooks');

    expect(answer.status).toBe(500);
    expect(answer.json).toEqual({
      success: false,
      error: {
        code: 'internal_error',
        message: expect.stringMatching(/^(?!.*(sql|table)).+$/is),
        status: 500,
        hint: expect.any(String),
      },
      meta: { request_id: answer.headers['x-request-id'], timestamp: expect.stringMatching(/Z$/) },
    });
    expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': expect.anything() });
    expect(String(app.faults[0])).toMatch(/no such table: webhooks/);
    expect((await app.call('GET', '/v1/emails')).status).toBe(200);
  });
});
