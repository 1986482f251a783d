import assert from 'node:assert/strict';
import type { Api } from '../api.js';
import { type Check, check } from '../check.js';
import { apiKey, arrayOf, createdApiKey, exactly, rowsOf } from '../shapes.js';

/** Checks API keys. */

const invalid = { status: 422, code: 'validation_error' };
const unknown = { status: 404, code: 'not_found' };
const unauthenticated = { status: 401, code: 'authentication_error' };
const forbidden = { status: 403, code: 'authorization_error' };

const create = (api: Api, fields: Record<string, unknown> = {}, key?: string) =>
  api.ok(
    201,
    'POST',
    '/api-keys',
    { name: api.unique('key'), environment: 'test', rate_limit: 100, ...fields },
    key === undefined ? {} : { key },
  );

export const checks: Check[] = [
  check(
    ['spec:POST /api-keys', ...rowsOf('spec:api-key', createdApiKey), 'spec:id.api-key', 'gap:9', 'gap:14'],
    'returns 201 with the record and its key, which works at once',
    async (api) => {
      const name = `${api.unique('key')} größe`;
      const data = await create(api, { name, rate_limit: 42 });
      exactly(createdApiKey)(data, 'data');
      assert.deepEqual([data.name, data.environment, data.rate_limit], [name, 'test', 42]);
      assert.match(data.key, /^svc_test_[A-Za-z0-9_-]{16,}$/);
      await api.ok(200, 'GET', '/emails', undefined, { key: data.key });
      assert.notEqual((await create(api)).key, data.key);
    },
  ),

  check(
    ['spec:GET /api-keys', ...rowsOf('spec:api-key', apiKey), 'spec:auth.key-once', 'gap:16', 'gap:19'],
    'lists api_keys, newest first, never with the key',
    async (api) => {
      const [first, second] = [await create(api), await create(api)];
      const answer = await api.call('GET', '/api-keys');
      exactly({ api_keys: arrayOf(exactly(apiKey)) })(answer.json.data, 'data');
      const ids = answer.json.data.api_keys.map(({ id }: { id: string }) => id);
      assert.ok(ids.indexOf(second.id) < ids.indexOf(first.id));
      if (api.target.exclusive) assert.equal(ids[0], second.id);
      for (const { key } of [first, second]) assert.ok(!answer.body.includes(key.slice('svc_test_'.length)));
    },
  ),

  check(
    [
      'spec:POST /api-keys',
      'gap:14',
      'gap:43',
      'spec:auth.environments',
      'spec:request.api-keys.create.name',
      'spec:request.api-keys.create.environment',
      'spec:request.api-keys.create.rate_limit',
    ],
    'requires name and environment; answers 422 to wrong values',
    async (api) => {
      const refused: Record<string, unknown[]> = {
        name: [undefined, null, 7, true, {}, [], '', ' ', '\u200b', ' a', 'a ', 'a\nb', 'a\u0000b', 'x'.repeat(256)],
        environment: [undefined, null, 7, true, {}, [], '', 'production', 'Live', 'TEST', 'staging'],
        rate_limit: [null, '60', true, {}, [], 0, -1, 1.5, 1e21],
      };
      for (const [field, values] of Object.entries(refused)) {
        for (const value of values) {
          const body = { name: api.unique('key'), environment: 'test', [field]: value };
          await api.refused({ ...invalid, at: field }, 'POST', '/api-keys', body);
        }
      }
      assert.equal((await create(api, { name: 'x'.repeat(255) })).name.length, 255);
      assert.ok((await create(api, { rate_limit: undefined })).rate_limit >= 1);
      assert.equal((await create(api, { rate_limit: 1 })).rate_limit, 1);
    },
  ),

  check(
    ['spec:DELETE /api-keys/{id}', 'spec:status.204', 'gap:9', 'gap:16'],
    'revokes with DELETE: 204, then 401 for a call with it, and 404 the second time',
    async (api) => {
      const { id, key } = await create(api);
      await api.ok(200, 'GET', '/emails', undefined, { key });
      await api.ok(204, 'DELETE', `/api-keys/${id}`);
      await api.refused(unauthenticated, 'GET', '/emails', undefined, { key });
      await api.refused(unauthenticated, 'POST', '/emails', api.mail(), { key });
      await api.refused(unknown, 'DELETE', `/api-keys/${id}`);
      const { api_keys } = await api.ok(200, 'GET', '/api-keys');
      assert.ok(!api_keys.some((one: { id: string }) => one.id === id));
    },
  ),

  check(['gap:16'], 'allows the key in use to revoke itself', async (api) => {
    const { id, key } = await create(api);
    await api.ok(204, 'DELETE', `/api-keys/${id}`, undefined, { key });
    await api.refused(unauthenticated, 'DELETE', `/api-keys/${id}`, undefined, { key });
  }),

  check(
    ['spec:DELETE /api-keys/{id}', 'spec:code.not_found'],
    'answers 404 to an id that does not exist',
    async (api) => {
      for (const id of ['key_unknown', 'nothing', '__proto__']) await api.refused(unknown, 'DELETE', `/api-keys/${id}`);
    },
  ),

  check(
    ['gap:15', 'spec:auth.403', 'spec:status.403', 'spec:code.authorization_error'],
    'refuses to create a live key with a test key',
    async (api) => {
      await api.refused(forbidden, 'POST', '/api-keys', { name: api.unique('key'), environment: 'live' });
    },
  ),

  check(
    ['gap:15', 'gap:14', 'spec:auth.prefix.live', 'spec:auth.environments', 'spec:auth.403'],
    'lets a live key create and revoke live and test keys; a test key cannot revoke a live one',
    async (api) => {
      const liveKey = api.target.liveKey as string;
      const live = await create(api, { environment: 'live' }, liveKey);
      assert.equal(live.environment, 'live');
      assert.match(live.key, /^svc_live_/);
      await api.refused(forbidden, 'DELETE', `/api-keys/${live.id}`);
      await api.ok(200, 'GET', '/emails', undefined, { key: live.key });
      const test = await create(api, {}, liveKey);
      await api.ok(204, 'DELETE', `/api-keys/${test.id}`, undefined, { key: liveKey });
      await api.ok(204, 'DELETE', `/api-keys/${live.id}`, undefined, { key: liveKey });
      await api.refused(unauthenticated, 'GET', '/emails', undefined, { key: live.key });
    },
    'live-key',
  ),

  check(
    ['gap:15'],
    'shows the whole account to each key: a test key reads what a live key created, and vice versa',
    async (api) => {
      const key = api.target.liveKey as string;
      const mine = await api.template();
      const theirs = await api.ok(
        201,
        'POST',
        '/templates',
        { name: api.unique('live'), subject: 's', html: 'h' },
        { key },
      );
      await api.ok(200, 'GET', `/templates/${theirs.id}`);
      await api.ok(200, 'GET', `/templates/${mine.id}`, undefined, { key });
      const { id } = await api.send();
      await api.ok(200, 'GET', `/emails/${id}`, undefined, { key });
    },
    'live-key',
  ),
];
