import { expect } from 'vitest';
import * as z from 'zod';
import { control } from '../../../src/contract/control/endpoints.js';
import type { Endpoint } from '../../../src/contract/endpoint.js';
import { operationExamples } from '../../../src/contract/openapi/examples.js';
import { service } from '../../../src/contract/service/endpoints.js';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';

/** A server for a team with two workspaces. Everything of the first one contains the text SECRET. */

export const SECRET = 'secret-shop';
export const OTHER = 'visible-other';

/** Every endpoint of both contracts, with its name and the path under its prefix. */
export const endpoints: [name: string, path: string, endpoint: Endpoint][] = [
  ...Object.entries<Endpoint>(service).map(([name, each]) => [`service ${name}`, `/v1${each.path}`, each] as never),
  ...Object.entries<Endpoint>(control).map(([name, each]) => [`control ${name}`, `/_svc${each.path}`, each] as never),
];

export const MESSAGE = 'To: ada@example.test\r\nSubject: Hello\r\n\r\nHello\r\n';

export interface World {
  app: TestApp;
  keys: { admin: string; ordinary: string; secret: string; other: string; creator: string };
  /** IDs of the resources of the first workspace and of the server, by the first part of a path. */
  ids: Record<string, string>;
  call: (key: string | null, method: string, path: string, body?: unknown) => ReturnType<TestApp['call']>;
}

export async function startTeam(): Promise<World> {
  const app = await startApp({
    ...{ access: 'team', plan: 'none', domains: ['shop.example'] },
    allowedWebhookHosts: ['127.0.0.1'],
  });
  const call: World['call'] = (key, method, path, body) =>
    app.call(method, path, body, { authorization: key === null ? '' : `Bearer ${key}` });
  // Without attempts of webhooks in the background.
  await call(TEST_KEY, 'PATCH', '/_svc/clock', { frozen: true });
  const made = async (key: string, path: string, body: unknown) => {
    const { status, json } = await call(key, 'POST', path, body);
    expect([path, status, json?.error]).toEqual([path, 201, undefined]);
    return json.data;
  };
  const ordinary = (await made(TEST_KEY, '/v1/api-keys', { name: 'CI', environment: 'test', rate_limit: 60 })).key;
  const secret = (await made(TEST_KEY, '/_svc/workspaces', { name: SECRET })).api_key;
  const other = (await made(TEST_KEY, '/_svc/workspaces', { name: OTHER })).api_key;
  const creator = (await made(TEST_KEY, '/_svc/api-keys', { name: 'CI', creates_workspaces: true })).key;
  const hook = { url: `http://127.0.0.1:9/${SECRET}`, events: ['email.sent'] };
  const ids: Record<string, string> = {
    'api-keys': (await made(secret, '/v1/api-keys', { name: SECRET, environment: 'test', rate_limit: 60 })).id,
    webhooks: (await made(secret, '/v1/webhooks', hook)).id,
    emails: (await made(secret, '/v1/emails', emailOf(SECRET))).id,
    templates: (await made(ordinary, '/v1/templates', operationExamples['templates.create'].body)).id,
    domains: 'shop.example',
    rules: (await made(TEST_KEY, '/_svc/rules', { to: '*@corp.test', outcome: 'bounced' })).id,
    faults: (await made(TEST_KEY, '/_svc/faults', { smtp: 'end', drop: 'after', times: 1 })).id,
    suppressions: (await made(ordinary, '/_svc/suppressions', { address: 'ada@corp.test' })).address,
    workspaces: SECRET,
    'smtp-sessions': 'smtp_unknown',
    dns: 'shop.example',
  };
  await app.drain();
  const [delivery] = (await call(secret, 'GET', '/_svc/deliveries')).json.data.deliveries;
  ids.deliveries = delivery.id;
  return { app, keys: { admin: TEST_KEY, ordinary, secret, other, creator }, ids, call };
}

export function emailOf(text: string) {
  const html = `<a href="https://a.test/${text}">${text}</a>`;
  return { to: `${text}@example.test`, from: `${text}@shop.example`, subject: text, html };
}

/** Returns a path with the IDs of the first workspace and of the server. */
export function pathOf(path: string, { ids }: World): string {
  const resource = path.split('/').findLast((part) => part in ids) ?? '';
  return path.replace(/\{(\w+)\}/g, (_, name) => {
    const id = name === 'index' ? '0' : ids[resource];
    if (id === undefined) throw new Error(`Add an ID for ${path} to startTeam.`);
    return encodeURIComponent(id);
  });
}

/** Returns the path of a request with the required parameters of its query. */
export function addressOf(path: string, { query }: Endpoint, world: World): string {
  const parameters = query ? sampleOf(z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' })) : {};
  const search = new URLSearchParams(parameters as Record<string, string>);
  return pathOf(path, world) + (search.size > 0 ? `?${search}` : '');
}

/** Bodies of requests whose schemas have conditions. */
const bodies: Record<string, (ids: World['ids']) => unknown> = {
  'control emails.wait': () => ({ query: '', since: 'start', timeout_ms: 1 }),
  'control emails.delete_selected': (ids) => ({ ids: [ids.emails] }),
  'control emails.restore': () => ({ undo_id: '6f1b2c9e-8f0d-4c35-9a55-0f6d1c2b3a4e' }),
  'control emails.mark': (ids) => ({ ids: [ids.emails] }),
  'control deliveries.replay': (ids) => ({ delivery_id: ids.deliveries }),
  'control events.trigger': (ids) => ({ type: 'email.sent', email_id: ids.emails }),
  'control inbox.preview': () => ({ subject: 'Hello', html: '<p>Hello</p>', variables: {} }),
  'control faults.create': () => ({ smtp: 'end', code: 451 }),
  'control emails.simulate': () => ({ outcome: 'opened' }),
};

/** Returns a valid body of a request: of the table, of the examples, or with the required fields of its schema. */
export function bodyOf(name: string, { body }: Endpoint, { ids }: World): unknown {
  if (!body) return undefined;
  const [, operation = ''] = name.split(' ');
  const example = (operationExamples as Record<string, { body?: unknown }>)[operation]?.body;
  return (
    bodies[name]?.(ids) ??
    (name.startsWith('service') ? example : undefined) ??
    sampleOf(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }))
  );
}

// biome-ignore lint/suspicious/noExplicitAny: a JSON schema has any shape
function sampleOf(schema: any): unknown {
  if (schema.examples) return schema.examples[0];
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return sampleOf(schema.anyOf[0]);
  if (schema.type === 'object') {
    return Object.fromEntries((schema.required ?? []).map((name: string) => [name, sampleOf(schema.properties[name])]));
  }
  const samples: Record<string, unknown> = {
    string: 'ada@example.test',
    boolean: true,
    integer: 1,
    number: 1,
    array: [],
  };
  return samples[schema.type];
}
