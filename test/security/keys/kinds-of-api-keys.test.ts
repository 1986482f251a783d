import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../src/contract/endpoint.js';
import { ANY_KIND, type KeyKind } from '../../../src/contract/vocabulary/access.js';
import {
  addressOf,
  bodyOf,
  emailOf,
  endpoints,
  MESSAGE,
  OTHER,
  pathOf,
  SECRET,
  startTeam,
  type World,
} from './team-world.js';

/** Calls every endpoint of both contracts. What each must answer follows from the contract. */

let world: World;
beforeAll(async () => {
  world = await startTeam();
});
afterAll(() => world.app.close());

/** Calls an endpoint for the resources of the first workspace and of the server. */
function callOf(key: string | null, name: string, path: string, endpoint: Endpoint) {
  return world.call(key, endpoint.method, pathOf(path, world), bodyOf(name, endpoint, world));
}

const secured = endpoints.filter(([, , endpoint]) => !endpoint.public);
const isStream = (endpoint: Endpoint) => endpoint.media === 'text/event-stream';
const allows = ({ keyKinds: allowed = ANY_KIND }: Endpoint, kind: KeyKind) => allowed.includes(kind);

it.each(endpoints)('%s needs a key unless it is public', async (name, path, endpoint) => {
  const { status } = await callOf(null, name, path, endpoint);
  if (endpoint.public) expect(status).not.toBe(401);
  else expect(status).toBe(401);
});

describe('a key of another workspace', () => {
  const refused = secured.filter(([, , endpoint]) => !allows(endpoint, 'workspace'));
  const others = secured.filter(([, , endpoint]) => allows(endpoint, 'workspace') && !isStream(endpoint));
  /** Resources that belong to a workspace. */
  const owned = ['emails', 'webhooks', 'api-keys', 'deliveries', 'workspaces', 'rules', 'faults', 'suppressions'];

  it.each(refused)('is refused by %s', async (name, path, endpoint) => {
    const { status, json } = await callOf(world.keys.other, name, path, endpoint);
    expect([status, json?.error.message]).toEqual([403, expect.stringMatching(new RegExp(`workspace ${OTHER}\\.$`))]);
  });

  it.each(others)('reads and changes nothing of a workspace with %s', async (name, path, endpoint) => {
    const before = await stateOf(world);
    const response = await world.app.http.inject({
      method: endpoint.method,
      url: addressOf(path, endpoint, world),
      headers: {
        ...{ host: 'localhost', authorization: `Bearer ${world.keys.other}` },
        'content-type': endpoint.accepts ?? 'application/json',
      },
      ...(endpoint.method !== 'GET' && {
        payload: endpoint.accepts ? MESSAGE : JSON.stringify(bodyOf(name, endpoint, world) ?? {}),
      }),
    });
    const resource = path.split('/').findLast((part) => !part.startsWith('{') && part in world.ids);
    const isForeign = path.includes('{') && owned.includes(resource ?? '');
    const message = response.statusCode >= 400 ? response.json().error : undefined;
    // Anything but the request that the contract describes would prove nothing.
    expect([400, 422], JSON.stringify(message)).not.toContain(response.statusCode);
    if (isForeign) expect(response.statusCode).toBe(404);
    // An error may repeat the ID that the caller sent.
    if (response.statusCode < 300) expectNoSecret(response.body);
    expect(await stateOf(world)).toEqual(before);
  });

  it('follows nothing of a workspace in streams', async () => {
    const { other, secret } = world.keys;
    await world.call(other, 'POST', '/v1/webhooks', { url: `http://127.0.0.1:9/${OTHER}`, events: ['email.sent'] });
    const streams = secured.filter(([, , endpoint]) => allows(endpoint, 'workspace') && isStream(endpoint));
    expect(streams.length).toBeGreaterThan(0);
    const stop = new AbortController();
    const read = await Promise.all(
      streams
        .map(async ([name, path, endpoint]) => {
          const query = name.endsWith('webhooks.listen') ? '?forward_to=http://127.0.0.1:9/visible-other' : '';
          const { status, body } = await world.app.fetch(`http://localhost${path}${query}`, {
            ...{ method: endpoint.method, headers: { authorization: `Bearer ${other}` }, signal: stop.signal },
          });
          expect([name, status]).toEqual([name, 200]);
          return until(body as AsyncIterable<Uint8Array>, OTHER);
        })
        .map((each) => each.catch((error: unknown) => String(error)))
        .concat(
          (async () => {
            for (const [key, text] of [
              [secret, SECRET],
              [other, OTHER],
            ] as const) {
              expect((await world.call(key, 'POST', '/v1/emails', emailOf(text))).status).toBe(201);
              await world.app.drain();
            }
            return OTHER;
          })(),
        ),
    );
    stop.abort();
    for (const text of read) {
      expect(text).toContain(OTHER);
      expectNoSecret(text);
    }
  });
});

describe('an ordinary key', () => {
  it.each(secured.filter(([, , endpoint]) => !allows(endpoint, 'ordinary')))('is refused by %s', async (...args) => {
    const { status, json } = await callOf(world.keys.ordinary, ...args);
    expect([status, json?.error.message]).toEqual([
      403,
      `“${args[2].summary}” needs an admin key; this key is an ordinary one.`,
    ]);
  });

  it.each(secured.filter(([, , endpoint]) => allows(endpoint, 'ordinary') && !isStream(endpoint)))(
    'may call %s',
    async (_, path, endpoint) => {
      const unknown = path.replace(/\{\w+\}/g, 'unknown');
      const { status } = await world.call(world.keys.ordinary, endpoint.method, unknown, endpoint.body && {});
      expect(status).not.toBe(403);
    },
  );
});

describe('a key that creates workspaces', () => {
  it.each(secured.filter(([, , endpoint]) => !allows(endpoint, 'creator')))('is refused by %s', async (...args) => {
    const { status, json } = await callOf(world.keys.creator, ...args);
    expect([status, json?.error.message]).toEqual([403, 'This key creates workspaces, and can do nothing else.']);
  });

  it('may call nothing but the creation of workspaces', () => {
    const allowed = secured.filter(([, , endpoint]) => allows(endpoint, 'creator')).map(([name]) => name);
    expect(allowed).toEqual(['control workspaces.create']);
  });
});

async function stateOf({ call, keys }: World) {
  const lists = ['emails', 'webhooks', 'api-keys', 'templates', 'domains'].map((name) => `/v1/${name}`);
  const paths = ['deliveries', 'rules', 'faults', 'dns', 'workspaces'].map((name) => `/_svc/${name}`);
  const answers = await Promise.all([...lists, ...paths].map((path) => call(keys.secret, 'GET', path)));
  const { now, frozen } = (await call(keys.secret, 'GET', '/_svc/clock')).json.data;
  return [answers.map(({ json }) => json.data), now, frozen];
}

function expectNoSecret(text: string): void {
  const { emails, webhooks, 'api-keys': key, deliveries } = world.ids;
  for (const part of [SECRET, emails, webhooks, key, deliveries] as string[]) expect(text).not.toContain(part);
}

async function until(body: AsyncIterable<Uint8Array>, part: string): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes(part)) break;
  }
  return text;
}
