import { afterEach, beforeEach, expect, it } from 'vitest';
import { storeFor } from '../../../src/core/workspaces/scoped-store.js';
import { openSqliteStore } from '../../../src/storage/sqlite/store.js';
import { deliveryOf, emailOf, eventOf, recipientOf } from '../../storage/records.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { isOnPostgres } from '../../support/servers/storage.js';

let app: TestApp;
beforeEach(async () => {
  app = await startApp({ plan: 'none' });
});
afterEach(() => app.closeClean());

it('keeps an email to an address of a workspace that is deleted during the request', async () => {
  await app.call('POST', '/_svc/workspaces', { name: 'shop', addresses: ['*@shop.test'] });
  const email = { to: 'ada@shop.test', from: 'app@example.test', subject: 'Hello', html: '<p>Hi</p>' };
  const [deleted, sent] = await Promise.all([
    app.call('DELETE', '/_svc/workspaces/shop'),
    app.call('POST', '/v1/emails', email),
  ]);
  expect([deleted.status, sent.status]).toEqual([204, 201]);
  const { emails } = await app.read('/_svc/emails');
  // On PostgreSQL, the email may be stored before the deletion begins, which then deletes it, too.
  if (!isOnPostgres) expect(emails).toHaveLength(1);
  for (const each of emails) expect(each).toMatchObject({ id: sent.json.data.id, workspace: null });
});

it('lets an ordinary key of a team replay what belongs to no workspace', async () => {
  const store = openSqliteStore('memory');
  const key = { workspace: null, admin: false, createsWorkspaces: false };
  await store.write(async (tx) => {
    for (const workspace of [null, 'shop'])
      await tx.emails.insert(emailOf(`msg_${workspace}`, { workspace }), [recipientOf('ada@x.test')], []);
    for (const [name, emailId] of Object.entries({ none: 'msg_null', shop: 'msg_shop', server: null })) {
      const { seq } = await tx.events.append(eventOf(`evt_${name}`, { emailId }), undefined);
      await tx.deliveries.insert(deliveryOf(`dlv_${name}`, { eventSeq: seq, webhookId: 'whk_deleted' }));
    }
  });
  const { events, deliveries } = storeFor({ store, access: 'team' }, key, true).read;
  for (const name of ['none', 'server']) {
    expect(await events.find(`evt_${name}`)).toBeDefined();
    expect(await deliveries.find(`dlv_${name}`)).toBeDefined();
  }
  await expect(events.find('evt_shop')).rejects.toThrow('belongs to workspace shop');
  await expect(deliveries.find('dlv_shop')).rejects.toThrow('belongs to workspace shop');
  const ofShop = storeFor({ store, access: 'team' }, { ...key, workspace: 'shop' }, true).read;
  expect(await ofShop.events.find('evt_shop')).toBeDefined();
  expect(await ofShop.events.find('evt_server')).toBeUndefined();
  expect(await ofShop.deliveries.find('dlv_shop')).toBeUndefined();
  await store.close();
});

it('refuses to store anything in a workspace that is deleted during the request', async () => {
  const store = openSqliteStore('memory');
  const scoped = storeFor(
    { store, access: 'local' },
    { workspace: 'shop', admin: false, createsWorkspaces: false },
    true,
  );
  const insert = () => scoped.write((tx) => tx.emails.insert(emailOf('msg_1'), [], []));
  await store.write((tx) =>
    tx.workspaces.insert({
      name: 'shop',
      addresses: [],
      expiresAt: null,
      keep: null,
      maxAgeMs: null,
      monthlyQuota: null,
      createdAt: 0,
    }),
  );
  await store.write(async (tx) => {
    await tx.workspaces.end('shop');
    await tx.workspaces.deleteEnded('shop');
  });
  await expect(insert()).rejects.toThrow('Workspace shop was deleted, and its API key revoked.');
  expect(await store.read.emails.find('msg_1')).toBeUndefined();
  await store.close();
});
