import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PostgresServer, startPostgres, withoutPostgres } from '../../support/postgres.js';
import { startApp } from '../../support/servers/app.js';

const EMAIL = { to: 'ada@example.test', from: 'app@example.test', subject: 'Hi', html: 'x' };

let server: PostgresServer;
beforeAll(async () => {
  if (!withoutPostgres) server = await startPostgres();
});
afterAll(() => server?.remove());

it.skipIf(withoutPostgres)(`reports how many emails were deleted${withoutPostgres}`, async () => {
  const url = await server.createDatabase();
  const name = new URL(url).pathname.slice(1);
  const app = await startApp({ storage: { postgres: url }, access: 'team', plan: 'none' });
  const oldest = (await app.call('POST', '/v1/emails', EMAIL)).json.data.id;
  await Promise.all(Array.from({ length: 99 }, () => app.call('POST', '/v1/emails', EMAIL)));
  // The batches go from the newest to the oldest email.
  await server.query(
    `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       RAISE EXCEPTION 'no space' USING ERRCODE = '53100'; END $$;
     CREATE TRIGGER fail BEFORE DELETE ON emails FOR EACH ROW WHEN (OLD.id = '${oldest}') EXECUTE FUNCTION fail()`,
    name,
  );
  const failed = await app.call('POST', '/_svc/emails/delete', { search: 'subject:Hi' });
  expect(failed).toMatchObject({
    status: 503,
    json: {
      error: {
        message: 'Cannot use the database: the disk is full. The request was stored in part: 64 emails were deleted.',
      },
    },
  });
  const left = await app.call('GET', '/v1/emails?limit=100');
  expect(left.json.data.emails).toHaveLength(36);

  const second = await app.call('POST', '/_svc/emails/delete', { search: 'subject:Hi' });
  expect(second.json.error.message).toBe(
    'Cannot use the database: the disk is full. Nothing of the request was stored.',
  );
  await app.close();
});
