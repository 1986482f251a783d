import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Operation, operationsOf } from '../support/openapi.js';
import { startApp, type TestApp } from '../support/servers/app.js';

/** Compares the server with the document that it serves: both must accept and refuse the same bodies. */

type Body = Record<string, unknown>;

interface Exception {
  why: string;
  operation: string;
  /** A body that the document allows and the server refuses. */
  example: Body;
  /** Returns whether the server may refuse a body for this reason, by the messages of its details. */
  message: RegExp;
}

const MAIL = { to: 'ada@example.test', from: 'shop@example.test', subject: 's', html: 'h' };
const FILE = { filename: 'a.txt', content: 'YQ==', contentType: 'text/plain' };
const TEMPLATE = { name: 'n', subject: 's', html: 'h' };
const HOOK = { url: 'https://example.com/hook', events: ['email.sent'] };

/** Rules that no JSON Schema can hold. */
const EXCEPTIONS: Exception[] = [
  {
    why: 'time',
    operation: 'emails.send',
    example: { ...MAIL, scheduled_at: '2001-01-01T00:00:00Z' },
    message: /in the future|days ahead/,
  },
  {
    why: 'sum of recipients',
    operation: 'emails.send',
    example: { ...MAIL, to: many(600), cc: many(600) },
    message: /together must contain/,
  },
  {
    why: 'sum of attachments',
    operation: 'emails.send',
    example: { ...MAIL, attachments: [large(), large()] },
    message: /in total after decoding/,
  },
  {
    why: 'groups of base64',
    operation: 'emails.send',
    example: { ...MAIL, attachments: [{ ...FILE, content: 'YQ' }] },
    message: /complete base64/,
  },
  {
    why: 'bytes of a file name',
    operation: 'emails.send',
    example: { ...MAIL, attachments: [{ ...FILE, filename: 'é'.repeat(200) }] },
    message: /bytes in UTF-8/,
  },
  {
    why: 'bytes of a local part',
    operation: 'emails.send',
    example: { ...MAIL, to: `${'é'.repeat(40)}@example.test` },
    message: /bytes/,
  },
  {
    why: 'conversion of a domain',
    operation: 'emails.send',
    example: { ...MAIL, to: 'ada@xn--a.test' },
    message: /valid domain/,
  },
  {
    why: 'letters of a domain',
    operation: 'emails.send',
    example: { ...MAIL, to: 'ada@★.test' },
    message: /must be one address/,
  },
  {
    why: 'length of a name',
    operation: 'emails.send',
    example: { ...MAIL, to: `${'a'.repeat(300)} <ada@example.test>` },
    message: /a name of at most/,
  },
  {
    why: 'bytes of a template',
    operation: 'templates.create',
    example: { ...TEMPLATE, html: 'é'.repeat(600_000) },
    message: /bytes in UTF-8/,
  },
  { why: 'xn-- labels', operation: 'domains.create', example: { domain: 'xn--a.example' }, message: /xn--/ },
  {
    why: 'host of a URL',
    operation: 'webhooks.create',
    example: { ...HOOK, url: 'https://\u00ad/' },
    message: /must be a URL/,
  },
];

function many(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `a${n}@example.test`);
}

function large() {
  return { ...FILE, content: Buffer.alloc(13 * 1024 * 1024).toString('base64') };
}

/** Values at the border of what fields accept. */
const values = fc.oneof(
  fc.constantFrom<unknown>(null, true, 7, 0, -1, 1.5, '', ' ', 'x', ' x', 'x ', 'a,b', 'a\nb', 'a\u0000b', 'a\u0085b'),
  fc.constantFrom<unknown>('\u200b', 'é', '🎉', 'x'.repeat(255), 'x'.repeat(256), 'x'.repeat(257), '🎉'.repeat(998)),
  fc.constantFrom<unknown>(
    '🎉'.repeat(999),
    'x'.repeat(1_025),
    '.',
    '..',
    'a/b',
    'a\\b',
    'YQ==',
    'YQ',
    '!',
    'text/plain',
  ),
  fc.constantFrom<unknown>([], {}, ['x'], [null], [''], [' x'], ['email.sent'], { a: 1 }, { a: null }, [FILE], [{}]),
  fc.constantFrom<unknown>(
    'ada@example.test',
    'Ada <ada@example.test>',
    '"A, B" <a@b.test>',
    'a@b',
    'a@b.1',
    ' a@b.test',
  ),
  fc.constantFrom<unknown>('a@b_c.test', 'a@münchen.test', 'A, B <a@b.test>', 'a\u202e@b.test', '<a@b.test>', [
    'a@b.test',
  ]),
  fc.constantFrom<unknown>(
    '2099-01-01T00:00:00Z',
    '2099-01-01',
    '2099-11-31T00:00:00Z',
    '2099-02-29T00:00:00Z',
    '2100-02-29T00:00:00Z',
    '2096-02-29T00:00:00Z',
    '2027-01-01T24:00:00Z',
    '2027-01-01T00:00Z',
    'tomorrow',
  ),
  fc.constantFrom<unknown>(
    'mail.example.com',
    'localhost',
    'a.1',
    'A.test',
    'é.test',
    'a_b.test',
    '-a.test',
    'a.test.',
  ),
  fc.constantFrom<unknown>(
    'https://a.test/x',
    'http://localhost:1/',
    'https://a.test/#x',
    ' https://a.test',
    'ftp://a.test',
  ),
  fc.constantFrom<unknown>('https://u@a.test', 'https://', 'HTTPS://a.test?q', 'live', 'test', 'Live', 'https:a.test'),
  fc.string({ unit: 'binary', maxLength: 20 }).filter((text) => text.isWellFormed()),
);

const FIELDS = {
  'emails.send': [
    'to',
    'from',
    'subject',
    'html',
    'text',
    'cc',
    'bcc',
    'reply_to',
    'attachments',
    'template_id',
  ].concat(['variables', 'tags', 'track_opens', 'track_clicks', 'scheduled_at']),
  'templates.create': ['name', 'subject', 'html', 'text'],
  'templates.update': ['name', 'subject', 'html', 'text'],
  'templates.render': ['variables'],
  'domains.create': ['domain'],
  'api-keys.create': ['name', 'environment', 'rate_limit'],
  'webhooks.create': ['url', 'events', 'secret'],
  'webhooks.update': ['url', 'events', 'secret', 'active'],
};
type Name = keyof typeof FIELDS;

const VALID: Record<Name, Body> = {
  'emails.send': MAIL,
  'templates.create': TEMPLATE,
  'templates.update': {},
  'templates.render': { variables: {} },
  'domains.create': { domain: 'mail.example.com' },
  'api-keys.create': { name: 'k', environment: 'test' },
  'webhooks.create': HOOK,
  'webhooks.update': {},
};

describe('a request body', () => {
  let app: TestApp;
  let operations: Map<string, Operation>;
  const validators = new Map<string, ValidateFunction>();
  let ids: Record<string, string>;

  beforeAll(async () => {
    app = await startApp({ plan: 'none' });
    const document = (await app.call('GET', '/v1/openapi.json')).json;
    operations = new Map(operationsOf(document).map((operation) => [operation.operationId, operation]));
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    ajv.addSchema({ $id: 'openapi.json', ...document });
    for (const name of Object.keys(FIELDS)) {
      const { $ref } = (operations.get(name) as Operation).body as { $ref: string };
      validators.set(name, ajv.compile({ $ref: `openapi.json${$ref}` }));
    }
    const template = (await app.call('POST', '/v1/templates', { ...TEMPLATE, name: 'fixture' })).json.data.id;
    ids = { templates: template, webhooks: (await app.call('POST', '/v1/webhooks', HOOK)).json.data.id };
  });

  afterAll(() => app.closeClean());

  /** Returns the messages with which the server refuses a body; undefined if it accepts its form. */
  async function refusalOf(name: string, body: Body): Promise<string[] | undefined> {
    const { method, path } = operations.get(name) as Operation;
    const url = `/v1${path.replace('{id}', ids[name.split('.')[0] ?? ''] ?? '')}`;
    const { status, json } = await app.call(method, url, body);
    expect([200, 201, 404, 409, 422]).toContain(status);
    if (status !== 422) return undefined;
    return json.error.details.map(({ message }: { message: string }) => message);
  }

  const allows = (name: string, body: Body) => validators.get(name)?.(body) === true;
  const isExcepted = (messages: string[]) =>
    messages.every((text) => EXCEPTIONS.some(({ message }) => message.test(text)));

  it.each(Object.keys(FIELDS) as Name[])('is accepted by the server if the document allows it: %s', async (name) => {
    const change = fc.tuple(
      fc.constantFrom(...FIELDS[name]),
      fc.oneof({ weight: 1, arbitrary: fc.constant(undefined) }, { weight: 9, arbitrary: values }),
    );
    const inFile = fc.tuple(fc.constantFrom('filename', 'content', 'contentType'), values);
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), fc.option(inFile), async (changes, file) => {
        const body: Body = { ...VALID[name], ...Object.fromEntries(changes) };
        if (name === 'emails.send' && file) body.attachments = [{ ...FILE, [file[0]]: file[1] }];
        const sent: Body = JSON.parse(JSON.stringify(body));
        const refusal = await refusalOf(name, sent);
        if (allows(name, sent)) expect(refusal === undefined || isExcepted(refusal), `${refusal}`).toBe(true);
        else expect(refusal, 'the document refuses it').toBeDefined();
      }),
      { numRuns: name === 'emails.send' ? 200 : 40 },
    );
  });

  it.each([
    ['https://a.test:65535', true],
    ['https://a.test:65536', false],
    ['https://a_b.test./', true],
    ['https://münchen.test/', true],
    ['https://1.2.3.255/', true],
    ['https://1.2.3.256/', false],
    ['https://1.2.3.4.5/', false],
    ['https://a.1/', false],
    ['https://a.0x7F/', false],
    ['https://a|b.test/', false],
    ['https://%zz/', false],
    ['https://[::]/', true],
    ['https://[1:2:3:4:5:6:7:8]:1/', true],
    ['https://[1:2:3:4:5:6:7::]/', true],
    ['https://[1:2::7:8]/', true],
    ['https://[1:2:3:4:5:6:7]/', false],
    ['https://[1::2::3]/', false],
    ['https://[1:2:3:4:5::6:7:8]/', false],
    ['https://[a.test]/', false],
    ['http://127.0.0.255/', true],
    ['http://127.0.0.256/', false],
    ['http://localhost:65536/', false],
  ])('has a host of a webhook that the document and the server read alike: %s', async (url, isValid) => {
    expect(allows('webhooks.create', { ...HOOK, url })).toBe(isValid);
    expect((await refusalOf('webhooks.create', { ...HOOK, url })) === undefined).toBe(isValid);
  });

  it.each([
    [`${'a'.repeat(64)}@b.test`, true],
    [`Ada <${'a'.repeat(65)}@b.test>`, false],
    [`"${'a'.repeat(62)}"@b.test`, true],
    [`"${'\\"'.repeat(63)}"@b.test`, false],
    [`"${'a'.repeat(70)}"@b.test`, false],
    ['"Ada"\ufefe<ada@b.test>', false],
  ])('has an address that the document and the server read alike: %s', async (to, isValid) => {
    expect(allows('emails.send', { ...MAIL, to })).toBe(isValid);
    expect((await refusalOf('emails.send', { ...MAIL, to })) === undefined).toBe(isValid);
  });

  it.each([true, 1, 'x', null, [], {}])('has the same values of variables in both: %j', async (value) => {
    const body = { ...MAIL, variables: { a: value } };
    expect(allows('emails.send', body)).toBe((await refusalOf('emails.send', body)) === undefined);
  });

  it.each(EXCEPTIONS)(
    'may be refused although the document allows it: $why',
    async ({ operation, example, message }) => {
      expect(allows(operation, example)).toBe(true);
      expect((await refusalOf(operation, example))?.join()).toMatch(message);
    },
  );
});

describe('a strict server', () => {
  it.each([
    ['https://shop.example/hooks', true],
    ['https://a_b.münchen.рф./', true],
    ['http://127.0.0.1:1/', true],
    ['https://localhost/', true],
    ['https://web/', false],
    ['https://shop.my_net/', false],
    ['https://141.3.5.252/', false],
    ['https://[2001:db8::1]/', false],
  ])('describes which hosts of webhooks it accepts: %s', async (url, isValid) => {
    const app = await startApp({ plan: 'none', strict: true });
    const document = (await app.call('GET', '/v1/openapi.json')).json;
    const { pattern } = document.components.schemas.CreateWebhook.properties.url;
    expect(new RegExp(pattern, 'u').test(url)).toBe(isValid);
    expect((await app.call('POST', '/v1/webhooks', { ...HOOK, url })).status).toBe(isValid ? 201 : 422);
    await app.closeClean();
  });
});
