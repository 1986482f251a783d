import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Serving, startServing } from '../../support/faults/serving.js';

const EMAIL = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Hi', html: '<p>Hi</p>' };
const SEND = 'POST /v1/emails';

describe('a fault over REST', () => {
  let serving: Serving;

  beforeEach(async () => {
    serving = await startServing();
  });

  afterEach(() => serving.app.closeClean());

  const send = (email: object = EMAIL) => serving.request('POST', '/v1/emails', email);
  const newestRequest = async () => (await serving.app.read('/_svc/requests')).requests[0];

  it.each([
    [{ code: 503 }, 503, 'internal_error', 'The server cannot process the request now.'],
    [{ code: 502 }, 502, 'upstream_error', 'The mail delivery provider failed.'],
    [{ error: 'upstream_error' }, 500, 'upstream_error', 'The mail delivery provider failed.'],
    [{ code: 401 }, 401, 'authentication_error', 'API key missing, invalid or revoked.'],
    [{ code: 418, text: 'I am a teapot' }, 418, 'validation_error', 'I am a teapot'],
  ])('responds in the service’s form: %j', async (effect, status, code, message) => {
    const { id } = await serving.add({ http: SEND, ...effect });

    const response = await send();

    expect(response.status).toBe(status);
    expect(response.headers.get('x-service-fault')).toBe(id);
    expect(response.headers.get('x-ratelimit-limit')).toBe('1200');
    expect(await response.json()).toMatchObject({
      success: false,
      error: { code, status, message: `${message} (injected by svc)` },
      meta: { request_id: expect.stringMatching(/^req_/) },
    });
    expect(await serving.subjects()).toEqual([]);
    expect(await newestRequest()).toMatchObject({
      status,
      error_code: code,
      warnings: [{ code: 'injected_fault', level: 'note', message: expect.stringContaining(`by ${id} (injected)`) }],
    });
  });

  it('has the headers of a rate limit that is reached', async () => {
    await serving.add({ http: SEND, code: 429, every: 2, retry_after: '3s' });
    serving.app.clock.freeze();

    expect((await send()).status).toBe(201);
    const limited = await send();

    expect(limited.status).toBe(429);
    expect(Object.fromEntries(limited.headers)).toMatchObject({
      'retry-after': '3',
      'x-ratelimit-limit': '1200',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Math.ceil((serving.app.clock.now() + 3_000) / 1000)),
    });
    expect(await limited.json()).toMatchObject({ error: { code: 'rate_limit_exceeded' } });
  });

  it('resets the connection before the request is processed', async () => {
    await serving.add({ http: SEND, drop: 'before', times: 1 });

    await expect(send()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });

    expect((await newestRequest()).status).toBe(0);
    expect((await send()).status).toBe(201);
    expect(await serving.subjects()).toEqual(['Hi']);
  });

  it('loses the response after the email is sent, so that a retry sends it twice', async () => {
    const { id } = await serving.add({ http: SEND, drop: 'after', times: 1 });

    await expect(send()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    expect(await newestRequest()).toMatchObject({ status: 201, path: '/v1/emails' });
    expect((await send()).status).toBe(201);

    expect(await serving.subjects()).toEqual(['Hi', 'Hi']);
    const { requests } = await serving.app.read('/_svc/requests');
    expect(requests).toHaveLength(2);
    const [, first] = (await serving.app.read('/_svc/emails')).emails;
    expect((await serving.app.read(`/_svc/emails/${first.id}`)).warnings).toMatchObject([
      { code: 'injected_fault', message: `connection closed after processing by ${id} (injected)` },
    ]);
  });

  it('truncates a response', async () => {
    await serving.add({ http: 'GET /v1/emails', truncate: true });

    const response = await serving.request('GET', '/v1/emails');

    expect(response.status).toBe(200);
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(50);
    await expect(response.text()).rejects.toThrow('terminated');
    expect(await newestRequest()).toMatchObject({ status: 200, warnings: [{ code: 'injected_fault' }] });
  });

  it('delays a response until the service’s clock has moved on', async () => {
    const { id } = await serving.add({ http: SEND, delay: '10m' });
    const sending = send();
    await expect.poll(async () => (await serving.list())[0].hits).toBe(1);
    expect(await serving.subjects()).toEqual([]);

    await serving.app.call('POST', '/_svc/clock/advance', { by: '10m' });

    const response = await sending;
    expect(response.status).toBe(201);
    expect(response.headers.get('x-service-fault')).toBe(id);
    expect(await serving.warnings()).toMatchObject([{ message: `delayed by 10m by ${id} (injected)` }]);
  });

  it('applies to the paths that it names', async () => {
    await serving.add({ http: 'GET /v1/emails/{id}', code: 500 });
    const { data } = (await (await send()).json()) as { data: { id: string } };

    expect((await serving.request('GET', `/v1/emails/${data.id}`)).status).toBe(500);
    expect((await serving.request('GET', '/v1/emails?limit=1')).status).toBe(200);
    expect((await serving.request('DELETE', `/v1/emails/${data.id}`)).status).toBe(409);
    await serving.add({ http: '* /v1/*', code: 504 });
    expect((await serving.request('GET', '/v1/emails?limit=1')).status).toBe(504);
    expect((await serving.request('GET', '/_svc/info')).status).toBe(200);
  });

  it('applies to the emails that its patterns and its query match', async () => {
    await serving.add({ http: SEND, code: 500, to: '*@corp.test', from: 'shop@*', match: 'text:"pay now"' });
    const html = '<p>pay <b>now</b></p>';

    expect((await send({ ...EMAIL, to: ['bob@example.test', 'Ada <ada@corp.test>'], html })).status).toBe(500);
    expect((await send({ ...EMAIL, html })).status).toBe(201);
    expect((await send({ ...EMAIL, to: 'ada@corp.test' })).status).toBe(201);
    expect((await send({ to: 'ada@corp.test' })).status).toBe(422);
  });

  it('is not counted among what the service may refuse', async () => {
    await serving.add({ http: SEND, delay: '1ms' });
    await send();

    expect(await serving.app.read('/_svc/report')).toMatchObject({ warnings: [] });
  });
});
