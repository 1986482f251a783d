import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { everythingOf, exportFrom, importInto } from '../../support/state.js';

/**
 * Tests that anything but a complete state of svc is refused, and nothing changes. tar unpacks and packs the archives.
 */

const EMAIL = { to: 'ada@example.test', from: 'app@example.test', subject: 'Hi', html: 'x' };

describe('an import', () => {
  let app: TestApp;
  let directory: ReturnType<typeof temporaryDirectory>;
  let archive: Buffer;

  beforeEach(async () => {
    directory = temporaryDirectory();
    app = await startApp({ storage: { file: join(directory.path, 'mail.db') }, logRequests: false });
    app.clock.freeze();
    await app.call('POST', '/v1/emails', { ...EMAIL, subject: 'exported' });
    await app.drain();
    archive = await exportFrom(app);
    await app.call('POST', '/v1/emails', { ...EMAIL, subject: 'since' });
    await app.drain();
  });
  afterEach(async () => {
    await app.close();
    directory.remove();
  });

  /** Returns the archive with its files changed, packed again by tar. */
  function repacked(change: (path: (name: string) => string) => void, members = ['manifest.json', 'mail.db']): Buffer {
    const path = (name: string) => join(directory.path, 'unpacked', name);
    mkdirSync(path(''));
    execFileSync('tar', ['xzf', '-', '-C', path('')], { input: archive });
    change(path);
    return execFileSync('tar', ['czf', '-', '-C', path(''), ...members], { maxBuffer: 2 ** 26 });
  }

  const withManifest = (changes: object) =>
    repacked((path) => {
      const manifest = JSON.parse(readFileSync(path('manifest.json'), 'utf8'));
      writeFileSync(path('manifest.json'), JSON.stringify({ ...manifest, ...changes }));
    });

  const withDatabase = (change: (db: Database.Database) => void) =>
    repacked((path) => {
      const db = new Database(path('mail.db'));
      change(db);
      db.close();
    });

  const damaged = () => {
    const bytes = Buffer.from(archive);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 0x40;
    return bytes;
  };

  it.each<[string, () => Buffer, RegExp]>([
    ['an empty file', () => Buffer.alloc(0), /The archive is empty/],
    ['a single byte', () => Buffer.from('x'), /not an svc archive: it is not compressed/],
    ['text after the archive', () => Buffer.concat([archive, Buffer.from('more')]), /data after its end/],
    ['zeros after the archive', () => Buffer.concat([archive, Buffer.alloc(100)]), /data after its end/],
    ['another file', () => Buffer.from('{"emails": []}'), /not an svc archive: it is not compressed/],
    ['other compressed data', () => gzipSync('hello'), /truncated|not a valid tar/],
    ['a compressed database without a tar', () => gzipSync(Buffer.alloc(4096, 'x')), /not a valid tar/],
    ['a truncated file', () => archive.subarray(0, archive.length >> 1), /truncated/],
    ['a file whose last byte is missing', () => archive.subarray(0, -1), /truncated/],
    [
      'a tar that was truncated before it was compressed',
      () => gzipSync(gunzipSync(archive).subarray(0, -4096)),
      /truncated/,
    ],
    ['a file with a flipped bit', damaged, /damaged/],
    ['an archive of a newer format', () => withManifest({ format_version: 99 }), /newer svc \(format 99; .*Update svc/],
    ['an archive of another program', () => withManifest({ format: 'other' }), /not an svc archive/],
    ['an invalid manifest', () => withManifest({ exported_at: 5 }), /manifest\.json is damaged/],
    ['an archive without its manifest', () => repacked(() => {}, ['mail.db']), /begin with manifest\.json/],
    ['an archive without its database', () => repacked(() => {}, ['manifest.json']), /no mail\.db/],
    [
      'a newer database',
      () => withDatabase((db) => db.pragma('user_version = 999')),
      /newer version of svc \(schema 999; .*Update svc/,
    ],
    ['the database of another program', () => withDatabase((db) => db.pragma('application_id = 1')), /another program/],
    [
      'a database with another table',
      () => withDatabase((db) => db.exec('CREATE TABLE x (y)')),
      /not those that svc made/,
    ],
    [
      'a table that is a view',
      () => withDatabase((db) => db.exec('DROP TABLE rules; CREATE VIEW rules AS SELECT 1')),
      /not those that svc made/,
    ],
    [
      'rows with dangling references',
      () => withDatabase((db) => db.exec('PRAGMA foreign_keys = OFF; DELETE FROM emails')),
      /damaged: a row of (?:recipients|email_warnings|bodies|email_extracts|unindexed) refers/,
    ],
    [
      'a file that is not a database',
      () => repacked((path) => writeFileSync(path('mail.db'), 'x'.repeat(8192))),
      /database/,
    ],
  ])('of %s is refused, and nothing changes', async (_, make, message) => {
    const before = await everythingOf(app);

    const { status, json } = await importInto(app, make());

    expect({ status, error: json.error }).toMatchObject({
      status: 400,
      error: { code: 'validation_error', message: expect.stringMatching(message) },
    });
    expect(await everythingOf(app)).toEqual(before);
    expect(readdirSync(directory.path).filter((name) => name.startsWith('transfer-'))).toEqual([]);
    expect(app.faults).toEqual([]);
  });

  it('of an invalid time fails, and nothing changes', async () => {
    const before = await everythingOf(app);
    const made = withDatabase((db) => db.exec("INSERT INTO settings VALUES ('clock', 'soon')"));

    expect((await importInto(app, made)).status).toBe(400);
    expect(await everythingOf(app)).toEqual(before);
  });

  it('of an archive packed again by tar is accepted', async () => {
    const made = repacked(() => {}, ['./manifest.json', './mail.db']);

    expect((await importInto(app, made)).status).toBe(200);
    const { emails } = (await app.call('GET', '/v1/emails')).json.data;
    expect(emails).toMatchObject([{ subject: 'exported' }]);
  });

  it('of a database of a version before the first release is refused, and nothing changes', async () => {
    const before = await everythingOf(app);
    const made = withDatabase((db) => db.pragma('user_version = 23'));

    const { status, json } = await importInto(app, made);

    expect({ status, message: json.error.message }).toEqual({
      status: 400,
      message: expect.stringMatching(
        /^The database in the archive was written by an earlier version of svc \(schema 23;/,
      ),
    });
    expect(await everythingOf(app)).toEqual(before);
  });

  it('sent as JSON, or without a body, is refused with what to send', async () => {
    for (const body of [{}, undefined]) {
      const { status, json } = await app.call('POST', '/_svc/import', body);
      expect({ status, message: json.error.message }).toEqual({
        status: 400,
        message: 'The request body must be sent with Content-Type: application/gzip.',
      });
    }
  });
});
