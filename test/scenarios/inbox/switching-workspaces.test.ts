import { afterEach, expect, it } from 'vitest';
import { INBOX_TOKEN_HEADER } from '../../../src/contract/vocabulary/inbox.js';
import { askForSession, type InboxApp, openPage, startInboxApp } from '../../support/inbox/inbox-app.js';
import { TEST_KEY } from '../../support/servers/app.js';

/** A session of the inbox switches to a workspace if its key may change everything. */

const PASSWORD = 'correct horse battery';

let app: InboxApp;
afterEach(() => app.closeClean());

async function start() {
  app = await startInboxApp({ access: 'team', plan: 'none', inboxPassword: PASSWORD });
  const post = async (path: string, body: unknown) => (await app.call('POST', path, body)).json.data;
  const { api_key } = await post('/_svc/workspaces', { name: 'shop' });
  const ordinary = (await post('/v1/api-keys', { name: 'CI', environment: 'test', rate_limit: 60 })).key;
  return { workspace: api_key, ordinary };
}

/** Signs in with a proof, and asks the session to switch. */
async function signIn(proof: object, workspace = 'shop') {
  const { cookie = '' } = await openPage(app.origin);
  const opened = await askForSession(app.origin, { cookie, proof });
  const resumed = (wanted?: string) =>
    askForSession(app.origin, { cookie, proof: { resume: opened.data?.resume, ...(wanted && { workspace: wanted }) } });
  const switched = await resumed(workspace);
  const call = (method: string, path: string, token = switched.data?.token ?? '') =>
    fetch(app.origin + path, { method, headers: { cookie, origin: app.origin, [INBOX_TOKEN_HEADER]: token } });
  return { opened, switched, cookie, call };
}

const workspaceOf = ({ data }: { data?: object | undefined }) => data && 'workspace' in data && data.workspace;

it('limits the session of an admin key to the workspace, and the sessions that continue it', async () => {
  await start();
  const { opened, switched, cookie, call } = await signIn({ key: TEST_KEY });
  expect(opened.data).toMatchObject({ workspace: null, workspaces: ['shop'] });
  expect(switched.data).toMatchObject({ workspace: 'shop', workspaces: ['shop'] });
  expect((await call('GET', '/v1/emails')).status).toBe(200);
  expect((await call('PATCH', '/_svc/clock')).status).toBe(403);
  const next = await askForSession(app.origin, { cookie, proof: { resume: switched.data?.resume } });
  expect(workspaceOf(next)).toBe('shop');
  const back = await askForSession(app.origin, { cookie, proof: { resume: next.data?.resume, workspace: '' } });
  expect(workspaceOf(back)).toBe(null);
  expect((await call('GET', '/_svc/requests', back.data?.token)).status).toBe(200);
});

it('returns to all workspaces when the workspace is deleted', async () => {
  await start();
  const { switched, cookie } = await signIn({ key: TEST_KEY });
  expect((await app.call('DELETE', '/_svc/workspaces/shop')).status).toBe(204);
  const next = await askForSession(app.origin, { cookie, proof: { resume: switched.data?.resume } });
  expect(next.data).toMatchObject({ workspace: null, workspaces: [] });
});

it('refuses to switch with an ordinary key, a workspace’s key, the password and an unknown workspace', async () => {
  const { workspace, ordinary } = await start();
  for (const proof of [{ key: ordinary }, { password: PASSWORD }, { key: workspace }]) {
    const { opened, switched } = await signIn(proof);
    expect(opened.data).toMatchObject({ workspaces: [] });
    expect([switched.status, switched.error?.message]).toEqual([
      403,
      'Only an admin key may switch between workspaces.',
    ]);
  }
  expect((await signIn({ key: TEST_KEY }, 'unknown')).switched.status).toBe(404);
});
