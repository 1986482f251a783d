import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { routes } from '../../../src/contract/vocabulary/routes.js';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';

/** Specification: API key, Authentication; gaps 14 to 16. */

describe('API keys', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await startApp();
  });

  afterEach(() => app.closeClean());

  const as = (key: string) => ({ authorization: `Bearer ${key}` });
  const create = (body: object, headers = {}) => app.call('POST', '/v1/api-keys', { name: 'CI', ...body }, headers);

  it('carry their environment in their value, which is shown once and works at once', async () => {
    const created = await create({ environment: 'test', rate_limit: 30 });
    expect(created.status).toBe(201);
    expect(Object.keys(created.json.data).sort()).toEqual([
      'created_at',
      'environment',
      'id',
      'key',
      'name',
      'rate_limit',
    ]);
    const { key, ...record } = created.json.data;
    expect(record).toMatchObject({ name: 'CI', environment: 'test', rate_limit: 30 });
    expect(key).toMatch(/^svc_test_[A-Za-z0-9]{32}$/);
    expect(record.id).toMatch(/^key_[0-9a-z]+$/);

    const listed = await app.call('GET', '/v1/api-keys', undefined, as(key));
    expect(listed.status).toBe(200);
    expect(listed.json.data.api_keys[0]).toEqual(record);
    expect(JSON.stringify(listed.json)).not.toContain(key);
  });

  it('stop working with the next call once they are revoked', async () => {
    const { id, key } = (await create({ environment: 'test' })).json.data;
    expect((await app.call('GET', '/v1/emails', undefined, as(key))).status).toBe(200);
    expect((await app.call('DELETE', `/v1/api-keys/${id}`)).status).toBe(204);
    const refused = await app.call('GET', '/v1/emails', undefined, as(key));
    expect([refused.status, refused.json.error.code]).toEqual([401, 'authentication_error']);
    expect((await app.call('GET', '/_svc/info', undefined, as(key))).status).toBe(401);
    expect((await app.call('DELETE', `/v1/api-keys/${id}`)).status).toBe(404);
  });

  it('may revoke themselves', async () => {
    const { id, key } = (await create({ environment: 'test' })).json.data;
    expect((await app.call('DELETE', `/v1/api-keys/${id}`, undefined, as(key))).status).toBe(204);
    expect((await app.call('DELETE', `/v1/api-keys/${id}`, undefined, as(key))).status).toBe(401);
    expect((await app.call('GET', '/v1/api-keys')).json.data.api_keys).toHaveLength(1);
  });

  it('of a test environment neither create nor revoke live ones', async () => {
    const refused = await create({ environment: 'live' });
    expect([refused.status, refused.json.error.code]).toEqual([403, 'authorization_error']);
    expect((await app.call('GET', '/v1/api-keys')).json.data.api_keys).toHaveLength(1);
  });

  it('of a live environment create and revoke both kinds', async () => {
    const live = await startApp({ apiKey: 'svc_live_scenarios' });
    try {
      const post = (environment: string) => live.call('POST', '/v1/api-keys', { name: 'CI', environment });
      const [aLive, aTest] = [(await post('live')).json.data, (await post('test')).json.data];
      expect(aLive.key).toMatch(/^svc_live_/);
      const byTest = await live.call('DELETE', `/v1/api-keys/${aLive.id}`, undefined, as(aTest.key));
      expect([byTest.status, byTest.json.error.code]).toEqual([403, 'authorization_error']);
      expect((await live.call('GET', '/v1/emails', undefined, as(aLive.key))).status).toBe(200);
      expect((await live.call('DELETE', `/v1/api-keys/${aTest.id}`, undefined, as(aLive.key))).status).toBe(204);
      expect((await live.call('DELETE', `/v1/api-keys/${aLive.id}`)).status).toBe(204);
    } finally {
      await live.close();
    }
  });

  it('of either environment may use every other endpoint', async () => {
    const live = await startApp({ apiKey: 'svc_live_scenarios', plan: 'none' });
    const test = (await live.call('POST', '/v1/api-keys', { name: 'CI', environment: 'test', rate_limit: 60 })).json
      .data;
    const operations = Object.values(routes).filter((route) => route !== routes['api-keys.create']);
    for (const key of ['svc_live_scenarios', test.key]) {
      for (const { method, path } of operations) {
        const url = `/v1${path.replace(/\{\w+\}/, 'unknown')}`;
        const body = method === 'POST' || method === 'PATCH' ? {} : undefined;
        const { status } = await live.call(method, url, body, as(key));
        expect([200, 404, 422], `${method} ${url}`).toContain(status);
      }
    }
    await live.closeClean();
  });

  it('see the whole account, whichever of them created it', async () => {
    const { key } = (await create({ environment: 'test' })).json.data;
    const template = { name: 'a', subject: 's', html: 'h' };
    const { id } = (await app.call('POST', '/v1/templates', template, as(key))).json.data;
    expect((await app.call('GET', `/v1/templates/${id}`)).status).toBe(200);
  });

  it('cause an event when they are created and revoked, without their value', async () => {
    const stop = new AbortController();
    const events = app.follow(stop.signal)[Symbol.asyncIterator]();
    const first = events.next();
    const { id, key } = (await create({ environment: 'test' })).json.data;
    const created = (await first).value;
    await app.call('DELETE', `/v1/api-keys/${id}`);
    const revoked = (await events.next()).value;
    stop.abort();
    expect(JSON.parse(created)).toMatchObject({
      type: 'api_key.created',
      data: { api_key_id: id, name: 'CI', environment: 'test' },
    });
    expect(JSON.parse(revoked)).toMatchObject({ type: 'api_key.revoked', data: { api_key_id: id, name: 'CI' } });
    expect(created + revoked).not.toContain(key);
  });

  it.each([
    ['no header', {}],
    ['an empty header', { authorization: '' }],
    ['no scheme', { authorization: TEST_KEY }],
    ['another scheme', { authorization: `Basic ${TEST_KEY}` }],
    ['no value', { authorization: 'Bearer ' }],
    ['another prefix', { authorization: 'Bearer sk_test_scenarios' }],
    ['an unknown value', { authorization: 'Bearer svc_test_scenario' }],
    ['a value with a suffix', { authorization: `Bearer ${TEST_KEY}x` }],
    ['a value in another case', { authorization: `Bearer ${TEST_KEY.toUpperCase()}` }],
    ['two values', { authorization: `Bearer ${TEST_KEY} ${TEST_KEY}` }],
    ['a hash as value', { authorization: `Bearer ${createHash('sha256').update(TEST_KEY).digest('hex')}` }],
  ])('are required: %s is 401', async (_, headers) => {
    const response = await app.http.inject({
      method: 'GET',
      url: '/v1/emails',
      headers: { host: 'localhost', ...headers },
    });
    expect([response.statusCode, response.json().error.code]).toEqual([401, 'authentication_error']);
  });

  it('are stored only as their SHA-256', async () => {
    const directory = temporaryDirectory();
    const stored = await startApp({ storage: { file: join(directory.path, 'mail.db') }, apiKey: 'svc_live_atrest' });
    const inFiles = (text: string) =>
      readdirSync(directory.path).filter((file) => readFileSync(join(directory.path, file)).includes(text));
    try {
      const body = { name: 'name-at-rest', environment: 'live' };
      const { key, id } = (await stored.call('POST', '/v1/api-keys', body)).json.data;
      expect((await stored.call('GET', '/v1/emails', undefined, as(key))).status).toBe(200);
      await stored.drain();
      const hash = createHash('sha256').update(key).digest('hex');
      // Present in the write-ahead log: this shows that the search looks where a value would be.
      expect(inFiles('name-at-rest')).toContain('mail.db-wal');
      expect(inFiles(hash)).toContain('mail.db-wal');
      for (const secret of [key, key.slice('svc_live_'.length), 'svc_live_atrest']) expect(inFiles(secret)).toEqual([]);
      await stored.call('DELETE', `/v1/api-keys/${id}`);
      await stored.close();
      expect(inFiles('name-at-rest')).toEqual(['mail.db']);
      for (const secret of [key, key.slice('svc_live_'.length), 'svc_live_atrest']) expect(inFiles(secret)).toEqual([]);
    } finally {
      directory.remove();
    }
  });
});
