import { afterAll, beforeAll, expect, it } from 'vitest';
import { emailOf, SECRET, startTeam, type World } from './team-world.js';

/** An ordinary key reads the emails of every workspace, and changes only those that belong to none. */

let world: World;
beforeAll(async () => {
  world = await startTeam();
});
afterAll(() => world.app.close());

const REFUSED = /^\S+ belongs to workspace secret-shop, which an ordinary key cannot change\.$/;

const send = async (text: string) =>
  (await world.call(world.keys.ordinary, 'POST', '/v1/emails', emailOf(text))).json.data.id;

const workspaceOf = async (id: string) =>
  (await world.call(world.keys.admin, 'GET', `/_svc/emails/${id}/captured`)).json?.data?.workspace;

it.each([
  ['DELETE', '/_svc/emails/:email', undefined],
  ['POST', '/_svc/emails/delete', { ids: [':email'] }],
  ['POST', '/_svc/emails/mark', { ids: [':email'] }],
  ['PATCH', '/_svc/emails/:email', { read: true }],
  ['POST', '/_svc/emails/:email/simulate', { outcome: 'complained' }],
  ['POST', '/_svc/emails/:email/resend', {}],
  ['POST', '/_svc/emails/:email/release', {}],
  ['DELETE', '/v1/emails/:email', undefined],
  ['DELETE', '/v1/webhooks/:webhook', undefined],
  ['PATCH', '/v1/webhooks/:webhook', { active: false }],
  ['DELETE', '/v1/api-keys/:key', undefined],
  ['POST', '/_svc/events/trigger', { type: 'email.opened', email_id: ':email' }],
] as const)('is refused by %s %s for what belongs to a workspace', async (method, path, body) => {
  const { emails = '', webhooks = '', 'api-keys': key = '' } = world.ids;
  const filled = (text: string) => text.replace(':email', emails).replace(':webhook', webhooks).replace(':key', key);
  const { status, json } = await world.call(
    world.keys.ordinary,
    method,
    filled(path),
    body && JSON.parse(filled(JSON.stringify(body))),
  );
  expect([status, json?.error.message]).toEqual([403, expect.stringMatching(REFUSED)]);
  expect(await workspaceOf(emails)).toBe(SECRET);
});

it('deletes and marks all emails, or those of a query, of no workspace only', async () => {
  const { keys, ids, call } = world;
  const email = ids.emails as string;
  const [own, other] = [await send('own'), await send('another')];
  const post = async (path: string, body: unknown) => (await call(keys.ordinary, 'POST', path, body)).json.data;
  expect(await post('/_svc/emails/mark', { search: `from:${SECRET}` })).toEqual({ updated: 0 });
  expect(await post('/_svc/emails/delete', { search: `subject:own OR workspace:${SECRET}` })).toEqual({ deleted: 1 });
  expect(await post('/_svc/emails/delete', { all: true })).toEqual({ deleted: 1 });
  expect([await workspaceOf(own), await workspaceOf(other)]).toEqual([undefined, undefined]);
  expect(await workspaceOf(email)).toBe(SECRET);
  const found = (await call(keys.ordinary, 'GET', `/_svc/emails?search=workspace:${SECRET}`)).json.data;
  expect(found.emails.map(({ id }: { id: string }) => id)).toEqual([email]);
});

it('undoes no deletion of a workspace', async () => {
  const { keys, ids, call } = world;
  const undo_id = '6f1b2c9e-8f0d-4c35-9a55-0f6d1c2b3a4e';
  const deleted = await call(keys.secret, 'POST', '/_svc/emails/delete', { ids: [ids.emails], undo_id });
  expect(deleted.json.data).toEqual({ deleted: 1 });
  const undone = (key: string) => call(key, 'POST', '/_svc/emails/restore', { undo_id });
  expect((await undone(keys.ordinary)).status).toBe(404);
  expect((await undone(keys.admin)).json.data).toEqual({ restored: 1 });
  expect(await workspaceOf(ids.emails as string)).toBe(SECRET);
});
