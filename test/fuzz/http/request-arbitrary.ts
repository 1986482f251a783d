import fc from 'fast-check';
import { type Document, type Operation, resolve } from '../../support/openapi.js';
import { fitting, oddText, oddValue, spoilt } from './json-arbitrary.js';

/** Generates requests from an OpenAPI document, right and wrong. */

export interface FuzzRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | Buffer;
  /** Whether the path may lead elsewhere, or nowhere: then only "not found" and "bad request" are expected besides. */
  hasUnknownPath: boolean;
}

export interface FuzzContext {
  document: Document;
  /** The path of the API (default: /v1). */
  prefix?: string;
  apiKey: string;
  /** Values of path parameters that name an existing resource, by operation. */
  known: Record<string, string[]>;
  /** Values of body fields that name an existing resource, by field. */
  knownFields: Record<string, unknown[]>;
  /** Bodies that are not JSON, by media type. */
  bytes?: Record<string, fc.Arbitrary<Buffer>>;
}

export function requestOf(operation: Operation, context: FuzzContext): fc.Arbitrary<FuzzRequest> {
  return fc
    .tuple(
      pathOf(operation, context),
      queryOf(operation, context.document),
      authorization(context.apiKey),
      bodyOf(operation, context),
      oddHeaders,
    )
    .map(([path, query, auth, { contentType, body }, extra]) => ({
      method: operation.method,
      url: `${context.prefix ?? '/v1'}${path.text}${query}`,
      hasUnknownPath: path.hasUnknownPath,
      headers: {
        host: 'localhost',
        ...extra,
        ...auth,
        ...(contentType !== undefined && { 'content-type': contentType }),
      },
      ...(body !== undefined && { body }),
    }));
}

function pathOf({ path: template, operationId, parameters }: Operation, { known, document }: FuzzContext) {
  const [parameter, ...others] = parameters.filter((candidate) => candidate.in === 'path');
  if (!parameter) return fc.constant({ text: template, hasUnknownPath: false });
  const there = known[operationId] ?? [];
  const named = there.length > 0 ? fc.constantFrom(...there) : fc.constant('none');
  const value = fc.oneof(
    { arbitrary: named.map((text) => ({ text: encodeURIComponent(text), hasUnknownPath: false })), weight: 5 },
    {
      arbitrary: fc
        .stringMatching(/^(msg|tpl|key|whk)_[0-9a-z]{1,64}$/)
        .map((text) => ({ text, hasUnknownPath: false })),
      weight: 2,
    },
    { arbitrary: named.map((text) => ({ text: percentEncoded(text), hasUnknownPath: false })), weight: 1 },
    // At most the length of a name, in one segment of the path: longer than the default parameter limit of routers.
    { arbitrary: fc.stringMatching(/^[a-z0-9]{90,400}$/).map((text) => ({ text, hasUnknownPath: false })), weight: 1 },
    { arbitrary: oddText.map((text) => ({ text: encoded(text), hasUnknownPath: isDotSegment(text) })), weight: 2 },
    {
      arbitrary: fc
        .constantFrom(
          '%',
          '%Z',
          '%ZZ',
          '%00',
          '%C0%80',
          '%FF',
          '%2F',
          '%5C',
          '%252e',
          '',
          '/',
          '//',
          ';a=b',
          ':',
          '*',
          '%E2%28%A1',
          '?',
          '#',
        )
        .map((text) => ({ text, hasUnknownPath: true })),
      weight: 1,
    },
  );
  const rest = fc.tuple(...others.map(({ schema }) => fc.oneof(fitting(document, schema), oddText)));
  return fc.tuple(value, rest).map(([{ text, hasUnknownPath }, further]) => ({
    text: [text, ...further.map((each) => encoded(String(each)))].reduce(
      (path, each) => path.replace(/\{\w+\}/, () => each),
      template,
    ),
    hasUnknownPath: hasUnknownPath || text === '' || further.some((each) => isDotSegment(String(each))),
  }));
}

function encoded(text: string): string {
  // A lone surrogate has no form in UTF-8, so it cannot be in an address.
  return encodeURIComponent(Buffer.from(text.slice(0, 2_000)).toString());
}

function percentEncoded(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

/** Returns whether a parser of addresses treats a segment as "up one level", or as empty. */
function isDotSegment(text: string): boolean {
  return /^(\.|%2e){0,2}$/i.test(text);
}

function queryOf({ parameters }: Operation, document: Document): fc.Arbitrary<string> {
  const declared = parameters.filter((parameter) => parameter.in === 'query');
  const names = declared.map(({ name }) => name);
  const pair = (name: fc.Arbitrary<string>, value: fc.Arbitrary<string>) =>
    fc.tuple(name, value).map(([key, text]) => `${key}=${encoded(text)}`);
  const fits = declared.map(({ name, schema }) => pair(fc.constant(name), fitting(document, schema).map(String)));
  const oddName = fc.oneof(
    fc.constantFrom(...names, 'limit[]', 'limit[0]', '__proto__', 'constructor', 'x', '', '%00', '%ZZ'),
    oddText.map(encoded),
  );
  const oddPair = fc.oneof(
    pair(oddName, oddText),
    fc
      .tuple(oddName, fc.constantFrom('', '=', '=%', '=%ZZ', '==', '=+', '=1&', '=%F0%9F', '=1=2'))
      .map(([a, b]) => a + b),
  );
  const query = fc.oneof(
    { arbitrary: fits.length > 0 ? fc.array(fc.oneof(...fits), { maxLength: 4 }) : fc.constant([]), weight: 3 },
    { arbitrary: fc.array(fc.oneof(oddPair, ...fits), { maxLength: 6 }), weight: 2 },
  );
  return query.map((pairs) => (pairs.length > 0 ? `?${pairs.join('&')}` : ''));
}

function authorization(apiKey: string): fc.Arbitrary<Record<string, string>> {
  const given = (value: string) => ({ authorization: value });
  return fc.oneof(
    { arbitrary: fc.constant(given(`Bearer ${apiKey}`)), weight: 20 },
    {
      arbitrary: fc.constantFrom(
        {},
        ...[
          '',
          'Bearer',
          'Bearer ',
          apiKey,
          `bearer  ${apiKey} `,
          `Basic ${apiKey}`,
          `Bearer ${apiKey}x`,
          `Bearer ${apiKey} ${apiKey}`,
          `Bearer svc_test_${'a'.repeat(200)}`,
          `Bearer svc_test_${'a'.repeat(4_000)}`,
          'Bearer svc_live_',
          'Bearer svc_test_%00',
          'Bearer \u00e9\u00ff',
          'Bearer null',
        ].map(given),
      ),
      weight: 2,
    },
  );
}

const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { arbitrary: fc.constant({}), weight: 12 },
  {
    arbitrary: fc.constantFrom<Record<string, string>>(
      { origin: 'https://elsewhere.example' },
      { origin: 'null' },
      { origin: 'http://localhost' },
      { host: 'elsewhere.example' },
      { host: '' },
      { host: 'localhost:99999' },
      { host: '[::1]:8025' },
      { host: 'a b' },
      { accept: 'text/html' },
      { 'accept-encoding': 'br, *;q=0' },
      { 'x-http-method-override': 'DELETE' },
      { 'x-forwarded-for': '203.0.113.7' },
      { 'x-request-id': 'mine\u00ff' },
      { 'content-encoding': 'gzip' },
      { expect: '100-continue' },
      { cookie: 'a=b; '.repeat(200) },
      { 'if-none-match': '*' },
      { range: 'bytes=0-1' },
    ),
    weight: 2,
  },
);

const contentTypes = fc.oneof(
  { arbitrary: fc.constant<string | undefined>('application/json'), weight: 20 },
  {
    arbitrary: fc.constantFrom<string | undefined>(
      undefined,
      '',
      'application/json; charset=utf-8',
      'APPLICATION/JSON',
      'application/json; charset=utf-16',
      'application/json;',
      'application/vnd.api+json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'nonsense',
      '/',
      ';;;',
      'application/json, text/plain',
    ),
    weight: 3,
  },
);

interface Body {
  contentType?: string | undefined;
  body?: string | Buffer | undefined;
}

function bodyOf(operation: Operation, { document, knownFields, bytes }: FuzzContext): fc.Arbitrary<Body> {
  const { body, bodyExample, method, accepts } = operation;
  if (method === 'GET') return fc.constant({});
  const unreadable = fc.constantFrom<string | Buffer>(
    '',
    ' ',
    '{',
    '{"a":}',
    '{"to":"a@b.test",}',
    "{'to':1}",
    'null',
    '[]',
    '"text"',
    '1e999',
    '{"a":1}{"b":2}',
    '\ufeff{}',
    '['.repeat(50_000),
    `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
    '{"to":1,"to":2}',
    Buffer.from([0xff, 0xfe, 0x7b, 0x00]),
    Buffer.from([0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
    Buffer.from('{"name":"\ud800"}', 'latin1'),
    '{"__proto__":{"admin":true},"constructor":{"prototype":{}}}',
  );
  const withType = (content: fc.Arbitrary<string | Buffer>) =>
    fc.record({ contentType: contentTypes, body: content }) as fc.Arbitrary<Body>;
  const content = accepts === undefined ? undefined : bytes?.[accepts];
  if (content) {
    return fc.oneof(
      { arbitrary: fc.record({ contentType: fc.constant(accepts), body: content }), weight: 9 },
      { arbitrary: withType(fc.oneof(unreadable, content)), weight: 1 },
    );
  }
  if (!body) {
    return fc.oneof(
      { arbitrary: fc.constant<Body>({}), weight: 4 },
      { arbitrary: withType(fc.oneof(unreadable, fc.constant('{}'))), weight: 1 },
    );
  }
  // Rules that no schema can express, such as "html or template_id", are met by starting from the document's own
  // example.
  const fields = Object.keys(resolve<{ properties?: object }>(document, body).properties ?? {});
  const named = Object.entries(knownFields).filter(([name]) => fields.includes(name));
  const someFields = fc
    .tuple(fitting(document, body), fc.subarray(fields, { maxLength: Math.min(3, fields.length) }))
    .map(([value, chosen]) =>
      Object.fromEntries(Object.entries(value as object).filter(([name]) => chosen.includes(name))),
    );
  const fits = fc.oneof(
    fitting(document, body),
    someFields.map((changes) => ({ ...bodyExample, ...changes })),
    ...named.map(([name, values]) =>
      fc
        .tuple(fitting(document, body), fc.constantFrom(...values))
        .map(([value, known]) => ({ ...(value as object), [name]: known })),
    ),
  );
  return fc.oneof(
    { arbitrary: withType(fits.map((value) => JSON.stringify(value))), weight: 6 },
    { arbitrary: withType(spoilt(fits).map((value) => JSON.stringify(value) ?? '')), weight: 6 },
    { arbitrary: withType(oddValue.map((value) => JSON.stringify(value))), weight: 1 },
    { arbitrary: withType(unreadable), weight: 1 },
    { arbitrary: fc.constant<Body>({}), weight: 1 },
  );
}
