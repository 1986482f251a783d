import assert from 'node:assert/strict';
import { type Api, STATUSES_OF_CODE } from '../api.js';
import { type Check, check } from '../check.js';
import { exactly, failure, failureExtras, meta, string } from '../shapes.js';

/** Checks the response envelope, authentication, headers, and the answers to malformed requests. */

const UNREADABLE: Record<string, string | Uint8Array> = {
  'cut short': '{"to":',
  'a trailing comma': '{"to":"a@example.test",}',
  'single quotes': "{'to':'a'}",
  'an empty body': '',
  'not UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  'a raw line break in a string': '{"to":"a\nb"}',
  'two values': '{}{}',
  'an array': '[]',
  'a string': '"text"',
  'a number': '1',
  null: 'null',
};

/** One path of every kind of endpoint with a body. */
const BODIES: [string, string][] = [
  ['POST', '/emails'],
  ['POST', '/templates'],
  ['POST', '/domains'],
  ['POST', '/api-keys'],
  ['POST', '/webhooks'],
];

const UNKNOWN: [string, string][] = [
  ['GET', ''],
  ['GET', '/'],
  ['GET', '/nothing'],
  ['GET', '/email'],
  ['GET', '/emails/msg_1/nothing'],
  ['PUT', '/emails'],
  ['PATCH', '/emails/msg_1'],
  ['POST', '/emails/msg_1'],
  ['DELETE', '/emails'],
  ['PUT', '/templates/tpl_1'],
  ['GET', '/templates/tpl_1/render'],
  ['PATCH', '/domains/example.test'],
  ['GET', '/domains/example.test/verify'],
  ['GET', '/api-keys/key_1'],
  ['PATCH', '/api-keys/key_1'],
  ['GET', '/webhooks/whk_1'],
  ['POST', '/analytics/emails'],
  ['GET', '/analytics'],
  ['GET', '/__proto__'],
  ['GET', '/constructor'],
  ['OPTIONS', '/emails'],
  ['HEAD', '/nothing'],
  ['TRACE', '/emails'],
];

const READS = ['/emails', '/templates', '/domains', '/api-keys', '/webhooks', '/analytics/emails'];

const wrongKeys = ({ target }: Api): [string, Record<string, string>][] => [
  ['none', {}],
  ['empty', { authorization: '' }],
  ['no scheme', { authorization: target.key }],
  ['another scheme', { authorization: `Basic ${Buffer.from(`api:${target.key}`).toString('base64')}` }],
  ['two blanks', { authorization: `Bearer  ${target.key}` }],
  ['lower case', { authorization: `bearer ${target.key}` }],
  ['no value', { authorization: 'Bearer ' }],
  ['unknown', { authorization: 'Bearer svc_test_nobodyhasthisone00000000000000' }],
  ['unknown, live', { authorization: 'Bearer svc_live_nobodyhasthisone00000000000000' }],
  ['another prefix', { authorization: 'Bearer sk_test_nobodyhasthisone' }],
  ['one character more', { authorization: `Bearer ${target.key}x` }],
  ['one character less', { authorization: `Bearer ${target.key.slice(0, -1)}` }],
  ['two keys', { authorization: `Bearer ${target.key} ${target.key}` }],
  ['in another header', { 'x-api-key': target.key }],
];

export const checks: Check[] = [
  check(
    ['spec:base', 'spec:versioning.base'],
    'serves the endpoints below a base address that ends with /v1',
    async (api) => {
      assert.match(api.target.baseUrl, /\/v1$/);
      await api.ok(200, 'GET', '/emails');
    },
  ),

  check(
    ['spec:envelope.success', 'spec:envelope.data', 'spec:envelope.meta', 'spec:id.request', 'spec:timestamps'],
    'returns on success only success true, data as an object, meta with request_id and timestamp, on every list',
    async (api) => {
      for (const path of READS) {
        const { json } = await api.call('GET', path);
        assert.deepEqual(Object.keys(json).sort(), ['data', 'meta', 'success'], path);
        exactly(meta)(json.meta, 'meta');
      }
    },
  ),

  check(
    ['spec:envelope.failure', 'spec:envelope.error', 'spec:errors.status-in-body'],
    'returns on failure success false, error with code, message and the HTTP status, meta as in success',
    async (api) => {
      for (const [method, path, options] of [
        ['GET', '/nothing', {}],
        ['GET', '/emails?limit=0', {}],
        ['GET', '/emails', { key: null }],
        ['POST', '/emails', {}],
      ] as const) {
        const { json, status } = await api.call(method, path, undefined, options);
        assert.deepEqual(Object.keys(json).sort(), ['error', 'meta', 'success']);
        exactly(failure, failureExtras)(json.error, 'error');
        assert.equal(json.error.status, status);
      }
    },
  ),

  check(['gap:38'], 'gives each response its own request id, the same in X-Request-Id', async (api) => {
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await api.call('GET', '/emails')).json.meta));
    assert.equal(new Set(ids.map(({ request_id }) => request_id)).size, 20);
    const refused = await api.call('GET', '/nothing');
    assert.equal(refused.headers['x-request-id'], refused.json.meta.request_id);
  }),

  check(
    ['spec:auth.header', 'spec:auth.401', 'spec:status.401', 'spec:code.authentication_error', 'gap:11'],
    'answers 401 authentication_error without a valid key in Authorization: Bearer',
    async (api) => {
      for (const [name, headers] of wrongKeys(api)) {
        const answer = await api.call('GET', '/emails', undefined, { key: null, headers });
        assert.equal(answer.status, 401, name);
        assert.equal(answer.json.error.code, 'authentication_error', name);
        assert.ok(!answer.body.includes(api.target.key), 'the key is not echoed');
      }
      await api.ok(200, 'GET', '/emails');
    },
  ),

  check(
    ['spec:auth.header', 'spec:endpoints.authorization'],
    'refuses a call without a key at every endpoint',
    async (api) => {
      const calls: [string, string][] = [
        ...READS.map((path): [string, string] => ['GET', path]),
        ...BODIES,
        ['GET', '/emails/msg_1'],
        ['DELETE', '/emails/msg_1'],
        ['GET', '/templates/tpl_1'],
        ['PATCH', '/templates/tpl_1'],
        ['DELETE', '/templates/tpl_1'],
        ['POST', '/templates/tpl_1/render'],
        ['GET', '/domains/example.test'],
        ['POST', '/domains/example.test/verify'],
        ['DELETE', '/domains/example.test'],
        ['DELETE', '/api-keys/key_1'],
        ['PATCH', '/webhooks/whk_1'],
        ['DELETE', '/webhooks/whk_1'],
      ];
      assert.equal(calls.length, 23);
      for (const [method, path] of calls) {
        const body = method === 'POST' || method === 'PATCH' ? {} : undefined;
        await api.refused({ status: 401, code: 'authentication_error' }, method, path, body, { key: null });
      }
    },
  ),

  check(['spec:auth.prefix.test'], 'accepts the key of the suite, a test key', async (api) => {
    assert.match(api.target.key, /^svc_test_/);
    await api.ok(200, 'GET', '/emails');
  }),

  check(
    ['spec:limits.headers', 'gap:31'],
    'sends X-RateLimit-* as integers on every response, errors included; Reset is in Unix seconds, within the minute',
    async (api) => {
      const answers = [
        await api.call('GET', '/emails'),
        await api.call('GET', '/nothing'),
        await api.call('GET', '/emails?limit=x'),
        await api.call('POST', '/emails', {}),
        await api.call('POST', '/emails', '{'),
        await api.call('GET', '/emails', undefined, { key: null }),
        await api.call('GET', '/%zz'),
        await api.call('DELETE', `/templates/${(await api.template()).id}`),
      ];
      for (const { headers } of answers) {
        const limit = Number(headers['x-ratelimit-limit']);
        const remaining = Number(headers['x-ratelimit-remaining']);
        assert.ok(limit > 0 && remaining >= 0 && remaining <= limit, `${remaining} of ${limit}`);
      }
      const { json, headers } = await api.call('GET', '/emails');
      const now = Math.floor(Date.parse(json.meta.timestamp) / 1000);
      const reset = Number(headers['x-ratelimit-reset']);
      assert.ok(reset >= now && reset <= now + 61, `${reset} is not within a minute of ${now}`);
    },
  ),

  check(
    ['gap:37', 'spec:status.404', 'spec:code.not_found'],
    'answers 404 not_found to unknown paths and methods, before it looks at the body or its content type',
    async (api) => {
      for (const [method, path] of UNKNOWN) {
        const answer = await api.call(method, path);
        assert.equal(answer.status, 404, `${method} ${path}`);
        if (method !== 'HEAD') assert.equal(answer.json.error.code, 'not_found', `${method} ${path}`);
        if (method !== 'POST') continue;
        // The path comes first: no content type makes it another error.
        const headers = { 'content-type': 'text/plain' };
        await api.refused({ status: 404, code: 'not_found' }, method, path, 'not JSON', { headers });
      }
    },
  ),

  check(
    ['gap:37', 'spec:envelope.failure'],
    'answers a path that cannot be decoded with the envelope too',
    async (api) => {
      for (const path of ['/emails/%zz', '/%', '/domains/%ff%fe', `/emails/${'a'.repeat(2_000)}`, '/emails/%00']) {
        const { status } = await api.call('GET', path);
        assert.ok(status === 400 || status === 404, `${path}: ${status}`);
      }
    },
  ),

  check(
    ['spec:endpoints.json', 'spec:status.400', 'spec:code.validation_error', 'gap:11'],
    'answers 400 validation_error to a body that is not a JSON object, and stores nothing',
    async (api) => {
      const before = (await api.ok(200, 'GET', '/templates')).pagination.total;
      for (const [method, path] of BODIES) {
        for (const body of Object.values(UNREADABLE)) {
          const headers = { 'content-type': 'application/json' };
          await api.refused({ status: 400, code: 'validation_error' }, method, path, body, { headers });
        }
      }
      if (api.target.exclusive) assert.equal((await api.ok(200, 'GET', '/templates')).pagination.total, before);
    },
  ),

  check(
    ['spec:endpoints.json'],
    'answers 400 to a content type other than JSON; accepts JSON with a charset',
    async (api) => {
      const body = JSON.stringify(api.mail());
      for (const type of [
        'text/plain',
        'text/json',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/xml',
        'nonsense',
      ]) {
        const headers = { 'content-type': type };
        await api.refused({ status: 400, code: 'validation_error' }, 'POST', '/emails', body, { headers });
      }
      await api.refused({ status: 400, code: 'validation_error' }, 'POST', '/emails', body);
      for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset=UTF-8']) {
        await api.ok(201, 'POST', '/emails', body, { headers: { 'content-type': type } });
      }
    },
  ),

  check(['spec:endpoints.json'], 'accepts the JSON content type on a call without a body', async (api) => {
    const headers = { 'content-type': 'application/json' };
    await api.ok(200, 'GET', '/emails', undefined, { headers });
    const { id } = await api.template();
    await api.ok(204, 'DELETE', `/templates/${id}`, undefined, { headers });
    const { domain } = await api.ok(201, 'POST', '/domains', { domain: `${api.unique('mail')}.example.com` });
    await api.ok(200, 'POST', `/domains/${domain}/verify`, '', { headers });
  }),

  check(
    ['gap:13'],
    'ignores unknown body fields and names them in X-Service-Warning, with the nearest known one',
    async (api) => {
      const sent = await api.call(
        'POST',
        '/emails',
        api.mail({ scheduledAt: '2030-01-01T00:00:00Z', zebra_crossing: 1 }),
      );
      assert.equal(sent.status, 201);
      assert.equal(sent.json.data.scheduled_at, null);
      const warning = sent.headers['x-service-warning'] ?? '';
      assert.match(warning, /unknown_field; scheduledAt: /);
      assert.match(warning, /did you mean scheduled_at\?/);
      assert.match(warning, /zebra_crossing/);
      assert.match(warning, /unknown_field; zebra_crossing: is not a field(?:,|$)/);
      const nested = await api.call(
        'POST',
        '/emails',
        api.mail({
          attachments: [{ filename: 'a.txt', content: 'YQ==', contentType: 'text/plain', content_type: 'x/y' }],
        }),
      );
      assert.match(
        nested.headers['x-service-warning'] ?? '',
        /attachments\.0\.content_type: .*did you mean contentType/,
      );
      for (const [path, body] of [
        ['/templates', { name: api.unique('t'), subject: 's', html: 'h', body: 'x' }],
        ['/webhooks', { url: api.hookUrl(), events: ['email.sent'], active: true }],
        ['/api-keys', { name: 'k', environment: 'test', scopes: [] }],
        ['/domains', { domain: `${api.unique('mail')}.example.com`, region: 'eu' }],
      ] as const) {
        const answer = await api.call('POST', path, body);
        assert.equal(answer.status, 201, path);
        assert.match(answer.headers['x-service-warning'] ?? '', /body|active|scopes|region/, path);
      }
      const known = await api.call('POST', '/emails', api.mail());
      assert.equal(known.headers['x-service-warning'], undefined);
    },
  ),

  check(['gap:13'], 'treats a field named __proto__ or constructor as an unknown field', async (api) => {
    const text = JSON.stringify(api.mail()).slice(1);
    for (const name of ['__proto__', 'constructor', 'prototype', 'toString']) {
      const headers = { 'content-type': 'application/json' };
      const answer = await api.call('POST', '/emails', `{"${name}":{"tags":["x"],"to":"evil@example.test"},${text}`, {
        headers,
      });
      assert.equal(answer.status, 201, name);
      assert.deepEqual(answer.json.data.tags, []);
      assert.match(answer.headers['x-service-warning'] ?? '', new RegExp(name));
    }
  }),

  check(['gap:13'], 'names an unknown field that no header may contain in printable characters', async (api) => {
    const answer = await api.call(
      'POST',
      '/emails',
      api.mail({ 'a\r\nx-evil: 1': 1, ünïcode: 1, ['x'.repeat(20_000)]: 1 }),
    );
    assert.equal(answer.status, 201);
    assert.equal(answer.headers['x-evil'], undefined);
    assert.match(answer.headers['x-service-warning'] ?? '', /^[\x20-\x7e]{1,2000}$/);
  }),

  check(['gap:34', 'spec:status.400'], 'reads a body of 40 MiB; answers 400 to one byte more', async (api) => {
    const limit = 40 * 1024 * 1024;
    const envelope = JSON.stringify(api.mail({ text: '' }));
    const bodyOf = (bytes: number) => envelope.replace('"text":""', `"text":"${'a'.repeat(bytes - envelope.length)}"`);
    const headers = { 'content-type': 'application/json' };
    assert.equal(bodyOf(limit).length, limit);
    await api.ok(201, 'POST', '/emails', bodyOf(limit), { headers });
    await api.refused({ status: 400, code: 'validation_error' }, 'POST', '/emails', bodyOf(limit + 1), { headers });
  }),

  check(
    ['gap:12', 'spec:code.validation_error', 'spec:status.422'],
    'returns validation details as an array of path and message, with paths into arrays and objects',
    async (api) => {
      const error = await api.refused(
        { status: 422, code: 'validation_error', at: 'attachments.0.content' },
        'POST',
        '/emails',
        api.mail({
          to: ['ada@example.test', 'nobody'],
          attachments: [{ filename: 'a.txt', content: 'not base64!', contentType: 'text/plain' }],
          tags: ['ok', 7],
        }),
      );
      const paths = error.details.map(({ path }: { path: string }) => path);
      assert.deepEqual(paths.sort(), ['attachments.0.content', 'tags.1', 'to.1']);
      for (const { message } of error.details) string(message, 'message');
      const query = await api.refused({ status: 400, code: 'validation_error', at: 'limit' }, 'GET', '/emails?limit=x');
      assert.equal(query.details.length, 1);
    },
  ),

  check(['gap:39', 'spec:versioning.policy'], 'ignores Idempotency-Key: two calls send two emails', async (api) => {
    const headers = { 'idempotency-key': api.unique('same') };
    const body = api.mail();
    const first = await api.call('POST', '/emails', body, { headers });
    const second = await api.call('POST', '/emails', body, { headers });
    assert.deepEqual([first.status, second.status], [201, 201]);
    assert.notEqual(first.json.data.id, second.json.data.id);
    for (const name of ['deprecation', 'sunset', 'api-version', 'idempotency-replayed']) {
      assert.equal(first.headers[name], undefined, name);
    }
  }),

  check(['gap:11', 'spec:code.mapping'], 'returns each code that can be caused with its statuses', async (api) => {
    const cases: [string, number, string, string, unknown, (string | null)?][] = [
      ['authentication_error', 401, 'GET', '/emails', undefined, null],
      ['not_found', 404, 'GET', '/emails/msg_unknown', undefined],
      ['template_not_found', 404, 'GET', '/templates/tpl_unknown', undefined],
      ['validation_error', 400, 'GET', '/emails?status=nothing', undefined],
      ['validation_error', 422, 'POST', '/emails', {}],
      ['invalid_variables', 422, 'POST', `/templates/${(await api.template()).id}/render`, { variables: {} }],
      ['authorization_error', 403, 'POST', '/api-keys', { name: 'x', environment: 'live' }],
    ];
    for (const [code, status, method, path, body, key] of cases) {
      assert.ok(STATUSES_OF_CODE[code]?.includes(status));
      await api.refused({ status, code }, method, path, body, key === null ? { key } : {});
    }
    const { name } = await api.template();
    const taken = { name, subject: 's', html: 'h' };
    await api.refused({ status: 409, code: 'validation_error' }, 'POST', '/templates', taken);
  }),
];
