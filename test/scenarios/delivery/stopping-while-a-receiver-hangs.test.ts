import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { startReceiver } from '../../support/servers/receiver.js';

/** Tests a server that stops while an event waits for the one before it, whose receiver does not answer. */

const ANYWHERE = { host: '127.0.0.1', port: 0 };

let directory: ReturnType<typeof temporaryDirectory>;
let app: TestApp;

beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(async () => {
  await app.close();
  directory.remove();
});

it('the next server posts at once what has not been posted', async () => {
  const file = join(directory.path, 'mail.db');
  const silent = await startReceiver(() => {});
  app = await start(file);
  await app.call('POST', '/v1/webhooks', { url: silent.url, events: ['email.sent', 'email.delivered'] });
  await app.call('POST', '/v1/emails', { to: 'ada@example.test', from: 'a@example.test', subject: 's', html: 'h' });
  await silent.until(1);
  // Until the email is delivered, its second event does not exist.
  while ((await app.call('GET', '/_svc/info')).json.data.last_event < 2);

  await app.close();
  await silent.close();

  expect(leasesIn(file)).toBe(0);
  const answering = await startReceiver(undefined, Number(new URL(silent.url).port));
  app = await start(file);
  const [first] = await answering.until(1);
  expect(JSON.parse(first!.body.toString()).type).toBe('email.delivered');
  expect(first!.headers['x-service-attempt']).toBe('1');
  await answering.close();
});

async function start(file: string): Promise<TestApp> {
  const started = await startApp({ storage: { file } });
  await started.listen({ http: ANYWHERE, smtp: ANYWHERE });
  return started;
}

function leasesIn(file: string): unknown {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare('SELECT count(*) FROM jobs WHERE lease_until > 0').pluck().get();
  } finally {
    db.close();
  }
}
