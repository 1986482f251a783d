import { afterEach, describe, expect, it } from 'vitest';
import { operationsOf, ResponseOracle } from '../../support/openapi.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { send } from './send.js';

/**
 * Keeps the cases that fuzzing and the thought that went into it found. Those with malformed HTTP are in socket.test.ts
 * by name: answers without an envelope to malformed requests, to a missing Host, to an unknown expectation, to headers
 * beyond the limit, and no answer at all to CONNECT.
 */
describe('cases that fuzzing found', () => {
  let app: TestApp;

  afterEach(() => app.closeClean());

  it('counts a path written with percent-encodings against the limit', async () => {
    app = await startApp({ plan: 'free' });
    for (let call = 0; call < 60; call += 1) await app.call('GET', '/%761/templates');
    expect((await app.call('GET', '/%761/templates')).status).toBe(429);
    expect((await app.call('GET', '/v1/templates')).status).toBe(429);
  });

  it('reads, verifies and removes a domain with a name of 230 characters', async () => {
    app = await startApp();
    const domain = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(39)}.example`;
    expect((await app.call('POST', '/v1/domains', { domain })).status).toBe(201);
    expect((await app.call('GET', `/v1/domains/${domain}`)).json.data.domain).toBe(domain);
    expect((await app.call('POST', `/v1/domains/${domain}/verify`)).status).toBe(200);
    expect((await app.call('DELETE', `/v1/domains/${domain}`)).status).toBe(204);
  });

  it('does not find an unknown id of any length, and reports that in the endpoint’s own code', async () => {
    app = await startApp();
    const { status, json } = await app.call('GET', `/v1/templates/tpl_${'x'.repeat(2_000)}`);
    expect([status, json.error.code]).toEqual([404, 'template_not_found']);
  });

  it('puts the limit’s headers on a refused page and on a path that cannot be decoded', async () => {
    app = await startApp();
    const { json: document } = await app.call('GET', '/v1/openapi.json');
    const oracle = new ResponseOracle(document);
    const operation = operationsOf(document).find(({ operationId }) => operationId === 'templates.get')!;
    const headers = { host: 'localhost' };
    const undecodable = await send(app, { method: 'GET', url: '/v1/templates/%ZZ', headers, hasUnknownPath: true });
    expect([undecodable.status, ...oracle.problems(operation, undecodable)]).toEqual([400]);
    const origin = 'https://elsewhere.example';
    const foreign = await app.call('GET', '/v1/templates/tpl_1', undefined, { origin });
    expect([foreign.status, ...oracle.problems(operation, foreign)]).toEqual([403]);
  });
});
