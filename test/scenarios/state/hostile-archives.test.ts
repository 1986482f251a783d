import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';
import { everythingOf, exportFrom } from '../../support/state.js';
import { quarantineOf } from '../../support/storage/damage.js';
import { base256, paxRecord, type RawMember, rawTar } from '../../support/storage/hostile-tar.js';

/** Tests archives made to hang a server, to fill its memory or disk, or to run code in its database. */

const EMAIL = { to: 'ada@example.test', from: 'app@example.test', subject: 'Hi', html: 'x' };
const MIB = 1024 * 1024;
const size = (octal: number) => `${octal.toString(8).padStart(11, '0')}\0`;

describe('a hostile archive', () => {
  let app: TestApp;
  let directory: ReturnType<typeof temporaryDirectory>;
  let manifest: Buffer;
  let database: Buffer;

  beforeAll(async () => {
    directory = temporaryDirectory();
    app = await startApp({ storage: { file: join(directory.path, 'mail.db') }, logRequests: false, plan: 'none' });
    app.clock.freeze();
    await app.call('POST', '/v1/emails', EMAIL);
    await app.drain();
    const tar = gunzipSync(await exportFrom(app));
    const manifestBytes = Number.parseInt(tar.toString('latin1', 124, 135), 8);
    manifest = tar.subarray(512, 512 + manifestBytes);
    const second = 512 + Math.ceil(manifestBytes / 512) * 512;
    const databaseBytes = Number.parseInt(tar.toString('latin1', second + 124, second + 135), 8);
    database = tar.subarray(second + 512, second + 512 + databaseBytes);
  });
  afterAll(async () => {
    await app.close();
    directory.remove();
  });

  const importTar = async (tar: Uint8Array, query = '') => {
    const response = await app.http.inject({
      method: 'POST',
      url: `/_svc/import${query}`,
      headers: { host: 'localhost', authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/gzip' },
      payload: gzipSync(tar, { level: 1 }),
    });
    return { status: response.statusCode, json: response.json() };
  };
  const first = (over: Partial<RawMember> = {}): RawMember => ({ name: 'manifest.json', content: manifest, ...over });
  const second = (over: Partial<RawMember> = {}): RawMember => ({ name: 'mail.db', content: database, ...over });

  async function expectRefused(tar: Uint8Array, message: RegExp, query = '') {
    const before = await everythingOf(app);
    const { status, json } = await importTar(tar, query);
    expect({ status, message: json.error?.message }).toEqual({ status: 400, message: expect.stringMatching(message) });
    expect(await everythingOf(app)).toEqual(before);
    expect((await app.call('GET', '/_svc/health')).status).toBe(200);
    expect(readdirSync(directory.path).filter((name) => name.startsWith('transfer-'))).toEqual([]);
    expect(app.faults).toEqual([]);
  }

  it('is created as svc creates it, apart from what each test changes', async () => {
    expect((await importTar(rawTar([first(), second()]))).status).toBe(200);
    expect(app.faults).toEqual([]);
  });

  const sizes: [string, string | Buffer][] = [
    ['blank', '           \0'],
    ['not a number', 'zzz        \0'],
    ['negative', '-0000000001\0'],
    ['negative in binary', base256(0xff, 0xfe)],
    ['2^88 in binary', base256(0x80, 0xff)],
    ['larger than the archive', size(0o7777777)],
  ];
  it.each(sizes)('whose manifest has a size that is %s is refused', (_, given) =>
    expectRefused(
      rawTar([first({ size: given }), second()]),
      /invalid|not a valid tar|truncated|too large|limit|not JSON/,
    ),
  );
  it.each(sizes)('whose database has a size that is %s is refused', (_, given) =>
    expectRefused(
      rawTar([first(), second({ size: given })]),
      /invalid|not a valid tar|truncated|limit|damaged|no mail/,
    ),
  );

  it('whose database has a size that no number can represent is refused with that reason', () =>
    expectRefused(rawTar([first(), second({ size: base256(0x80, 0xff) })]), /a file size in it is not a valid number/));

  it.each<[string, () => Uint8Array, RegExp]>([
    ['contains its database twice', () => rawTar([first(), second(), second()]), /contains mail\.db twice/],
    ['contains its manifest twice', () => rawTar([first(), first(), second()]), /contains manifest\.json twice/],
    [
      'contains another file after its database',
      () => rawTar([first(), second(), { name: 'notes.txt', content: Buffer.from('x') }]),
      /holds notes\.txt, which is not part of an export/,
    ],
    [
      'contains another file between its two',
      () => rawTar([first(), { name: '../notes.txt', content: Buffer.from('x') }, second()]),
      /holds \.\.\/notes\.txt, which is not part of an export/,
    ],
    [
      'contains a directory',
      () => rawTar([first(), second(), { name: 'd/', type: '5' }]),
      /holds d\/, which is not part of an export/,
    ],
    [
      'continues after its end',
      () => rawTar([first(), second()], Buffer.concat([Buffer.alloc(1024), Buffer.from('more')])),
      /data after its end/,
    ],
    [
      'continues with another archive',
      () => Buffer.concat([rawTar([first(), second()]), rawTar([first(), second()])]),
      /contains manifest\.json twice/,
    ],
    [
      'has a link as database',
      () => rawTar([first(), second({ type: '2', content: Buffer.alloc(0) })]),
      /mail\.db is not a regular file/,
    ],
    [
      'has a hard link as database',
      () => rawTar([first(), second({ type: '1', content: Buffer.alloc(0) })]),
      /mail\.db is not a regular file/,
    ],
    [
      'has a device as database',
      () => rawTar([first(), second({ type: '3', content: Buffer.alloc(0) })]),
      /mail\.db is not a regular file/,
    ],
    [
      'has a manifest of 65 KiB',
      () => rawTar([first({ content: Buffer.alloc(65 * 1024, ' ') }), second()]),
      /too large/,
    ],
    [
      'contains 2 MiB of other data',
      () => rawTar([first(), { name: 'other', content: Buffer.alloc(2 * MIB) }, second()]),
      /holds other, which is not part of an export/,
    ],
    ['continues with zeros', () => rawTar([first(), second()], Buffer.alloc(4 * MIB)), /more than the two files/],
    [
      'has an extended header of 3 MiB',
      () => rawTar([first(), { name: 'x', type: 'x', content: Buffer.alloc(3 * MIB, 'a') }, second()]),
      /more than the two files/,
    ],
    [
      'has an extended header with a declared size of 8 GiB',
      () => rawTar([first(), { name: 'x', type: 'x', content: Buffer.alloc(512), size: size(8 ** 11 - 1) }, second()]),
      /not a valid tar/,
    ],
    [
      'has an extended header with a size that is not a number',
      () => rawTar([first(), { name: 'x', type: 'x', content: paxRecord('size', 'many') }, second()]),
      /not a valid tar|invalid/,
    ],
    [
      'has an extended header with an absurd size',
      () => rawTar([first(), { name: 'x', type: 'x', content: paxRecord('size', '9'.repeat(30)) }, second()]),
      /invalid|limit/,
    ],
  ])('that %s is refused', (_, make, message) => expectRefused(make(), message));

  it('that unpacks to more than the caller allows is refused before it is unpacked', async () => {
    const bomb = rawTar([first(), second({ content: Buffer.alloc(32 * MIB) })]);

    await expectRefused(bomb, /unpacks to \d+ bytes; the limit is 1000000 bytes/, '?max_bytes=1000000');
    const { json } = await importTar(bomb, '?max_bytes=1000000');
    expect(json.error.hint).toContain('max_bytes');
  });

  it('cannot be allowed to unpack to more than the server allows', async () => {
    expect((await importTar(rawTar([first(), second()]), `?max_bytes=${2 ** 50}`)).status).toBe(400);
  });

  /** Returns the exported database, changed. */
  function changed(sql: string): Buffer {
    const file = join(directory.path, 'changed.db');
    writeFileSync(file, database);
    const db = new Database(file);
    db.exec(sql);
    const bytes = db.serialize();
    db.close();
    return bytes;
  }
  const LOOP =
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000000) SELECT count(i) FROM n';
  const JOB = `INSERT INTO jobs (kind, run_at, payload) VALUES ('email.deliver', 0, '{}');`;

  it.each([
    ['a trigger', `${JOB} CREATE TRIGGER slow AFTER UPDATE ON jobs BEGIN SELECT (${LOOP}); END`],
    ['a view', 'CREATE VIEW v AS SELECT 1'],
    ['another table', 'CREATE TABLE t (a)'],
    ['another index', 'CREATE INDEX i ON jobs (payload)'],
    ['a virtual table', 'CREATE VIRTUAL TABLE t USING fts5(a)'],
    ['a generated column', 'ALTER TABLE jobs ADD COLUMN g TEXT GENERATED ALWAYS AS (payload) VIRTUAL'],
    ['a missing table', 'DROP TABLE settings'],
  ])('with a database that has %s is refused before anything in it runs', async (_, sql) => {
    const tar = rawTar([first(), second({ content: changed(sql) })]);
    await expectRefused(tar, /its tables are not those that svc made/);
  });

  it('whose database has a damaged page is refused', async () => {
    const damaged = Buffer.from(database);
    for (let page = 4096; page < damaged.length; page += 4096) damaged.fill(0xaa, page, page + 64);
    await expectRefused(rawTar([first(), second({ content: damaged })]), /damaged/);
  });

  it('with damaged rows is imported without them, and their number is reported', async () => {
    const file = join(directory.path, 'rows.db');
    writeFileSync(file, database);
    const db = new Database(file);
    db.exec(
      "UPDATE emails SET created_at = 9000000000000000000; INSERT INTO jobs (kind, run_at, payload) VALUES ('x', 0, '}')",
    );
    const content = db.serialize();
    db.close();

    const { status, json } = await importTar(rawTar([first(), second({ content })]));

    expect({ status, data: json.data }).toMatchObject({ status: 200, data: { set_aside: 2, api_keys: 1 } });
    expect((await app.call('GET', '/v1/emails')).json.data.emails).toEqual([]);
    const tables = quarantineOf(join(directory.path, 'mail.db')).map(({ table_name }) => table_name);
    expect(tables).toEqual(expect.arrayContaining(['emails', 'jobs']));
    expect(app.faults).toEqual([]);
  });

  it('reports where it would send events, and sends none with pause_webhooks', async () => {
    await app.call('POST', '/v1/webhooks', {
      url: 'https://hooks.example/in',
      events: ['email.sent'],
      secret: 'whsec_x',
    });
    const archive = gunzipSync(await exportFrom(app));

    expect((await importTar(archive)).json.data.active_webhooks).toEqual(['https://hooks.example/in']);
    expect((await importTar(archive, '?pause_webhooks=true')).json.data.active_webhooks).toEqual([]);
    expect((await app.call('GET', '/v1/webhooks')).json.data.webhooks).toMatchObject([{ active: false }]);
  });
});
