import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';

describe('the advice of a refusal', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.closeClean());

  it.each([
    ['a body that is not JSON', 'POST', '/v1/emails', '{"to":'],
    ['a body that is a list', 'POST', '/v1/emails', '[]'],
  ])('does not point to details without any: %s', async (_, method, path, body) => {
    const { error } = (await app.call(method, path, body)).json;

    expect(error).toMatchObject({ code: 'validation_error', status: 400 });
    expect(error).not.toHaveProperty('hint');
    expect(error).not.toHaveProperty('details');
  });

  it('points to the details when there are some', async () => {
    const { error } = (await app.call('GET', '/v1/emails?limit=0')).json;

    expect(error).toMatchObject({ details: [{ path: 'limit' }], hint: expect.stringContaining('error.details') });
  });

  it('names the escape of a plus sign in an address', async () => {
    const { error } = (await app.call('GET', '/v1/emails?to=ada+shop@example.test')).json;

    expect(error).toMatchObject({ details: [{ path: 'to' }], hint: expect.stringContaining('plus sign as %2B') });
    expect((await app.call('GET', '/v1/emails?to=ada%2Bshop@example.test')).status).toBe(200);
  });

  it.each([
    ['POST', '/emails', 'Did you mean /v1/emails?'],
    ['GET', '/emails/msg_1', 'Did you mean /v1/emails/msg_1?'],
    ['GET', '/v1/email', 'Did you mean /v1/emails?'],
    ['PUT', '/v1/emails', 'This path accepts POST, GET.'],
    ['GET', '/_svc/healt', 'Did you mean /_svc/health?'],
    ['POST', '/', 'svc inbox'],
  ])('names the path that was probably meant: %s %s', async (method, path, hint) => {
    const { status, json } = await app.call(method, path, 'a=b', { 'content-type': 'text/plain' });
    expect([status, json.error.code]).toEqual([404, 'not_found']);
    expect(json.error.hint).toContain(hint);
  });

  it.each([
    ['DELETE', '/v1/api-keys/'],
    ['GET', '/v1/emails/'],
    ['GET', '/v1/domains/'],
    ['GET', '/v1/mails/'],
    ['GET', '/emails/'],
  ])('does not repeat an API key that is part of the path: %s %s', async (method, path) => {
    const { status, json } = await app.call(method, `${path}svc_test_0123456789`);
    expect(status).toBe(404);
    expect(json.error.message).toContain('svc_test_…');
    expect(JSON.stringify(json)).not.toContain('0123456789');
  });

  it('does not repeat an API key that is the name of a field', async () => {
    const body = { url: 'https://hooks.example/', events: ['email.sent'], 'svc_test_0123456789\ud800': 'x' };
    const { error } = (await app.call('POST', '/v1/webhooks', body)).json;
    expect(error.details).toMatchObject([{ path: expect.stringMatching(/^svc_test_…/) }]);
    expect(JSON.stringify(error)).not.toContain('0123456789');
  });

  it('of an unknown path is about paths, of an unknown id about ids', async () => {
    const path = (await app.call('GET', '/v1/mails')).json.error;
    const id = (await app.call('GET', '/v1/emails/msg_none')).json.error;

    expect(path).toMatchObject({ code: 'not_found', hint: expect.stringContaining('GET /v1/openapi.json') });
    expect(id).toMatchObject({ code: 'not_found', hint: expect.stringContaining('Check the ID') });
  });
});
