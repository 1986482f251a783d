import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevServer, startDev } from '../../support/cli/binary.js';
import { exchange, type RawResponse } from '../../support/servers/raw-socket.js';

const RUNS = Number(process.env.SVC_FUZZ_RUNS ?? 200);
/** Specification: HTTP statuses. */
const STATUSES = [200, 201, 204, 400, 401, 403, 404, 409, 422, 429];

describe('malformed HTTP, at the built server', () => {
  let server: DevServer;
  let port: number;
  let key: string;

  beforeAll(async () => {
    server = await startDev(['--in-memory', '--plan', 'none']);
    port = Number(new URL(server.ready.base_url).port);
    key = server.ready.api_key;
  });

  afterAll(() => server.stop());

  const head = (line: string, ...fields: string[]) =>
    [line, 'Host: localhost', `Authorization: Bearer ${key}`, ...fields, '', ''].join('\r\n');

  const cases: Record<string, () => (string | Buffer)[]> = {
    'a request line of nonsense': () => ['GARBAGE\r\n\r\n'],
    'a TLS hello': () => [Buffer.from('16030100c8010000c40303', 'hex')],
    'an HTTP/2 preface': () => ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    'HTTP/0.9': () => ['GET /v1/emails\r\n\r\n'],
    'HTTP/9.9': () => [head('GET /v1/emails HTTP/9.9')],
    'no Host': () => [`GET /v1/emails HTTP/1.1\r\nAuthorization: Bearer ${key}\r\n\r\n`],
    'two Hosts': () => [head('GET /v1/emails HTTP/1.1', 'Host: elsewhere.example')],
    'an unknown method': () => [head('BREW /v1/emails HTTP/1.1')],
    'a method of WebDAV': () => [head('PROPFIND /v1/emails HTTP/1.1')],
    'a TRACE': () => [head('TRACE /v1/emails HTTP/1.1')],
    'a HEAD': () => [head('HEAD /nowhere HTTP/1.1')],
    'CONNECT to elsewhere': () => [head('CONNECT elsewhere.example:443 HTTP/1.1')],
    'OPTIONS *': () => [head('OPTIONS * HTTP/1.1')],
    'a path that climbs': () => [head('GET /v1/emails/../../etc/passwd HTTP/1.1')],
    'a path with a NUL': () => [head('GET /v1/emails/%00 HTTP/1.1')],
    'a path with bytes above 127': () => [head('GET /v1/emails/\xff\xfe HTTP/1.1')],
    'a path that cannot be decoded': () => [head('GET /v1/emails/%ZZ HTTP/1.1')],
    'an address in absolute form': () => [head('GET http://localhost/v1/emails HTTP/1.1')],
    'an address in absolute form that is elsewhere’s': () => [head('GET http://elsewhere.example/v1/emails HTTP/1.1')],
    'a header without a colon': () => [head('GET /v1/emails HTTP/1.1', 'nonsense')],
    'a header with a NUL': () => [head('GET /v1/emails HTTP/1.1', 'X-A: \u0000')],
    'a folded header': () => [head('GET /v1/emails HTTP/1.1', 'X-A: b', ' c')],
    'a header of 20 KB': () => [head('GET /v1/emails HTTP/1.1', `X-A: ${'a'.repeat(20_000)}`)],
    'a request line of 20 KB': () => [head(`GET /v1/emails/${'a'.repeat(20_000)} HTTP/1.1`)],
    'three thousand headers': () => [
      head('GET /v1/emails HTTP/1.1', ...Array.from({ length: 3_000 }, (_, i) => `X-${i}: 1`)),
    ],
    'a Content-Length that is no number': () => [head('POST /v1/emails HTTP/1.1', 'Content-Length: many')],
    'a negative Content-Length': () => [head('POST /v1/emails HTTP/1.1', 'Content-Length: -1')],
    'two Content-Lengths': () => [head('POST /v1/emails HTTP/1.1', 'Content-Length: 2', 'Content-Length: 3'), '{}x'],
    'a Content-Length past the limit': () => [
      head('POST /v1/emails HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 99999999999'),
      '{}',
    ],
    'both lengths, as smugglers send them': () => [
      head('POST /v1/emails HTTP/1.1', 'Content-Length: 4', 'Transfer-Encoding: chunked'),
      '0\r\n\r\nGET /v1/emails HTTP/1.1\r\n\r\n',
    ],
    'a chunk size that is no number': () => [
      head('POST /v1/emails HTTP/1.1', 'Content-Type: application/json', 'Transfer-Encoding: chunked'),
      'zz\r\n{}\r\n0\r\n\r\n',
    ],
    'an unknown transfer encoding': () => [head('POST /v1/emails HTTP/1.1', 'Transfer-Encoding: gzip'), '{}'],
    'an unknown expectation': () => [head('POST /v1/templates HTTP/1.1', 'Expect: miracles', 'Content-Length: 0')],
    'an upgrade to a web socket': () => [
      head('GET /v1/emails HTTP/1.1', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: AAAA'),
    ],
    'an upgrade to HTTP/2': () => [head('GET /v1/emails HTTP/1.1', 'Connection: Upgrade', 'Upgrade: h2c')],
    'two requests at once, the second malformed': () => [head('GET /v1/templates HTTP/1.1'), 'GARBAGE\r\n\r\n'],
  };

  it.each(Object.keys(cases))('%s gets an answer from the specification', async (name) => {
    const responses = await exchange(port, cases[name]!());
    expect(responses.length).toBeGreaterThan(0);
    for (const response of responses) expect(problems(response, name === 'a HEAD')).toEqual([]);
  });

  it(`survives ${RUNS} connections with random bytes`, async () => {
    const token = fc.stringMatching(/^[A-Za-z]{1,9}$/);
    const bytes = fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array).toString('latin1'));
    const line = fc.oneof(
      fc.constant('GET /v1/emails HTTP/1.1'),
      fc.constant('POST /v1/emails HTTP/1.1'),
      fc.tuple(token, bytes).map(([method, path]) => `${method} /${path} HTTP/1.1`),
      bytes,
    );
    const field = fc.oneof(
      fc.tuple(token, bytes).map(([name, value]) => `${name}: ${value}`),
      fc.constantFrom(
        'Transfer-Encoding: chunked',
        'Content-Length: 5',
        'Connection: keep-alive',
        'Expect: 100-continue',
      ),
      bytes,
    );
    const request = fc.tuple(line, fc.array(field, { maxLength: 4 }), bytes);
    const property = fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 3 }), async (requests) => {
      const chunks = requests.map(([first, fields, body]) => head(first, ...fields) + body);
      for (const response of await exchange(port, chunks)) expect(problems(response, true)).toEqual([]);
    });
    await fc.assert(property, { numRuns: RUNS });
    const health = await fetch(`http://127.0.0.1:${port}/_svc/health`);
    expect(health.status).toBe(200);
    expect(server.child.exitCode).toBeNull();
  });
});

function problems({ status, headers, body }: RawResponse, mayHaveNoBody: boolean): string[] {
  const found: string[] = [];
  if (!STATUSES.includes(status)) found.push(`status ${status}`);
  if (!headers['x-request-id']) found.push('no X-Request-Id');
  if (status === 204 || (body === '' && mayHaveNoBody)) return found;
  try {
    const envelope = JSON.parse(body);
    if (envelope.success !== status < 400) found.push('success is not what the status says');
    if (status >= 400 && envelope.error?.status !== status) found.push(`error.status ${envelope.error?.status}`);
    if (status >= 400 && typeof envelope.error?.code !== 'string') found.push('no error.code');
    if (envelope.meta?.request_id !== headers['x-request-id']) found.push('meta.request_id is not X-Request-Id');
  } catch {
    found.push(`not an envelope: ${JSON.stringify(body)}`);
  }
  return found;
}
