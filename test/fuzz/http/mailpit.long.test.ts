import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';
import { oddText, oddValue, spoilt } from './json-arbitrary.js';

/** Sends odd requests to the API of Mailpit. Its errors are lines of text, and none is a fault of the server. */

const RUNS = Number(process.env.SVC_FUZZ_RUNS ?? 75);

const BASIC = `Basic ${Buffer.from(`any:${TEST_KEY}`).toString('base64')}`;
const NOT_MAPPED = /\/(?:thumb|sa-check|rspamd-check|swagger\.json)$/;
const ID = '{id}';

const words = fc.constantFrom(
  'to:ada',
  'is:read',
  'has:inline',
  'tag:one',
  'before:2026-01-01',
  '-"',
  'larger:1k',
  '!',
);
const search = fc.oneof(
  words,
  oddText,
  fc.array(fc.oneof(words, oddText), { maxLength: 4 }).map((all) => all.join(' ')),
);
const ids = fc.array(fc.oneof(fc.constant(ID), oddText), { maxLength: 3 });
const address = fc.record({ Name: oddText, Email: fc.oneof(fc.constant('ada@example.test'), oddText) });
const names = fc.array(fc.oneof(fc.constantFrom('one', 'two words'), oddText), { maxLength: 3 });
const trigger = fc.record({
  ErrorCode: fc.integer({ min: 399, max: 600 }),
  Probability: fc.integer({ min: -1, max: 101 }),
});

/** Bodies that fit, by route. */
const bodies: Record<string, fc.Arbitrary<unknown> | undefined> = {
  'PUT /api/v1/messages': fc.record({ IDs: ids, Read: fc.boolean(), Search: search }, { requiredKeys: ['Read'] }),
  'DELETE /api/v1/messages': fc.record({ IDs: ids }),
  'PUT /api/v1/tags': fc.record({ IDs: ids, Tags: names }),
  'PUT /api/v1/tags/{text}': fc.record({ Name: oddText }),
  'PUT /api/v1/chaos': fc.record(
    { Sender: trigger, Recipient: trigger, Authentication: trigger },
    { requiredKeys: [] },
  ),
  'POST /api/v1/message/{id}/release': fc.record({ To: fc.array(oddText, { maxLength: 2 }) }),
  'POST /api/v1/send': fc.record(
    {
      From: address,
      To: fc.array(address, { minLength: 1, maxLength: 2 }),
      Bcc: fc.array(oddText, { maxLength: 2 }),
      Subject: oddText,
      Text: oddText,
      HTML: oddText,
      Tags: names,
      Headers: fc.dictionary(fc.oneof(fc.constantFrom('X-Order', 'Subject'), oddText), oddText, { maxKeys: 3 }),
      Attachments: fc.array(
        fc.record({ Content: fc.oneof(fc.base64String(), oddText), Filename: oddText, ContentType: oddText }),
        { maxLength: 2 },
      ),
    },
    { requiredKeys: ['From', 'To'] },
  ),
};

const message = `/api/v1/message/${ID}`;
const targets = [
  ...Object.keys(bodies),
  ...['/api/v1/messages', '/api/v1/search', '/api/v1/tags', '/api/v1/info', '/api/v1/webui', '/api/v1/chaos'].map(get),
  ...['', '/headers', '/raw', '/part/{text}', '/part/{text}/thumb', '/html-check', '/link-check', '/sa-check'].map(
    (end) => get(message + end),
  ),
  ...[`/view/${ID}.html`, `/view/${ID}.txt`, '/view/{text}', '/api/events', '/api/v1/swagger.json'].map(get),
  'DELETE /api/v1/search',
  'DELETE /api/v1/tags/{text}',
];

function get(path: string): string {
  return `GET ${path}`;
}

function requestTo(target: string) {
  const [method = '', path = ''] = target.split(' ');
  const parameter = fc.constantFrom('query', 'start', 'limit', 'before', 'tz', 'dl', 'embed', 'query[]');
  const value = fc.oneof(search, fc.integer().map(String), fc.constantFrom('Europe/Berlin', '2026-01-01T10:00:00Z'));
  const fits = bodies[target] ?? fc.constant(undefined);
  return fc
    .record({
      id: fc.oneof({ arbitrary: fc.constant(ID), weight: 3 }, fc.constantFrom('latest', 'none', '%', '%00'), oddText),
      text: fc.oneof(fc.constantFrom('1', '2', 'one', 'latest'), oddText),
      query: fc.array(fc.tuple(parameter, value), { maxLength: 4 }),
      body: fc.oneof(fits, spoilt(fits), oddValue, fc.constantFrom('{', 'null', '')),
      authorization: fc.oneof({ arbitrary: fc.constant(BASIC), weight: 9 }, fc.constantFrom('Basic', 'Basic !', 'x')),
    })
    .map(({ id, text, query, body, authorization }) => ({
      method,
      path: path.replace(ID, id === ID || id.startsWith('%') ? id : encoded(id)).replace('{text}', encoded(text)),
      query: query.map(([name, given]) => `${name}=${encoded(given)}`).join('&'),
      payload: typeof body === 'string' ? body : (JSON.stringify(body) ?? ''),
      authorization,
    }));
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed().slice(0, 2_000));
}

describe(`${RUNS} requests per route of Mailpit's API`, () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await startApp({ plan: 'none', mailpit: 'owner' });
  });

  afterEach(() => app.closeClean());

  async function send({ method, path, query, payload, authorization }: ReturnType<typeof sample>) {
    const isNamed = `${path}${query}${payload}`.includes(ID);
    const id = isNamed ? ((await app.read('/v1/emails?limit=1')).emails[0]?.id ?? 'none') : '';
    const { statusCode, headers, body } = await app.http.inject({
      method: method as 'GET',
      url: `${path}${query && `?${query}`}`.replaceAll(ID, id),
      headers: { host: 'localhost', authorization },
      ...(method !== 'GET' && { payload: payload.replaceAll(ID, id) }),
    });
    return { status: statusCode, type: String(headers['content-type'] ?? ''), body };
  }

  it.each(targets)('%s', async (target) => {
    const statuses = new Map<number, number>();
    for (const number of [1, 2]) {
      const sent = {
        From: { Email: 'shop@example.test' },
        To: [{ Email: 'ada@example.test' }],
        HTML: `<img src="cid:a"><a href="http://localhost:1/">${number}</a>`,
        Tags: ['one'],
        Attachments: [{ Content: 'aGVsbG8=', Filename: 'a.txt', ContentID: 'a' }],
      };
      expect((await app.call('POST', '/api/v1/send', sent)).status).toBe(200);
    }
    const property = fc.asyncProperty(requestTo(target), async (request) => {
      const { status, type, body } = await send(request);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      expect(app.faults).toEqual([]);
      if (NOT_MAPPED.test(request.path)) expect([501, 400, 401, 404]).toContain(status);
      else expect(status).toBeLessThan(500);
      // Only the router's own errors about a path have the form of svc.
      if (type.includes('json')) expect(() => JSON.parse(body)).not.toThrow();
    });
    await fc.assert(property, { numRuns: RUNS });
    await app.drain();
    const { json } = await app.call('GET', '/api/v1/messages?limit=100');
    for (const { ID: id } of json.messages) expect((await app.call('GET', `/api/v1/message/${id}`)).status).toBe(200);
    expect(app.faults).toEqual([]);
    expect(statuses.get(401)).toBeGreaterThan(0);
    expect(statuses.size).toBeGreaterThan(1);
  });
});

const sample = () => fc.sample(requestTo('GET /api/v1/info'), 1)[0]!;
