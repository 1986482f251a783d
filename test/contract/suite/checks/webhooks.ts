import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { Api, Json } from '../api.js';
import { type Check, check } from '../check.js';
import { ALL_EVENTS_PATH, type Receiver } from '../receiver.js';
import {
  arrayOf,
  exactly,
  idOf,
  nullable,
  object,
  oneOf,
  rowsOf,
  type Shape,
  string,
  timestamp,
  webhook,
} from '../shapes.js';

/** Checks webhook subscriptions, and what a receiver gets. */

const invalid = { status: 422, code: 'validation_error' };
const unknown = { status: 404, code: 'not_found' };

export const EVENT_TYPES = [
  'email.sent',
  'email.delivered',
  'email.opened',
  'email.clicked',
  'email.bounced',
  'email.complained',
  'email.dropped',
  'template.created',
  'template.updated',
  'template.deleted',
  'domain.verified',
  'api_key.created',
  'api_key.revoked',
];

/** The secret of the subscription to every event. */
export const SECRET = 'whsec_größe of the contract suite';

const REFUSED_URLS = [
  undefined,
  null,
  7,
  {},
  ['https://example.com'],
  '',
  'example.com/hook',
  '/hook',
  'ftp://example.com/hook',
  'javascript:alert(1)',
  'http://example.com/hook',
  'http://192.0.2.1/hook',
  'http://localhost.example.com/hook',
  'http://127.0.0.1.example.com/hook',
  'http://example.com@/hook',
  'https://',
  'https://exa mple.com/',
  ' https://example.com/',
  'https://example.com/ ',
  'https://example.com/#part',
  'https://example.com/\nx',
  `https://example.com/${'x'.repeat(3_000)}`,
];

const envelope: Shape = {
  id: idOf('evt'),
  type: oneOf(...EVENT_TYPES),
  created_at: timestamp,
  version: oneOf('1.0'),
  data: object,
};

const dataOf: Record<string, Shape> = {
  'email.sent': {
    email_id: idOf('msg'),
    to: string,
    from: string,
    subject: string,
    template_id: nullable(idOf('tpl')),
    tags: arrayOf(string),
  },
  'email.delivered': { email_id: idOf('msg'), to: string, delivered_at: timestamp, smtp_response: string },
};

const create = (api: Api, fields: Record<string, unknown> = {}) =>
  api.ok(201, 'POST', '/webhooks', { url: api.hookUrl(), events: ['email.sent'], ...fields });

const receiverOf = (api: Api) => api.receiver as Receiver;

/** Subscribes a path of the receiver that only this check uses. */
async function subscribe(api: Api, fields: Record<string, unknown>): Promise<{ id: string; path: string }> {
  const path = `/${api.unique('path')}`;
  const { id } = await create(api, { url: receiverOf(api).url(path), ...fields });
  return { id, path };
}

/** Sends one email and waits until its event arrives at a path. */
async function sendAndReceive(api: Api, path: string, type = 'email.sent') {
  const { id } = await api.send();
  await api.target.settle?.();
  return receiverOf(api).first(({ json }) => json.type === type && json.data.email_id === id, path);
}

const hmac = (secret: string, bytes: string | Buffer) => createHmac('sha256', secret).update(bytes).digest('hex');

export const checks: Check[] = [
  check(
    ['spec:POST /webhooks', ...rowsOf('spec:webhook', webhook), 'spec:webhook.secret', 'gap:9', 'gap:20'],
    'returns 201 with exactly the record, never the secret',
    async (api) => {
      const events = ['email.delivered', 'email.bounced'];
      const secret = api.unique('whsec');
      const answer = await api.call('POST', '/webhooks', { url: api.hookUrl('hooks?a=1'), events, secret });
      assert.equal(answer.status, 201);
      const { data } = answer.json;
      exactly(webhook)(data, 'data');
      assert.deepEqual([data.url, data.events, data.active], [api.hookUrl('hooks?a=1'), events, true]);
      assert.equal(data.created_at, data.updated_at);
      assert.ok(!answer.body.includes(secret));
      assert.ok(!(await api.call('GET', '/webhooks')).body.includes(secret));
      assert.ok(!(await api.call('PATCH', `/webhooks/${data.id}`, {})).body.includes(secret));
    },
  ),

  check(
    ['spec:GET /webhooks', ...rowsOf('spec:webhook', webhook), 'gap:19'],
    'lists webhooks, newest first',
    async (api) => {
      const [first, second] = [await create(api), await create(api)];
      const data = await api.ok(200, 'GET', '/webhooks');
      exactly({ webhooks: arrayOf(exactly(webhook)) })(data, 'data');
      const ids = data.webhooks.map(({ id }: { id: string }) => id);
      assert.ok(ids.indexOf(second.id) < ids.indexOf(first.id));
      assert.deepEqual(data.webhooks[ids.indexOf(first.id)], first);
    },
  ),

  check(
    ['spec:webhook.url', 'spec:delivery.https', 'spec:request.webhooks.create.url', 'gap:21'],
    'requires an https url; answers 422 to any other, loopback apart',
    async (api) => {
      for (const url of REFUSED_URLS) {
        await api.refused({ ...invalid, at: 'url' }, 'POST', '/webhooks', { url, events: ['email.sent'] });
      }
      for (const url of [api.hookUrl(''), api.hookUrl('a?b=c'), 'https://127.0.0.1:1', 'HTTPS://LOCALHOST:1/x']) {
        await create(api, { url });
      }
    },
  ),

  check(
    ['gap:21'],
    'accepts plain http to loopback on the local server',
    async (api) => {
      for (const url of ['http://localhost:1/x', 'http://127.0.0.1:1/x', 'http://127.9.9.9/x', 'http://[::1]:1/x']) {
        const { id } = await create(api, { url });
        await api.ok(204, 'DELETE', `/webhooks/${id}`);
      }
    },
    'receiver',
  ),

  check(
    [
      'spec:webhook.events',
      'spec:request.webhooks.create.events',
      'spec:event-types',
      'gap:20',
      ...EVENT_TYPES.map((type) => `spec:event.${type}`),
    ],
    'accepts each of the thirteen event names; answers 422 to an unknown one, or none',
    async (api) => {
      for (const type of EVENT_TYPES) assert.deepEqual((await create(api, { events: [type] })).events, [type]);
      assert.deepEqual((await create(api, { events: EVENT_TYPES })).events, EVENT_TYPES);
      for (const events of [undefined, null, 7, 'email.sent', {}, [], [7], [null], ['']]) {
        await api.refused(invalid, 'POST', '/webhooks', { url: 'https://example.com', events });
      }
      for (const name of ['email.exploded', '*', 'email.*', 'EMAIL.SENT', '__proto__']) {
        const body = { url: 'https://example.com', events: ['email.sent', name] };
        await api.refused({ ...invalid, at: 'events.1' }, 'POST', '/webhooks', body);
      }
    },
  ),

  check(
    ['spec:webhook.secret', 'spec:request.webhooks.create.secret'],
    'accepts a string as secret, which is optional',
    async (api) => {
      for (const secret of [null, 7, true, {}, [], '']) {
        await api.refused({ ...invalid, at: 'secret' }, 'POST', '/webhooks', {
          url: 'https://example.com',
          events: ['email.sent'],
          secret,
        });
      }
    },
  ),

  check(
    ['spec:PATCH /webhooks/{id}', 'gap:9', 'gap:20'],
    'changes with PATCH any of url, events, secret, active, and returns the record',
    async (api) => {
      const before = await create(api);
      for (const [field, value] of Object.entries({
        url: api.hookUrl('new'),
        events: ['email.opened', 'email.clicked'],
        active: false,
      })) {
        const previous = (await api.ok(200, 'GET', '/webhooks')).webhooks.find((one: Json) => one.id === before.id);
        const after = await api.ok(200, 'PATCH', `/webhooks/${before.id}`, { [field]: value });
        exactly(webhook)(after, 'data');
        assert.deepEqual({ ...after, updated_at: 0 }, { ...previous, [field]: value, updated_at: 0 });
        assert.ok(after.updated_at >= previous.updated_at);
      }
      await api.ok(200, 'PATCH', `/webhooks/${before.id}`, { secret: 'whsec_new' });
      assert.equal((await api.ok(200, 'PATCH', `/webhooks/${before.id}`, { active: true })).active, true);
      for (const [field, values] of Object.entries({
        url: REFUSED_URLS.slice(1),
        events: [null, [], 'email.sent', ['nothing']],
        secret: [null, '', 7],
        active: [null, 'true', 1, 0],
      })) {
        for (const value of values) {
          const error = await api.refused(invalid, 'PATCH', `/webhooks/${before.id}`, { [field]: value });
          assert.ok(error.details.every(({ path }: { path: string }) => path.split('.')[0] === field));
        }
      }
      await api.refused(unknown, 'PATCH', '/webhooks/whk_unknown', { active: true });
    },
  ),

  check(['gap:45', 'gap:20'], 'returns the record unchanged for a PATCH that changes nothing', async (api) => {
    const { id } = await create(api, { secret: 'whsec_same' });
    const before = await api.ok(200, 'PATCH', `/webhooks/${id}`, { events: ['email.opened'] });
    const { url } = before;
    for (const change of [
      {},
      { urll: 'x' },
      { url, active: true },
      { events: ['email.opened'] },
      { secret: 'whsec_same' },
    ]) {
      assert.deepEqual(await api.ok(200, 'PATCH', `/webhooks/${id}`, change), before);
    }
  }),

  check(
    ['spec:DELETE /webhooks/{id}', 'spec:status.204', 'gap:9'],
    'deletes a subscription with 204 without a body; answers 404 the second time',
    async (api) => {
      const { id } = await create(api);
      await api.ok(204, 'DELETE', `/webhooks/${id}`);
      await api.refused(unknown, 'DELETE', `/webhooks/${id}`);
      await api.refused(unknown, 'PATCH', `/webhooks/${id}`, { active: true });
      await api.refused(unknown, 'DELETE', '/webhooks/nothing');
    },
  ),

  check(
    [...rowsOf('spec:event', envelope), 'spec:id.event', 'spec:delivery.post', 'gap:24'],
    'posts an event as JSON with exactly the envelope, its version 1.0',
    async (api) => {
      const { id } = await api.send();
      await api.event('email.sent', (data) => data.email_id === id);
      const ids = receiverOf(api)
        .at(ALL_EVENTS_PATH)
        .map(({ method, headers, json }) => {
          assert.equal(method, 'POST');
          assert.match(headers['content-type'] ?? '', /^application\/json(;|$)/);
          exactly(envelope)(json, 'payload');
          return json.id;
        });
      assert.equal(new Set(ids).size, ids.length, 'an event has an id of its own');
    },
    'receiver',
  ),

  check(
    ['spec:delivery.signature', 'spec:auth.webhook-signature', 'gap:25'],
    'signs in X-Service-Signature the raw bytes and the re-serialized JSON alike, with HMAC',
    async (api) => {
      const { id } = await api.send({ subject: 'Größe 🎉 </script> \\ " \u00a0', tags: ['日本', '1', '__proto__'] });
      await api.event('email.sent', (data) => data.email_id === id);
      const received = receiverOf(api).at(ALL_EVENTS_PATH);
      for (const { raw, headers } of received) {
        const signature = headers['x-service-signature'];
        assert.match(String(signature), /^[0-9a-f]{64}$/);
        assert.equal(signature, hmac(SECRET, raw), 'over the raw bytes');
        assert.equal(signature, hmac(SECRET, JSON.stringify(JSON.parse(raw.toString('utf8')))), 'over the parsed body');
      }
    },
    'receiver',
  ),

  check(
    ['spec:delivery.signature', 'spec:webhook.secret'],
    'sends no signature without a secret; signs from then on with a secret set later',
    async (api) => {
      const { id, path } = await subscribe(api, {});
      const plain = await sendAndReceive(api, path);
      assert.equal(plain.headers['x-service-signature'], undefined);
      await api.ok(200, 'PATCH', `/webhooks/${id}`, { secret: 'first' });
      const signed = await sendAndReceive(api, path);
      assert.equal(signed.headers['x-service-signature'], hmac('first', signed.raw));
      await api.ok(200, 'PATCH', `/webhooks/${id}`, { secret: 'second' });
      const again = await sendAndReceive(api, path);
      assert.equal(again.headers['x-service-signature'], hmac('second', again.raw));
      await api.ok(204, 'DELETE', `/webhooks/${id}`);
    },
    'receiver',
  ),

  check(
    ['spec:webhook.events', 'spec:events.subscribed'],
    'sends a subscription only the events that it lists',
    async (api) => {
      const { id, path } = await subscribe(api, { events: ['email.delivered', 'template.created'] });
      await sendAndReceive(api, path, 'email.delivered');
      await api.template();
      await sendAndReceive(api, path, 'email.delivered');
      const types = receiverOf(api)
        .at(path)
        .map(({ json }) => json.type);
      assert.deepEqual([...new Set(types)].sort(), ['email.delivered', 'template.created']);
      await api.ok(204, 'DELETE', `/webhooks/${id}`);
    },
    'receiver',
  ),

  check(
    ['gap:20', 'spec:webhook.active'],
    'sends nothing to an inactive subscription, nor later what it missed; nor to a deleted one',
    async (api) => {
      const { id, path } = await subscribe(api, {});
      const other = await subscribe(api, {});
      await api.ok(200, 'PATCH', `/webhooks/${id}`, { active: false });
      await sendAndReceive(api, other.path);
      assert.deepEqual(receiverOf(api).at(path), []);
      await api.ok(200, 'PATCH', `/webhooks/${id}`, { active: true });
      await sendAndReceive(api, path);
      assert.equal(receiverOf(api).at(path).length, 1);
      await api.ok(204, 'DELETE', `/webhooks/${id}`);
      await sendAndReceive(api, other.path);
      assert.equal(receiverOf(api).at(path).length, 1);
      await api.ok(204, 'DELETE', `/webhooks/${other.id}`);
    },
    'receiver',
  ),

  check(
    [
      'spec:event.email.sent',
      ...rowsOf('spec:event.email.sent', dataOf['email.sent'] as Shape),
      'spec:transition.send',
      'gap:4',
    ],
    'sends email.sent with exactly its fields, one event per recipient, to is that one address',
    async (api) => {
      // Upper case stays as the request spelled it.
      const [to, cc, bcc] = [api.address('Ada.To').replace('test', 'TEST'), api.address('cc'), api.address('bcc')];
      const { id: template_id } = await api.template();
      const { id } = await api.ok(201, 'POST', '/emails', {
        to: [`Ada <${to}>`],
        cc,
        bcc,
        from: 'Shop <shop@example.test>',
        template_id,
        variables: { name: 'Ada' },
        tags: ['x', 'y'],
      });
      for (const address of [to, cc, bcc]) {
        const { data } = await api.event('email.sent', (found) => found.email_id === id && found.to === address);
        exactly(dataOf['email.sent'] as Shape)(data, 'data');
        assert.deepEqual(data, {
          email_id: id,
          to: address,
          from: 'Shop <shop@example.test>',
          subject: 'Hello Ada',
          template_id,
          tags: ['x', 'y'],
        });
      }
      const plain = await api.send();
      const { data } = await api.event('email.sent', (found) => found.email_id === plain.id);
      assert.deepEqual([data.template_id, data.tags], [null, []]);
    },
    'receiver',
  ),

  check(
    [
      'spec:event.email.delivered',
      ...rowsOf('spec:event.email.delivered', dataOf['email.delivered'] as Shape),
      'gap:3',
      'gap:4',
    ],
    'sends email.delivered with exactly its fields, one event per recipient, after the email is delivered',
    async (api) => {
      const to = [api.address('a'), api.address('b')];
      const { id } = await api.send({ to });
      for (const address of to) {
        const { data } = await api.event('email.delivered', (found) => found.email_id === id && found.to === address);
        exactly(dataOf['email.delivered'] as Shape)(data, 'data');
        assert.match(data.smtp_response, /^2\d\d /);
      }
      assert.equal((await api.ok(200, 'GET', `/emails/${id}`)).status, 'delivered');
    },
    'receiver',
  ),

  check(
    ['spec:event.template.created', 'spec:event.template.updated', 'spec:event.template.deleted', 'gap:26'],
    'sends template events with template_id, name and the time',
    async (api) => {
      const { id: template_id, name, created_at } = await api.template();
      const created = await api.event('template.created', (data) => data.template_id === template_id);
      assert.deepEqual(created.data, { template_id, name, created_at });
      const renamed = api.unique('renamed');
      const { updated_at } = await api.ok(200, 'PATCH', `/templates/${template_id}`, { name: renamed });
      const updated = await api.event('template.updated', (data) => data.template_id === template_id);
      assert.deepEqual(updated.data, { template_id, name: renamed, updated_at });
      await api.ok(204, 'DELETE', `/templates/${template_id}`);
      const { data } = await api.event('template.deleted', (found) => found.template_id === template_id);
      exactly({ template_id: idOf('tpl'), name: string, deleted_at: timestamp })(data, 'data');
      assert.equal(data.name, renamed);
    },
    'receiver',
  ),

  check(
    ['spec:event.domain.verified', 'spec:transition.domain-verified', 'spec:domain.statuses', 'gap:17', 'gap:26'],
    'verifies a domain by the local server’s DNS, and sends domain.verified once',
    async (api) => {
      const { domain } = await api.ok(201, 'POST', '/domains', { domain: `${api.unique('mail')}.example.com` });
      const data = await api.ok(200, 'POST', `/domains/${domain}/verify`);
      const { status, dkim_verified, spf_verified, dmarc_verified } = data;
      assert.deepEqual([status, dkim_verified, spf_verified, dmarc_verified], ['verified', true, true, true]);
      const event = await api.event('domain.verified', (found) => found.domain === domain);
      exactly({ domain: string, verified_at: timestamp })(event.data, 'data');
      await api.ok(200, 'POST', `/domains/${domain}/verify`);
      const { id } = await api.send();
      await api.event('email.delivered', (found) => found.email_id === id);
      const all = receiverOf(api).at(ALL_EVENTS_PATH);
      assert.equal(all.filter(({ json }) => json.data.domain === domain).length, 1);
    },
    'receiver',
  ),

  check(
    ['spec:event.api_key.created', 'spec:event.api_key.revoked', 'gap:26'],
    'sends API key events with their fields, never the key',
    async (api) => {
      const name = api.unique('key');
      const { id, created_at, key } = await api.ok(201, 'POST', '/api-keys', { name, environment: 'test' });
      const created = await api.event('api_key.created', (data) => data.api_key_id === id);
      assert.deepEqual(created.data, { api_key_id: id, name, environment: 'test', created_at });
      await api.ok(204, 'DELETE', `/api-keys/${id}`);
      const revoked = await api.event('api_key.revoked', (data) => data.api_key_id === id);
      exactly({ api_key_id: idOf('key'), name: string, revoked_at: timestamp })(revoked.data, 'data');
      assert.equal(revoked.data.name, name);
      assert.ok(
        receiverOf(api)
          .at(ALL_EVENTS_PATH)
          .every(({ raw }) => !raw.includes(key)),
      );
    },
    'receiver',
  ),
];
