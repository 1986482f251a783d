import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PurgeSweep } from '../../../../src/core/mail/deletion.js';
import { openSqliteStore } from '../../../../src/storage/sqlite/store.js';
import { emailOf } from '../../../storage/records.js';
import { temporaryDirectory } from '../../../support/cli/binary.js';
import { startApp, type TestApp } from '../../../support/servers/app.js';
import { send } from '../../../support/simulation.js';
import { exportFrom, importInto } from '../../../support/state.js';
import { Machine, SteppedClock } from '../../../support/stepped-clock.js';

const UNDO_ID = '6f1b2c9e-8f0d-4c35-9a55-0f6d1c2b3a4e';

describe('a deletion with an undo_id', () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await startApp();
  });
  afterEach(() => app.closeClean());

  const remove = async (body: object) => (await app.call('POST', '/_svc/emails/delete', body)).json.data?.deleted;
  const restore = (undo_id = UNDO_ID, headers = {}) => app.call('POST', '/_svc/emails/restore', { undo_id }, headers);

  it('is complete for every reader at once, and everything is as before once it is undone', async () => {
    const html = `<a href="https://a.test/">x</a>${'confidential '.repeat(100_000)}`;
    const content = Buffer.from(`confidential ${'x'.repeat(900_000)}`).toString('base64');
    const attachments = [{ filename: 'a.txt', contentType: 'text/plain', content }];
    const id = await send(app, 'ada@example.test', { subject: 'Classified', html, attachments, tags: ['a'] });
    await send(app, 'bob@example.test', { subject: 'Kept' });
    await app.drain();
    await app.call('POST', '/_svc/emails/mark', { ids: [id], add_tags: ['todo'], read: true });
    const paths = [`/v1/emails/${id}`, `/_svc/emails/${id}`, `/_svc/emails/${id}/captured`];
    const shared = ['/v1/emails', '/_svc/emails?search=classified', '/_svc/emails?search=tag:todo', '/_svc/summary'];
    const readAll = () => Promise.all([...paths, ...shared, '/_svc/emails/counts'].map((path) => app.read(path)));
    const before = await readAll();
    const exportHasContent = async () => gunzipSync(await exportFrom(app)).includes('confidential');
    expect(await exportHasContent()).toBe(true);

    expect(await remove({ ids: [id], undo_id: UNDO_ID })).toBe(1);

    for (const path of paths) expect((await app.call('GET', path)).status).toBe(404);
    expect((await app.read('/v1/emails')).emails).toMatchObject([{ subject: 'Kept' }]);
    expect((await app.read('/_svc/emails?search=classified')).total).toBe(0);
    expect(await app.read('/_svc/summary')).toMatchObject({ emails: { delivered: 1 }, unread: 1 });
    expect(await app.read('/_svc/emails/counts')).toMatchObject({ tags: [] });
    const wait = { query: 'subject:classified', since: 'start', timeout_ms: 1 };
    expect((await app.call('POST', '/_svc/emails/wait', wait)).json.data.emails ?? []).toEqual([]);
    expect(await remove({ ids: [id], if_exists: true })).toBe(0);
    expect(await exportHasContent()).toBe(false);

    expect((await restore()).json.data).toEqual({ restored: 1 });
    expect(await readAll()).toEqual(before);
    expect(await restore()).toMatchObject({
      status: 404,
      json: { error: { message: expect.stringContaining('can be undone') } },
    });
  });

  it('is ended by an import', async () => {
    await send(app, 'ada@example.test');
    const archive = await exportFrom(app);
    expect(await remove({ all: true, undo_id: UNDO_ID })).toBe(1);

    expect((await importInto(app, archive)).status).toBe(200);

    expect((await restore()).status).toBe(404);
    expect((await app.read('/v1/emails')).emails).toHaveLength(1);
  });

  it('restores all emails of a long deletion, and only those of the deletion', async () => {
    const count = 150;
    await Promise.all(Array.from({ length: count }, () => send(app, 'ada@example.test')));
    expect(await remove({ all: true, undo_id: UNDO_ID })).toBe(count);
    const other = await send(app, 'bob@example.test');
    expect(await remove({ ids: [other] })).toBe(1);

    expect((await restore()).json.data).toEqual({ restored: count });
    expect((await app.read('/v1/emails')).pagination.total).toBe(count);
    expect((await app.call('GET', `/v1/emails/${other}`)).status).toBe(404);
  });

  it('sends a scheduled email that came due meanwhile', async () => {
    app.clock.freeze();
    const scheduled_at = new Date(app.clock.now() + 60_000).toISOString();
    const id = await send(app, 'ada@example.test', { scheduled_at });
    await remove({ ids: [id], undo_id: UNDO_ID });
    await app.call('POST', '/_svc/clock/advance', { by: '2m' });
    expect((await app.read('/_svc/info')).last_event).toBe(0);

    await restore();
    await app.drain();

    expect(await app.read(`/v1/emails/${id}`)).toMatchObject({ status: 'delivered' });
  });

  it('delivers an email whose delivery came due meanwhile', async () => {
    const delayed = await startApp({ deliveryDelayMs: 60_000 });
    delayed.clock.freeze();
    const id = await send(delayed, 'ada@example.test');
    await delayed.call('POST', '/_svc/emails/delete', { ids: [id], undo_id: UNDO_ID });
    await delayed.call('POST', '/_svc/clock/advance', { by: '2m' });
    await delayed.call('POST', '/_svc/emails/restore', { undo_id: UNDO_ID });
    await delayed.drain();
    expect(await delayed.read(`/v1/emails/${id}`)).toMatchObject({ status: 'delivered' });
    await delayed.closeClean();
  });

  it('is undone only by a key that reaches its emails', async () => {
    const { api_key } = (await app.call('POST', '/_svc/workspaces', { name: 'one', addresses: [] })).json.data;
    await send(app, 'ada@example.test');
    await remove({ all: true, undo_id: UNDO_ID });

    expect((await restore(UNDO_ID, { authorization: `Bearer ${api_key}` })).status).toBe(404);
    expect((await restore()).status).toBe(200);
  });

  it('ends with a reset', async () => {
    await send(app, 'ada@example.test');
    await remove({ all: true, undo_id: UNDO_ID });
    await app.call('POST', '/_svc/reset', {});
    expect((await restore()).status).toBe(404);
  });

  it.each(['short', 'a b'.repeat(8), 'x'.repeat(65)])('refuses the ID %j', async (undo_id) => {
    expect((await app.call('POST', '/_svc/emails/delete', { all: true, undo_id })).status).toBe(422);
  });
});

it('can be undone after a restart', async () => {
  const directory = temporaryDirectory();
  const storage = { file: join(directory.path, 'mail.db') };
  const first = await startApp({ storage });
  const id = await send(first, 'ada@example.test', { html: 'x'.repeat(3_000_000) });
  await first.call('POST', '/_svc/emails/delete', { all: true, undo_id: UNDO_ID });
  await first.closeClean();

  const second = await startApp({ storage });
  expect((await second.read('/v1/emails')).emails).toEqual([]);
  await second.call('POST', '/_svc/emails/restore', { undo_id: UNDO_ID });
  expect((await second.read(`/v1/emails/${id}`)).html).toHaveLength(3_000_000);
  await second.closeClean();
  directory.remove();
});

it('purges a deletion ten seconds after its last emails, and not sooner after a start', async () => {
  const machine = new Machine();
  const clock = new SteppedClock(machine);
  const store = openSqliteStore('memory');
  const started = () => new PurgeSweep({ store, clock, onInternalError: (error) => expect(error).toBeUndefined() });
  const deletions = async () => (await store.read.emails.deletions()).map(({ id }) => id);
  await store.write(async (tx) => {
    for (let n = 0; n < 200; n += 1) await tx.emails.insert(emailOf(`msg_${n}`), [], []);
  });
  const first = started();
  const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `msg_${from + n}`);
  const remove = (id: string, from: number, to: number) =>
    store.write((tx) => tx.emails.delete(ids(from, to), { id, at: machine.now }));
  await remove('long', 0, 100);
  machine.now += 6_000;
  await remove('long', 100, 150);
  await remove('other', 150, 151);
  machine.now += 9_999;
  await first.drain();
  expect(await deletions()).toEqual(['long', 'other']);
  machine.now += 1;
  const second = started();
  await second.drain();
  expect(await deletions()).toEqual(['long', 'other']);

  await first.drain();

  expect(await deletions()).toEqual([]);
  expect(await store.write((tx) => tx.emails.restore({ id: 'long', at: machine.now }))).toMatchObject({ count: 0 });
  await store.close();
});
