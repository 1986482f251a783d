import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Client } from '../../../src/client/client.js';
import { ServiceError } from '../../../src/contract/vocabulary/errors.js';
import { OWN_USER_AGENT } from '../../../src/contract/vocabulary/headers.js';
import type { Clock } from '../../../src/core/ports.js';
import { createRequestLog } from '../../../src/core/streams/logs.js';
import { loggableError } from '../../../src/http/request/loggable.js';
import { requestOf } from '../../storage/records.js';
import { type Answer, startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';

/** Tests the log of the service's requests and responses. */

const EMAIL = { to: 'ada@example.test', from: 'app@example.test', subject: 'Hi', html: 'x' };

describe('the request log', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await startApp();
    app.clock.freeze();
  });
  afterEach(() => app.closeClean());

  const logged = async (query = ''): Promise<Answer['json'][]> => (await app.read(`/_svc/requests${query}`)).requests;

  it('keeps method, path, status, time, key, warnings and the request id', async () => {
    const { headers } = await app.call('POST', '/v1/emails', { ...EMAIL, tagz: ['x'] });
    const [key] = (await app.call('GET', '/v1/api-keys')).json.data.api_keys;

    const [second, first] = await logged();

    expect(first).toEqual({
      seq: expect.any(Number),
      request_id: headers['x-request-id'],
      created_at: new Date(app.clock.now()).toISOString(),
      method: 'POST',
      path: '/v1/emails',
      status: 201,
      ms: expect.any(Number),
      key_id: key.id,
      user_agent: 'lightMyRequest',
      error_code: null,
      error_message: null,
      error_details: [],
      warnings: [
        {
          code: 'unknown_field',
          level: 'warning',
          path: 'tagz',
          message: 'is not a field (did you mean tags?)',
          advice: 'Correct the name of the field, or remove it.',
          strict_status: 422,
        },
        expect.objectContaining({ code: 'unverified_domain', level: 'note', path: 'from', strict_status: 403 }),
      ],
    });
    expect(headers['x-service-warning']).toEqual([
      'unknown_field; tagz: is not a field (did you mean tags?)',
      'unverified_domain; from: sending domain example.test has not been added',
    ]);
    expect(second).toMatchObject({ method: 'GET', path: '/v1/api-keys', status: 200, warnings: [] });
    expect(second.seq).toBeGreaterThan(first.seq);
  });

  it('lists the reads of svc itself only on request, and its writes always', async () => {
    const own = { 'user-agent': `${OWN_USER_AGENT}1.0.0` };
    await app.call('GET', '/v1/emails', undefined, own);
    await app.call('POST', '/v1/emails', EMAIL, own);
    await app.call('GET', '/v1/templates', undefined, { 'user-agent': 'my-app svc-cli/1.0.0' });
    await app.call('GET', '/v1/domains', undefined, { 'user-agent': '' });

    const paths = async (query: string) => (await logged(query)).map(({ method, path }) => `${method} ${path}`);

    const ofTheApp = ['GET /v1/domains', 'GET /v1/templates', 'POST /v1/emails'];
    expect(await paths('')).toEqual(ofTheApp);
    expect(await paths('?all=false')).toEqual(ofTheApp);
    expect(await paths('?all=true')).toEqual([...ofTheApp, 'GET /v1/emails']);
    expect(await paths('?all=true&path=/v1/emails&method=GET')).toEqual(['GET /v1/emails']);
    expect(await paths('?path=/v1/emails&limit=1')).toEqual(['POST /v1/emails']);
  });

  it('shows why a call was refused, and that it had no valid key', async () => {
    await app.call('POST', '/v1/emails', { ...EMAIL, subject: '' });
    await app.call('GET', '/v1/emails', undefined, { authorization: 'Bearer svc_test_wrong' });
    await app.call('GET', '/v1/nothing');

    expect(await logged()).toMatchObject([
      { status: 404, error_code: 'not_found', path: '/v1/nothing', error_details: [] },
      {
        ...{ status: 401, error_code: 'authentication_error', key_id: null },
        error_message: expect.stringMatching(/^The API key /),
      },
      {
        ...{ status: 422, error_code: 'validation_error', key_id: expect.stringMatching(/^key_/) },
        error_message: 'subject: must not be empty',
        error_details: [{ path: 'subject', message: 'must not be empty' }],
      },
    ]);
  });

  it('keeps the message and the details of an error shortened, without secrets', async () => {
    const to = Array.from({ length: 20 }, (_, index) => `no address ${index}`);
    await app.call('POST', '/v1/emails', { ...EMAIL, to });

    const [{ error_message, error_details }] = await logged();

    expect(error_message).toMatch(/^to\.0: .* \(and 19 more\)$/);
    expect(error_details.map(({ path }: { path: string }) => path)).toEqual([0, 1, 2, 3, 4].map((at) => `to.${at}`));
    const [long, secret] = ['x'.repeat(1_000), `svc_live_${'y'.repeat(1_000)}`];
    expect(loggableError(new ServiceError('invalid', long, [{ path: secret, message: `no ${secret}` }]))).toEqual({
      errorCode: 'validation_error',
      errorMessage: `${'x'.repeat(300)}…`,
      errorDetails: [{ path: 'svc_live_……', message: 'no svc_live_……' }],
    });
  });

  it.each([
    ['/v1/svc_test_0123456789abcdef', '/v1/svc_test_…'],
    ['/v1/emails/keysvc_live_abc-DEF_1/raw', '/v1/emails/keysvc_live_…/raw'],
    ['/v1/whsec_c2VjcmV0', '/v1/whsec_…'],
    ['/v1/%73vc_test_0123456789', '/v1/svc_test_…'],
    ['/v1/svc%5Ftest%5f%30%31%32/next', '/v1/svc_test_…/next'],
    ['/v1/%77hsec_%61%62c%2Fwhsec_def', '/v1/whsec_…%2Fwhsec_…'],
    ['/v1/emails/%e2%82%acsvc_test_x', '/v1/emails/%e2%82%acsvc_test_…'],
  ])('masks the secrets in %s', async (path, masked) => {
    await app.call('GET', path);
    expect(await logged()).toMatchObject([{ path: masked }]);
  });

  it('masks the secrets in a warning', async () => {
    await app.call('POST', '/v1/emails', { ...EMAIL, svc_live_secret: 1, whsec_secret: 1 });
    const [{ warnings }] = await logged();
    expect(warnings.slice(0, 2)).toMatchObject([{ path: 'svc_live_…' }, { path: 'whsec_…' }]);
  });

  it('contains no key, no query and no body', async () => {
    await app.call('POST', '/v1/emails', { ...EMAIL, subject: 'a-body-of-mine' });
    await app.call('GET', '/v1/emails?to=a-query-of-mine');
    await app.call('GET', '/v1/templates/svc_live_a-key-of-mine');

    const text = JSON.stringify(await logged());

    expect(text).toContain('/v1/templates/svc_live_…');
    expect(text).not.toMatch(/of-mine|svc_test_scenarios/);
  });

  it('omits calls of the control API', async () => {
    await app.call('GET', '/_svc/info');
    await app.call('GET', '/_svc/nothing');

    expect(await logged()).toEqual([]);
  });

  it.each([
    ['?status=404', ['/v1/templates/tpl_1']],
    ['?status=4XX', ['/v1/templates/tpl_1', '/v1/emails']],
    ['?path=/v1/emails*', ['/v1/emails/msg_1', '/v1/emails', '/v1/emails']],
    ['?path=/v1/email', []],
    ['?path=/v1/[e]mails', []],
    ['?method=POST', ['/v1/emails']],
    ['?path=/v1/emails&status=2xx&limit=1', ['/v1/emails']],
  ])('%s', async (query, paths) => {
    await app.call('GET', '/v1/emails');
    await app.call('POST', '/v1/emails', {});
    await app.call('DELETE', '/v1/emails/msg_1', undefined, { 'x-service-simulate': 'none' });
    await app.call('GET', '/v1/templates/tpl_1');
    const deleted = (await logged()).find(({ method }) => method === 'DELETE');
    expect(deleted.status).toBe(404);

    const found = (await logged(query)).map(({ path }) => path);

    const asked = query.includes('status=4') ? found.filter((path) => path !== '/v1/emails/msg_1') : found;
    expect(asked).toEqual(paths);
  });

  it.each(['status=abc', 'status=6xx', 'limit=0', 'limit=1001', 'method=PUT'])('refuses ?%s', async (query) => {
    expect((await app.call('GET', `/_svc/requests?${query}`)).status).toBe(400);
  });

  it('is empty after a reset', async () => {
    await app.call('GET', '/v1/emails');

    expect((await app.call('POST', '/_svc/reset')).status).toBe(204);

    expect(await logged()).toEqual([]);
  });

  it('reaches its readers before a reset', async () => {
    const client = new Client({ baseUrl: 'http://any.test/v1', apiKey: TEST_KEY, userAgent: 'test', fetch: app.fetch });
    const chunks = client.stream('requests.stream', {});
    await chunks.next();
    const next = chunks.next();
    await app.call('GET', '/v1/emails');

    await app.call('POST', '/_svc/reset');

    expect(new TextDecoder().decode((await next).value)).toContain('"path":"/v1/emails"');
    await chunks.return(undefined);
  });
});

it('keeps requests that are not written yet if a reset fails', async () => {
  const written: { id: string }[] = [];
  const requests = { append: async (added: { id: string }[]) => written.push(...added), trim: async () => {} };
  // biome-ignore lint/suspicious/noExplicitAny: a store of which only the request log is used
  const store = { write: (work: (tx: any) => unknown) => work({ requests }) } as any;
  const clock = { after: () => () => {} } as unknown as Clock;
  const log = createRequestLog({ store, clock, onInternalError: expect.unreachable });
  log.append(requestOf('req_1'));

  await expect(log.whileEmptied(() => Promise.reject(new Error('full')))).rejects.toThrow('full');
  log.append(requestOf('req_2'));
  await log.flush();
  expect(written.map(({ id }) => id)).toEqual(['req_1', 'req_2']);

  log.append(requestOf('req_3'));
  await log.whileEmptied(async () => log.append(requestOf('req_4')));
  await log.flush();
  expect(written.map(({ id }) => id)).toEqual(['req_1', 'req_2', 'req_4']);
});

it('deletes the oldest requests with the first write of a server, and after every 1,000', async () => {
  const calls: unknown[][] = [];
  const requests = {
    append: async (added: unknown[]) => calls.push(['append', added.length]),
    trim: async (...kept: number[]) => calls.push(['trim', ...kept]),
  };
  // biome-ignore lint/suspicious/noExplicitAny: a store of which only the request log is used
  const store = { write: (work: (tx: any) => unknown) => work({ requests }) } as any;
  const clock = { after: () => () => {} } as unknown as Clock;
  const log = createRequestLog({ store, clock, onInternalError: expect.unreachable });
  for (const count of [1, 999, 1]) {
    for (let request = 0; request < count; request += 1) log.append(requestOf('req_1'));
    await log.flush();
  }
  const trim = ['trim', 10_000, 1_000];
  expect(calls).toEqual([['append', 1], trim, ['append', 999], ['append', 1], trim]);
});
