import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WARNING_HEADER } from '../../../src/contract/vocabulary/headers.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

const MAIL = { to: 'a@example.test', from: 's@example.test', subject: 'Hi', html: '<p>Hi</p>' };

describe.each([
  ['a server', false],
  ['a strict server', true],
])('%s', (_, strict) => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp({ plan: 'none', strict, domains: ['example.test'] });
  });

  afterAll(() => app.closeClean());

  const announced = (headers: Record<string, string>) => [headers[WARNING_HEADER.toLowerCase()] ?? []].flat().join();

  it.each([
    [
      'in the body',
      '{"to":"x@example.test","to":"a@example.test","from":"s@example.test","subject":"Hi","html":"h"}',
      'to',
    ],
    [
      'in an object of it',
      '{"to":"a@example.test","from":"s@example.test","subject":"a:b","html":"{\\"a\\":1}","attachments":[{"filename":"a","filename":"b.txt","content":"YQ==","contentType":"text/plain"}]}',
      'filename',
    ],
  ])('announces a repeated key %s, and takes the last one', async (_where, body, key) => {
    const { status, headers, json } = await app.call('POST', '/v1/emails', body);

    expect([status, json.data.to]).toEqual([201, 'a@example.test']);
    expect(announced(headers)).toContain(`repeated_key; the key "${key}" occurs twice`);
  });

  it('announces that an Idempotency-Key is ignored', async () => {
    const { status, headers } = await app.call('POST', '/v1/emails', MAIL, { 'idempotency-key': 'x' });

    expect(status).toBe(201);
    expect(announced(headers)).toContain('ignored_idempotency_key; ');
    expect(announced((await app.call('POST', '/v1/emails', MAIL)).headers)).toBe('');
  });

  it.each(['/v1/emails/', '/v1/templates/', '/v1/domains/'])('names the slash at the end of %s', async (path) => {
    const { status, json } = await app.call('GET', path);

    expect([status, json.error.message]).toEqual([404, `No route matches GET ${path}.`]);
    expect(json.error.hint).toContain(`Remove the slash at the end: ${path.slice(0, -1)}.`);
  });

  it('describes in its OpenAPI document what it accepts', async () => {
    const { json } = await app.call('GET', '/v1/openapi.json');
    const { SendEmail, ApiKeysCreateBody, CreateWebhook } = json.components.schemas;
    const status = json.paths['/emails'].get.parameters.find(({ name }: { name: string }) => name === 'status');

    expect(ApiKeysCreateBody.required.includes('rate_limit')).toBe(strict);
    expect([SendEmail, CreateWebhook].map((schema) => schema.additionalProperties === false)).toEqual([strict, strict]);
    expect(SendEmail.dependentRequired !== undefined).toBe(strict);
    expect(JSON.stringify(status.schema).includes('scheduled')).toBe(!strict);
  });

  it('opens a clicked email only if its opens are tracked', async () => {
    const html = '<a href="https://example.test/">x</a>';
    const clicked = { ...MAIL, html, to: 'clicked@simulator.test' };
    const events = async (body: object) => {
      const { json } = await app.call('POST', '/v1/emails', body);
      await app.call('POST', '/_svc/settle', {});
      return app.read(`/v1/emails/${json.data.id}`);
    };

    expect(await events(clicked)).toMatchObject({ opens_count: 1, clicks_count: 1 });
    expect(await events({ ...clicked, track_opens: false })).toMatchObject({ opens_count: 0, clicks_count: 1 });
  });
});
