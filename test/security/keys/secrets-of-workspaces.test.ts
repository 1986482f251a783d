import { afterEach, expect, it } from 'vitest';
import { OTHER, SECRET, startTeam, type World } from './team-world.js';

let world: World;
afterEach(() => world.app.close());

it('gives each workspace its own secret for temporary webhooks', async () => {
  world = await startTeam();
  const { admin, ordinary, secret, other } = world.keys;
  const secretOf = async (key: string) => (await world.call(key, 'GET', '/_svc/info')).json.data.webhook_secret;
  const [own, foreign, whole] = [await secretOf(secret), await secretOf(other), await secretOf(ordinary)];
  expect(new Set([own, foreign, whole]).size).toBe(3);
  expect(await secretOf(admin)).toBe(whole);
  // Another key of the workspace verifies the same signatures.
  const body = { name: 'second', environment: 'test', rate_limit: 60 };
  const { json } = await world.call(secret, 'POST', '/v1/api-keys', body);
  expect(await secretOf(json.data.key)).toBe(own);
});

it('does not count emails of other workspaces for a workspace', async () => {
  world = await startTeam();
  const { status, json } = await world.call(world.keys.other, 'GET', '/v1/analytics/emails');
  expect([status, json.error.message]).toEqual([403, expect.stringContaining(OTHER)]);
  expect(JSON.stringify(json)).not.toContain(SECRET);
});
