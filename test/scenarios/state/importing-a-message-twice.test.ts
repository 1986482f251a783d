import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

/** Tests messages that several imports add at once, and one whose email was set aside. */

let directory: ReturnType<typeof temporaryDirectory>;
let file: string;
let app: TestApp;

beforeEach(async () => {
  directory = temporaryDirectory();
  file = join(directory.path, 'mail.db');
  app = await startApp({ storage: { file } });
});
afterEach(async () => {
  await app.closeClean();
  directory.remove();
});

const HEADER = 'From: a@example.test\r\nTo: ada@example.test\r\nSubject: Old\r\n\r\n';

async function importMessage(body: string) {
  const type = { 'content-type': 'message/rfc822' };
  const { status, json } = await app.call('POST', '/_svc/emails?import_key=k', HEADER + body, type);
  expect(status).toBe(201);
  return json.data as { id: string; added: boolean };
}

function inDatabase<T>(run: (db: Database.Database) => T): T {
  const db = new Database(file);
  try {
    return run(db);
  } finally {
    db.close();
  }
}

it('stores a large message once that two imports add at the same time', async () => {
  const body = 'x'.repeat(2 * 1024 * 1024);
  const results = await Promise.all([importMessage(body), importMessage(body)]);

  expect(results.map(({ added }) => added).sort()).toEqual([false, true]);
  expect(new Set(results.map(({ id }) => id)).size).toBe(1);
  await app.call('POST', '/_svc/settle', {});
  // The raw message and its text.
  expect(inDatabase((db) => db.prepare('SELECT count(DISTINCT content_key) FROM chunks').pluck().get())).toBe(2);
});

it('adds a message again whose email was set aside', async () => {
  const first = await importMessage('x');
  await app.call('POST', '/_svc/settle', {});
  await app.closeClean();
  inDatabase((db) => {
    db.pragma('foreign_keys = OFF');
    db.prepare('DELETE FROM emails').run();
  });
  app = await startApp({ storage: { file } });

  const again = await importMessage('x');
  expect(again).toMatchObject({ added: true });
  expect(again.id).not.toBe(first.id);
  expect(await importMessage('x')).toEqual({ id: again.id, added: false });
});
