import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPostgresStore } from '../../../src/storage/postgres/store.js';
import { openSqliteStore } from '../../../src/storage/sqlite/store.js';
import { deliver } from '../../support/mail/smtp-session.js';
import { type PostgresServer, startPostgres, withoutPostgres } from '../../support/postgres.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { insertEmail } from '../records.js';

/** Returns letters that PostgreSQL cannot compress into the size that a B-tree allows. */
const letters = (count: number) => randomBytes(count).toString('hex').slice(0, count);
const MAILBOX = { to: 'ada@example.test', from: 'app@example.test', subject: 'Hi', html: 'x' };

describe.skipIf(withoutPostgres)(`texts that are longer than a B-tree of PostgreSQL allows${withoutPostgres}`, () => {
  let server: PostgresServer;
  let app: TestApp;
  beforeAll(async () => {
    server = await startPostgres();
  });
  beforeEach(async () => {
    app = await startApp({ storage: { postgres: await server.createDatabase() } });
  });
  afterEach(() => app.closeClean());
  afterAll(() => server?.remove());

  it('are captured in every header field', async () => {
    const { smtp } = await app.listen({ http: { host: '127.0.0.1', port: 0 }, smtp: { host: '127.0.0.1', port: 0 } });
    const fields = ['From', 'To', 'Cc', 'Reply-To'].map((name) => `${name}: <${letters(6_000)}@x.test>\r\n`);
    const subject = letters(9_000);
    await deliver(smtp, `${fields.join('')}Subject: ${subject}\r\nMessage-ID: <${letters(6_000)}>\r\n\r\nhi\r\n`);
    await app.drain();
    const { emails } = await app.read('/v1/emails');
    expect(emails).toMatchObject([{ status: 'delivered' }]);
    expect(emails[0].subject.slice(0, 900)).toBe(subject.slice(0, 900));
    expect(emails[0].from).toContain('@x.test');
  });

  it('are accepted as tags whose form for searches is many times as long', async () => {
    const expanding = Array.from(randomBytes(200), (byte) => String.fromCodePoint(0xfdf0 + (byte % 12))).join('');
    const tags = [expanding, '\uf8ff'.repeat(256), letters(256)];
    const sent = await app.call('POST', '/v1/emails', { ...MAILBOX, tags });
    expect(sent.status).toBe(201);
    await app.drain();
    for (const tag of tags) {
      const { emails } = await app.read(`/_svc/emails?search=${encodeURIComponent(`tag:"${tag}"`)}`);
      expect(emails).toHaveLength(1);
    }
  });

  it('are accepted in every other indexed field up to the limit of the contract', async () => {
    const name = '\u{10ffff}'.repeat(127);
    const template = await app.call('POST', '/v1/templates', { name, subject: 'x', html: 'x' });
    expect(template.status).toBe(201);
    const local = letters(64);
    const domain = [letters(60), letters(60), letters(60), 'test'].join('.');
    expect((await app.call('POST', '/v1/domains', { domain })).status).toBe(201);
    expect((await app.call('POST', '/_svc/suppressions', { address: `${local}@${domain}` })).status).toBe(201);
  });

  it('are dropped from the archive of an earlier version', async () => {
    const source = openSqliteStore('memory');
    await source.write((tx) => insertEmail(tx, 'msg_1', { fromMailbox: letters(6_000) }));
    const snapshot = await source.snapshot();
    const target = await openPostgresStore(await server.createDatabase(), { process: 'test' });
    const staged = await target.stage(Readable.from(snapshot.read()));
    await target.write((tx) => tx.replace(staged));
    expect((await target.read.emails.find('msg_1'))?.fromMailbox).toBe('');
    for (const each of [snapshot, staged]) await each.discard();
    for (const store of [source, target]) await store.close();
  });
});
