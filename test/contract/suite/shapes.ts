import assert from 'node:assert/strict';

/** Defines shapes strictly: every field is present, no other is, and each has its type. */

export type Test = (value: unknown, path: string) => void;
export type Shape = Record<string, Test>;

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

export const string: Test = (value, path) => assert.equal(typeof value, 'string', `${path} is not a string`);
const boolean: Test = (value, path) => assert.equal(typeof value, 'boolean', `${path} is not a boolean`);
const count: Test = (value, path) =>
  assert.ok(Number.isInteger(value) && (value as number) >= 0, `${path} is not a whole number: ${String(value)}`);
export const timestamp: Test = (value, path) => {
  string(value, path);
  assert.match(value as string, TIMESTAMP, `${path} is not an ISO 8601 UTC timestamp`);
  assert.equal(new Date(value as string).toISOString(), value, `${path} is no moment`);
};

export function idOf(prefix: string): Test {
  return (value, path) => {
    string(value, path);
    assert.match(value as string, new RegExp(`^${prefix}_[0-9A-Za-z]+$`), `${path} is not a ${prefix}_ identifier`);
  };
}

export function oneOf(...values: unknown[]): Test {
  return (value, path) => assert.ok(values.includes(value), `${path} is ${String(value)}, not one of ${values}`);
}

export function nullable(test: Test): Test {
  return (value, path) => {
    if (value !== null) test(value, path);
  };
}

export function arrayOf(test: Test): Test {
  return (value, path) => {
    assert.ok(Array.isArray(value), `${path} is not an array`);
    value.forEach((item, index) => {
      test(item, `${path}.${index}`);
    });
  };
}

export const object: Test = (value, path) =>
  assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), `${path} is not an object`);

/** Returns the shape of an object with exactly these fields; those of `optional` may be absent. */
export function exactly(shape: Shape, optional: Shape = {}): Test {
  return (value, path) => {
    object(value, path);
    const found = value as Record<string, unknown>;
    for (const [name, test] of Object.entries(shape)) {
      assert.ok(Object.hasOwn(found, name), `${path}.${name} is missing`);
      test(found[name], `${path}.${name}`);
    }
    for (const [name, field] of Object.entries(found)) {
      if (Object.hasOwn(shape, name)) continue;
      const test = Object.hasOwn(optional, name) ? optional[name] : undefined;
      assert.ok(test, `${path}.${name} is not in the specification`);
      test(field, `${path}.${name}`);
    }
  };
}

/** Returns the row of every field of a form: `spec:email.detail` and its fields' names. */
export function rowsOf(form: string, ...shapes: Shape[]): string[] {
  return shapes.flatMap((shape) => Object.keys(shape).map((name) => `${form}.${name}`));
}

const EMAIL_STATUSES = ['scheduled', 'sent', 'delivered', 'bounced', 'complained', 'cancelled'];
const emailStatus = oneOf(...EMAIL_STATUSES);

const emailHead = { id: idOf('msg'), to: string, from: string, subject: string, status: emailStatus };

export const summary: Shape = { ...emailHead, created_at: timestamp };
export const summaryOnceDelivered: Shape = { delivered_at: timestamp };

export const receipt: Shape = {
  ...emailHead,
  created_at: timestamp,
  scheduled_at: nullable(timestamp),
  tags: arrayOf(string),
};

export const detail: Shape = {
  ...emailHead,
  html: string,
  text: string,
  created_at: timestamp,
  sent_at: nullable(timestamp),
  delivered_at: nullable(timestamp),
  opened_at: nullable(timestamp),
  opens_count: count,
  clicks_count: count,
  tags: arrayOf(string),
  bounce_reason: nullable(string),
  template_id: nullable(idOf('tpl')),
  variables: nullable(object),
};

export const pagination: Shape = { total: count, limit: count, offset: count, has_more: boolean };

export const template: Shape = {
  id: idOf('tpl'),
  name: string,
  subject: string,
  html: string,
  text: string,
  created_at: timestamp,
  updated_at: timestamp,
};

export const rendered: Shape = { subject: string, html: string, text: string };

export const domain: Shape = {
  domain: string,
  status: oneOf('pending', 'verified'),
  dkim_verified: boolean,
  spf_verified: boolean,
  dmarc_verified: boolean,
  created_at: timestamp,
};

export const dnsRecord: Shape = {
  type: oneOf('TXT'),
  name: string,
  value: string,
  purpose: oneOf('verification', 'spf', 'dkim'),
};

export const createdDomain: Shape = {
  domain: string,
  status: oneOf('pending'),
  dns_records: arrayOf(exactly(dnsRecord)),
};

export const apiKey: Shape = {
  id: idOf('key'),
  name: string,
  environment: oneOf('live', 'test'),
  rate_limit: count,
  created_at: timestamp,
};
export const createdApiKey: Shape = { ...apiKey, key: string };

export const webhook: Shape = {
  id: idOf('whk'),
  url: string,
  events: arrayOf(string),
  active: boolean,
  created_at: timestamp,
  updated_at: timestamp,
};

export const counters: Shape = {
  sent: count,
  delivered: count,
  bounced: count,
  complained: count,
  opened: count,
  clicked: count,
};

export const failure: Shape = { code: string, message: string, status: count };
/** What svc adds to an error: gap 12, and a hint. */
export const failureExtras: Shape = {
  details: arrayOf(exactly({ path: string, message: string })),
  hint: string,
};
export const meta: Shape = { request_id: idOf('req'), timestamp };
