import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../../../src/storage/sqlite/store.js';
import { emailOf } from '../../../storage/records.js';
import { temporaryDirectory } from '../../../support/cli/binary.js';
import { deliver } from '../../../support/mail/smtp-session.js';
import { startApp, type TestApp } from '../../../support/servers/app.js';
import { startReceiver } from '../../../support/servers/receiver.js';
import { send } from '../../../support/simulation.js';
import { exportFrom, importInto } from '../../../support/state.js';

const ADDRESSES = { http: { host: '127.0.0.1', port: 0 }, smtp: { host: '127.0.0.1', port: 0 } };
const SECRETS = ['classified-subject', 'classified-html', 'classified-text', 'classified-name', 'classified-raw'];

describe('POST /_svc/emails/delete', () => {
  let app: TestApp;
  let directory: ReturnType<typeof temporaryDirectory>;

  beforeEach(async () => {
    directory = temporaryDirectory();
    app = await startApp({ storage: { file: join(directory.path, 'mail.db') } });
  });
  afterEach(async () => {
    await app.closeClean();
    directory.remove();
  });

  const remove = async (body: unknown) => {
    const { status, json } = await app.call('POST', '/_svc/emails/delete', body);
    return { status, ...(json.data ?? json.error) };
  };
  const subjects = async () =>
    (await app.read('/v1/emails?limit=100')).emails.map(({ subject }: { subject: string }) => subject);

  it('deletes emails by ID, and nothing if one does not exist', async () => {
    const [one, two] = [await send(app, 'ada@example.test'), await send(app, 'bob@example.test')];
    expect(await remove({ ids: [one, 'msg_none'] })).toMatchObject({ status: 404, message: /"msg_none" not found/ });
    expect(await subjects()).toHaveLength(2);

    expect(await remove({ ids: [one, 'msg_none', one], if_exists: true })).toEqual({ status: 200, deleted: 1 });
    expect(await remove({ ids: [two] })).toEqual({ status: 200, deleted: 1 });
    expect(await subjects()).toEqual([]);
  });

  it('deletes emails that match a query, and keeps counts', async () => {
    await send(app, 'ada@example.test', { subject: 'Reset your password' });
    await send(app, 'ada@example.test', { subject: 'Your order' });
    await send(app, 'bob@example.test', { subject: 'Reset your password' });
    await app.drain();
    const [analytics, { last_event }] = [await app.read('/v1/analytics/emails'), await app.read('/_svc/info')];

    expect(await remove({ search: 'to:ada@example.test subject:reset' })).toEqual({ status: 200, deleted: 1 });

    expect((await subjects()).sort()).toEqual(['Reset your password', 'Your order']);
    expect(await app.read('/v1/analytics/emails')).toEqual(analytics);
    expect((await app.read('/_svc/info')).last_event).toBe(last_event);
    expect(await remove({ search: 'subject:reset OR subject:order' })).toEqual({ status: 200, deleted: 2 });
    expect(await remove({ search: 'subject:reset' })).toEqual({ status: 200, deleted: 0 });
  });

  it('deletes all in short transactions, and answers other requests meanwhile', async () => {
    const count = 300;
    await Promise.all(Array.from({ length: count }, () => send(app, 'ada@example.test')));
    let isDone = false;
    const removing = remove({ all: true }).finally(() => {
      isDone = true;
    });
    let answered = 0;
    while (!isDone) {
      expect((await app.call('GET', '/_svc/health')).status).toBe(200);
      answered += 1;
      await setImmediate();
    }
    expect(await removing).toEqual({ status: 200, deleted: count });
    expect(answered).toBeGreaterThan(3);
    expect(await subjects()).toEqual([]);
  });

  it('listens to its connection once, however many emails it deletes', async () => {
    const file = join(directory.path, 'many.db');
    const count = 11_000;
    const store = openSqliteStore({ file });
    await store.write(async (tx) => {
      for (let n = 0; n < count; n += 1) await tx.emails.insert(emailOf(`msg_${n}`, { pending: 0 }), [], []);
    });
    await store.close();
    const other = await startApp({ storage: { file } });
    const warnings: string[] = [];
    const onWarning = ({ message }: Error) => warnings.push(message);
    process.on('warning', onWarning);

    const { json } = await other.call('POST', '/_svc/emails/delete', { all: true });

    await setImmediate();
    process.off('warning', onWarning);
    expect({ ...json.data, warnings }).toEqual({ deleted: count, warnings: [] });
    await other.closeClean();
  });

  it('leaves no trace of the contents in a later export', async () => {
    const { smtp } = await app.listen(ADDRESSES);
    const [subject, html, text, name, raw] = SECRETS;
    const attachment = {
      contentType: 'text/plain',
      filename: `${name}.txt`,
      content: Buffer.from(`${raw} ${'x'.repeat(9_000)}`).toString('base64'),
    };
    for (let index = 0; index < 20; index += 1) {
      await send(app, 'ada@example.test', { subject, html: `<p>${html}</p>`, text, attachments: [attachment] });
      await send(app, 'eve@example.test', { subject: 'kept', html: '<p>kept</p>', text: 'kept' });
    }
    // Larger than one row, so it is stored in chunks.
    await send(app, 'ada@example.test', { subject, html: `<p>${html}</p>`.repeat(100_000), text });
    const large = `${raw}\r\n`.repeat(100_000);
    for (const body of [raw, large]) {
      const message = `Subject: ${subject}\r\nTo: ada@example.test\r\n\r\n${body}\r\n`;
      await deliver(smtp, Buffer.from(message), { to: ['ada@example.test'] });
    }
    await app.drain();
    expect(await subjects()).toHaveLength(43);
    const before = gunzipSync(await exportFrom(app)).toString('latin1');
    for (const secret of SECRETS) expect(before).toContain(secret);

    expect(await remove({ search: 'to:ada@example.test' })).toEqual({ status: 200, deleted: 23 });

    const after = gunzipSync(await exportFrom(app)).toString('latin1');
    for (const secret of SECRETS) expect({ secret, found: after.includes(secret) }).toEqual({ secret, found: false });
    expect(after).toContain('kept');
  });

  it('does not bring back a message that is deleted before it is parsed', async () => {
    const { smtp } = await app.listen(ADDRESSES);
    await deliver(smtp, Buffer.from('Subject: unparsed\r\n\r\nx\r\n'), { to: ['ada@example.test'] });
    expect(await remove({ all: true })).toEqual({ status: 200, deleted: 1 });
    await app.drain();
    expect(await subjects()).toEqual([]);
  });

  it('still posts the events of deleted emails to webhooks', async () => {
    const receiver = await startReceiver((response) => void response.writeHead(200).end());
    await app.call('POST', '/v1/webhooks', { url: receiver.url, events: ['email.delivered'] });
    await send(app, 'ada@example.test');
    expect(await remove({ all: true })).toEqual({ status: 200, deleted: 1 });
    await app.drain();
    expect(receiver.received).toHaveLength(1);
    expect((await app.read('/_svc/deliveries')).deliveries).toEqual([]);
    await receiver.close();
  });

  it.each([
    ['no selection', {}, 'must contain exactly one of ids, search and all'],
    ['two selections', { ids: ['msg_1'], all: true }, 'must contain exactly one of ids, search and all'],
    ['no IDs', { ids: [] }, 'ids: must not be empty'],
    ['too many IDs', { ids: Array(5_001).fill('msg_1') }, 'ids: must have at most 5000 IDs'],
    ['all set to false', { all: false }, 'all: must be true'],
    ['an empty query', { search: '' }, 'search: must not be empty'],
    ['an unknown field', { search: 'form:ada' }, 'search: unknown field "form" at column 1'],
    ['an invalid regular expression', { search: 'subject:/(/' }, 'search: '],
  ])('refuses %s', async (_, body, message) => {
    await send(app, 'ada@example.test');
    expect(await remove(body)).toMatchObject({ status: 422, message: expect.stringContaining(message) });
    expect(await subjects()).toHaveLength(1);
  });
});

describe('reading emails', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await startApp();
  });
  afterEach(() => app.closeClean());

  const mark = async (body: unknown) => (await app.call('POST', '/_svc/emails/mark', body)).json.data?.updated;
  const unread = () => mark({ search: 'is:unread', read: false });

  it('marks one email, or all that match, as read or unread', async () => {
    const one = await send(app, 'ada@example.test');
    await send(app, 'bob@example.test');
    await send(app, 'bob@example.test');
    expect(await unread()).toBe(3);

    const patched = await app.call('PATCH', `/_svc/emails/${one}`, { read: true });
    expect(patched.json.data).toEqual({ id: one, read: true });
    expect(await unread()).toBe(2);
    expect(await mark({ search: 'to:bob@example.test' })).toBe(2);
    expect(await unread()).toBe(0);
    expect(await mark({ search: 'is:read', read: false })).toBe(3);
    expect(await unread()).toBe(3);
    expect(await mark({ ids: [one] })).toBe(1);
    expect(await unread()).toBe(2);

    expect((await app.call('PATCH', '/_svc/emails/msg_none', { read: true })).status).toBe(404);
    expect((await app.call('PATCH', `/_svc/emails/${one}`, {})).status).toBe(422);
    expect(await mark({ all: true, read: false })).toBe(3);
  });

  it('adds and removes tags next to those of the sender, and marks nothing as read', async () => {
    const one = await send(app, 'ada@example.test', { tags: ['billing'] });
    const two = await send(app, 'bob@example.test');
    const found = async (search: string) =>
      (await app.read(`/_svc/emails?search=${search}`)).emails.map(({ id }: { id: string }) => id);

    expect(await mark({ all: true, add_tags: ['billing', 'to do'] })).toBe(2);
    expect(await mark({ ids: [one], add_tags: ['seen'], remove_tags: ['billing', 'to do'] })).toBe(1);

    expect(await app.read(`/v1/emails/${one}`)).toMatchObject({ tags: ['billing'] });
    expect(await app.read(`/_svc/emails/${one}`)).toMatchObject({ added_tags: ['seen'], read: false });
    expect(await app.read(`/_svc/emails/${two}`)).toMatchObject({ added_tags: ['billing', 'to do'] });
    expect([await found('tag:billing'), await found('tag:"to do"'), await found('-tag:seen')]).toEqual([
      [two, one],
      [two],
      [two],
    ]);
    expect(await app.read('/v1/emails?tags=billing')).toMatchObject({ emails: [{ id: one }] });
    expect(await app.read('/_svc/emails/counts')).toMatchObject({
      ...{ senders: [{ value: 'shop@example.test', count: 2 }] },
      tags: ['billing', 'seen', 'to do'].map((value, index) => ({ value, count: index === 0 ? 2 : 1 })),
    });
    expect(await mark({ ids: [two], add_tags: ['a,b'] })).toBeUndefined();
    const many = Array.from({ length: 49 }, (_, n) => `t${n}`);
    const refused = await app.call('POST', '/_svc/emails/mark', { ids: [two], add_tags: many });
    expect(refused).toMatchObject({
      status: 422,
      json: { error: { message: expect.stringContaining('more than 50 added tags') } },
    });
  });

  it('exports and imports added tags', async () => {
    const id = await send(app, 'ada@example.test');
    await mark({ ids: [id], add_tags: ['seen'] });
    const archive = await exportFrom(app);
    await app.call('POST', '/_svc/emails/delete', { all: true });
    await importInto(app, archive);
    expect(await app.read(`/_svc/emails/${id}`)).toMatchObject({ added_tags: ['seen'] });
  });
});
