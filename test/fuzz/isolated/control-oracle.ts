import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { App } from '../../../src/app/app.js';
import { createApp } from '../../../src/app/create-app.js';
import { type Operation, operationsOf, ResponseOracle } from '../../support/openapi.js';
import { ARCHIVE, CONTROL_KEY, type ControlRequest } from './control-requests.js';

/** Time that a wait for email gets, and the first bytes of a stream. */
const PATIENCE_MS = 200;
const AUTHORIZED = { host: 'localhost', authorization: `Bearer ${CONTROL_KEY}` };

interface Service {
  app: App;
  faults: unknown[];
  operations: Map<string, Operation>;
  oracle: ResponseOracle;
  archive: Buffer;
}

let service: Promise<Service> | undefined;

/** Starts the server, once. */
export function prepare(): Promise<Service> {
  service ??= startService();
  return service;
}

async function startService(): Promise<Service> {
  const faults: unknown[] = [];
  const app = await createApp({
    dataDir: null,
    storage: 'memory',
    apiKey: CONTROL_KEY,
    webhookSecret: 'whsec_fuzz',
    plan: 'none',
    checkResponses: true,
    onInternalError: (error) => faults.push(error),
  });
  await call(app, 'POST', '/v1/domains', { domain: 'known.example' });
  await call(app, 'POST', '/_svc/workspaces', { name: 'worker-1' });
  const document = await call(app, 'GET', '/_svc/openapi.json');
  const operations = new Map(operationsOf(document).map((operation) => [operation.operationId, operation]));
  const exported = await app.http.inject({ method: 'GET', url: '/_svc/export', headers: AUTHORIZED });
  return { app, faults, operations, oracle: new ResponseOracle(document), archive: exported.rawPayload };
}

async function call(app: App, method: string, url: string, body?: object) {
  const response = await app.http.inject({
    method: method as 'GET',
    url,
    headers: { ...AUTHORIZED, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { payload: JSON.stringify(body) }),
  });
  if (response.statusCode === 204) return undefined;
  const json = response.json();
  return url.endsWith('.json') ? json : json.data;
}

/** How to list resources that a request can name, and to create one. */
const known: Record<string, { list: [path: string, field: string]; create(app: App): Promise<unknown> }> = {
  email: {
    list: ['/_svc/emails?limit=4', 'emails'],
    create: (app) =>
      call(app, 'POST', '/v1/emails', {
        ...{ to: 'ada@example.test', from: 'app@known.example', subject: 'Hi', text: 'Your code is 123456.' },
        html: '<style>p{color:#777}</style><p>Hi <a href="http://127.0.0.1:1/x">x</a><img src="cid:a">',
        attachments: [{ filename: 'a.bin', content: 'AAECAwT/', contentType: 'application/octet-stream' }],
      }),
  },
  delivery: {
    list: ['/_svc/deliveries?limit=4', 'deliveries'],
    async create(app) {
      await call(app, 'POST', '/v1/webhooks', { url: 'http://127.0.0.1:1/', events: ['email.sent'] });
      await known.email?.create(app);
    },
  },
  rule: {
    list: ['/_svc/rules', 'rules'],
    create: (app) => call(app, 'POST', '/_svc/rules', { to: 'slow@*', outcome: 'deferred' }),
  },
  fault: {
    list: ['/_svc/faults', 'faults'],
    create: (app) => call(app, 'POST', '/_svc/faults', { http: '*', code: 503, times: 1 }),
  },
};

/** Returns a text with the IDs that its placeholders stand for. */
async function filled(app: App, text: string): Promise<string> {
  let result = text;
  for (const [placeholder, kind = '', index] of text.matchAll(/known-(\w+)-(\d)/g)) {
    const resource = known[kind];
    if (!resource) continue;
    const [path, field] = resource.list;
    const list = async () => ((await call(app, 'GET', path))?.[field] ?? []) as { id: string }[];
    let ids = await list();
    if (ids.length < 2) {
      // A fault of the service would prevent it.
      if (kind !== 'fault') await call(app, 'DELETE', '/_svc/faults');
      await resource.create(app);
      ids = await list();
    }
    result = result.replaceAll(placeholder, ids[Number(index) % Math.max(1, ids.length)]?.id ?? 'none');
  }
  return result;
}

/** Sends a request to the control API. Its response must be declared, valid and no fault of the server. */
export async function answersAsDeclared(request: ControlRequest): Promise<string> {
  const { app, faults, operations, oracle, archive } = await prepare();
  const operation = operations.get(request.operationId);
  assert.ok(operation);
  const url = await filled(app, request.url);
  const body = typeof request.body === 'string' ? await filled(app, request.body) : bytesOf(request.body, archive);
  const aborted = new AbortController();
  const answered = app.http.inject({
    method: request.method as 'GET',
    url,
    headers: request.headers,
    ...(body !== undefined && { payload: body }),
    payloadAsStream: true,
    signal: aborted.signal,
  });
  answered.catch(() => {});
  const isWait = request.operationId === 'emails.wait';
  const response = await (isWait ? Promise.race([answered, wait(PATIENCE_MS)]) : answered);
  if (response === undefined) {
    // An injected request that is aborted before its response settles no promise.
    aborted.abort();
    return 'waiting';
  }
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
  const type = headers['content-type'] ?? '';
  const content = await read(response.stream(), type.startsWith('text/event-stream'));
  const status = response.statusCode;
  const answer = { status, headers, json: /^application\/json/.test(type) ? JSON.parse(content) : undefined };
  const fault = faults.splice(0);
  assert.deepEqual(fault.map(String), [], `${status} ${content.slice(0, 500)} ${(fault[0] as Error)?.stack}`);
  assert.notEqual(status, 500, content.slice(0, 500));
  const isJson = status >= 400 || /^application\/json/.test(type) || status === 204;
  const problems = isJson
    ? oracle.problems(operation, answer)
    : operation.responses[status]
      ? []
      : [`status ${status}`];
  if (problems.length > 0 && !(request.hasUnknownPath && [400, 404, 405].includes(status))) {
    assert.fail(`${request.method} ${url}: ${problems.join('; ')}: ${status} ${content.slice(0, 500)}`);
  }
  return String(status);
}

function bytesOf(body: Uint8Array | undefined, archive: Buffer): Buffer | undefined {
  if (body === undefined) return undefined;
  const bytes = Buffer.from(body);
  return bytes.equals(Buffer.from(ARCHIVE)) ? archive : bytes;
}

/** Reads a body; of an endless one, what arrives first. */
async function read(stream: NodeJS.ReadableStream, isEndless: boolean): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk));
    // Leaving the loop closes the stream.
    if (isEndless) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}
