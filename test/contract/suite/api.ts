import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Receiver } from './receiver.js';
import { exactly, failure, failureExtras, meta, object } from './shapes.js';
import type { Reply, Target } from './target.js';

/** Time limit for the delivery of an email. */
const DELIVERY_LIMIT_MS = 60_000;

/** Lists the statuses that an error code may have. Specification: Error codes; gap 11. */
export const STATUSES_OF_CODE: Record<string, readonly number[]> = {
  authentication_error: [401],
  authorization_error: [403],
  domain_not_verified: [403],
  not_found: [404],
  template_not_found: [404],
  validation_error: [400, 409, 422],
  invalid_variables: [422],
  rate_limit_exceeded: [429],
  upstream_error: [500],
  internal_error: [500],
};

/** How often a call is repeated after a 429, waiting as long as Retry-After requires. */
const PATIENCE = 5;

// biome-ignore lint/suspicious/noExplicitAny: a parsed response; its shape is what the checks verify
export type Json = any;

export interface Answer extends Reply {
  json: Json;
}

export interface CallOptions {
  /** No key is sent for null. */
  key?: string | null;
  headers?: Record<string, string>;
}

export interface Refusal {
  status: number;
  code: string;
  /** A path that `details` must name. */
  at?: string;
}

/** Calls the API, and checks every response for what all responses have in common. */
export class Api {
  readonly #run = randomBytes(4).toString('hex');
  #made = 0;
  /** What calls have created and nothing has deleted yet. */
  readonly #created = new Set<string>();

  constructor(
    readonly target: Target,
    /** Receives the events of a subscription to all types; undefined when the target cannot reach this machine. */
    readonly receiver: Receiver | undefined,
  ) {}

  /** Returns a name that no one has used before. */
  unique(word: string): string {
    this.#made += 1;
    return `${word}-${this.#run}-${this.#made}`;
  }

  address(word = 'someone'): string {
    return `${this.unique(word)}@example.test`;
  }

  /** Sends a body as JSON, or unchanged when it is text or bytes. */
  async call(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answer> {
    const key = options.key === undefined ? this.target.key : options.key;
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const headers = {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && !raw && { 'content-type': 'application/json' }),
      ...options.headers,
    };
    const exchange = { method, path, headers, ...(body !== undefined && { body: raw ? body : JSON.stringify(body) }) };
    for (let attempt = 1; ; attempt += 1) {
      const reply = await this.target.exchange(exchange);
      const json = checkAgainstContract(method, reply);
      if (reply.status === 201) this.#remember(path, json.data);
      if (reply.status === 204) this.#created.delete(path);
      if (reply.status !== 429 || attempt > PATIENCE) return { ...reply, json };
      await wait(Number(reply.headers['retry-after']) * 1_000);
    }
  }

  /** Returns the `data` of a call that must succeed; undefined for 204. */
  async ok(status: number, method: string, path: string, body?: unknown, options?: CallOptions): Promise<Json> {
    const answer = await this.call(method, path, body, options);
    assert.equal(answer.status, status, `${method} ${path}: ${answer.body.slice(0, 2_000)}`);
    return answer.json?.data;
  }

  /** Returns the `error` of a call that must fail with the expected refusal. */
  async refused(expected: Refusal, method: string, path: string, body?: unknown, options?: CallOptions): Promise<Json> {
    const { status, json, body: text } = await this.call(method, path, body, options);
    const sent = JSON.stringify(body)?.slice(0, 300);
    assert.equal(status, expected.status, `${method} ${path} ${sent}: ${text.slice(0, 2_000)}`);
    assert.equal(json.error.code, expected.code, `${method} ${path} ${sent}`);
    if (expected.at !== undefined) {
      const paths = (json.error.details ?? []).map((detail: Json) => detail.path);
      assert.ok(paths.includes(expected.at), `${method} ${path} ${sent}: details name ${paths}, not ${expected.at}`);
    }
    return json.error;
  }

  #remember(path: string, data: Json): void {
    if (path !== '/emails') this.#created.add(`${path}/${data.id ?? data.domain}`);
  }

  /** Deletes what a check has created: above all subscriptions, which would receive all later events. */
  async cleanUp(): Promise<void> {
    const { liveKey, key } = this.target;
    for (const path of this.#created) await this.call('DELETE', path, undefined, { key: liveKey ?? key });
    this.#created.clear();
  }

  /** Returns a webhook URL of which no real server receives anything. */
  hookUrl(rest = 'hook'): string {
    return `https://${this.target.reachesLoopback ? 'localhost:1' : 'svc-contract.invalid'}/${rest}`;
  }

  mail(fields: Record<string, unknown> = {}): Record<string, unknown> {
    return { to: this.address('ada'), from: 'shop@example.test', subject: 'Hello', html: '<p>Hello</p>', ...fields };
  }

  send(fields: Record<string, unknown> = {}, options?: CallOptions): Promise<Json> {
    return this.ok(201, 'POST', '/emails', this.mail(fields), options);
  }

  /** Sends, and waits until the email is delivered to every recipient. Returns the detail form. */
  async sendAndDeliver(fields: Record<string, unknown> = {}): Promise<Json> {
    const { id } = await this.send(fields);
    await this.untilDelivered(id);
    return this.ok(200, 'GET', `/emails/${id}`);
  }

  async untilDelivered(id: string): Promise<void> {
    if (this.receiver) {
      await this.event('email.delivered', (data) => data.email_id === id);
      return;
    }
    // Without a receiver the status is the only indication.
    const limit = AbortSignal.timeout(DELIVERY_LIMIT_MS);
    while ((await this.ok(200, 'GET', `/emails/${id}`)).status === 'sent') {
      assert.ok(!limit.aborted, `email ${id} is still "sent" after ${DELIVERY_LIMIT_MS} ms`);
      await wait(250);
    }
  }

  /** Returns the envelope of the first event of this type whose data matches, as the receiver of all events got it. */
  async event(type: string, fits: (data: Json) => boolean): Promise<Json> {
    assert.ok(this.receiver, 'no receiver');
    await this.target.settle?.();
    const { json } = await this.receiver.first(({ json: event }) => event.type === type && fits(event.data));
    return json;
  }

  template(fields: Record<string, unknown> = {}): Promise<Json> {
    return this.ok(201, 'POST', '/templates', {
      name: this.unique('template'),
      subject: 'Hello {{name}}',
      html: '<p>Hello {{name}}</p>',
      text: 'Hello {{name}}',
      ...fields,
    });
  }

  /** Returns the server's time. */
  async now(): Promise<number> {
    return Date.parse((await this.call('GET', '/emails?limit=1')).json.meta.timestamp);
  }

  /** Returns the suite's own emails in a list, by an address or tag that only this check has used. */
  async idsListed(query: string): Promise<string[]> {
    const { emails } = await this.ok(200, 'GET', `/emails?${query}`);
    return emails.map(({ id }: Json) => id);
  }
}

/** Checks what is true of every response. */
function checkAgainstContract(method: string, { status, headers, body }: Reply): Json {
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
    assert.match(headers[name] ?? '', /^\d+$/, `${name} on ${status}`);
  }
  const id = headers['x-request-id'] ?? '';
  if (status === 204) {
    assert.equal(body, '', 'a 204 has no body');
    assert.match(id, /^req_[0-9A-Za-z]+$/);
    return undefined;
  }
  assert.match(headers['content-type'] ?? '', /^application\/json(;|$)/, `content type of ${status}`);
  if (method === 'HEAD') return undefined;
  const json = JSON.parse(body);
  if (status < 400) {
    exactly({ success: isTrue, data: object, meta: exactly(meta) })(json, 'response');
  } else {
    exactly({ success: isFalse, error: exactly(failure, failureExtras), meta: exactly(meta) })(json, 'response');
    assert.equal(json.error.status, status, 'error.status is the HTTP status');
    assert.ok(STATUSES_OF_CODE[json.error.code]?.includes(status), `${json.error.code} with ${status}`);
    assert.notEqual(json.error.message, '');
    assert.ok(status < 500, `a fault: ${body}`);
  }
  assert.equal(id, json.meta.request_id, 'X-Request-Id is meta.request_id');
  return json;
}

const isTrue = (value: unknown) => assert.equal(value, true);
const isFalse = (value: unknown) => assert.equal(value, false);
