import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { control } from '../../src/contract/control/endpoints.js';
import { type Document, operationsOf, ResponseOracle } from '../support/openapi.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { send } from '../support/simulation.js';

const PATH = '/_svc/openapi.json';

describe('the OpenAPI document of the control API', () => {
  let app: TestApp;
  let document: Document;

  beforeAll(async () => {
    app = await startApp();
    const { status, json } = await app.call('GET', PATH, undefined, { authorization: '' });
    expect(status).toBe(200);
    document = json;
  });

  afterAll(() => app.closeClean());

  it('has every endpoint of the control API, and no other', () => {
    const described = operationsOf(document).map(({ operationId, method, path }) => [operationId, method, path]);
    const declared = Object.entries(control).map(([name, { method, path }]) => [name, method, path]);
    expect(described.sort()).toEqual(declared.sort());
  });

  it('states that only the local server has it', () => {
    expect(document.info.title).toContain('local server only');
    expect(document.servers).toEqual([{ url: 'http://localhost/_svc', description: 'This server' }]);
  });

  it('has no rate limit, and a key for everything but health', () => {
    expect(JSON.stringify(document)).not.toMatch(/RateLimit/);
    const open = Object.values<Document>(document.paths).flatMap((methods) =>
      Object.values<Document>(methods).filter(({ security }) => security?.length === 0),
    );
    expect(open.map(({ operationId }) => operationId)).toEqual(['health']);
  });

  it('describes contents that are not JSON by their media type', () => {
    const contentOf = (path: string) => Object.keys(document.paths[path].get.responses[200].content);
    expect(contentOf('/emails/{id}/raw')).toEqual(['message/rfc822']);
    expect(contentOf('/events')).toEqual(['text/event-stream']);
    expect(Object.keys(document.paths['/import'].post.requestBody.content)).toEqual(['application/gzip']);
  });

  it('matches what the server returns', async () => {
    const oracle = new ResponseOracle(document);
    const id = await send(app, 'ada@example.test', { html: '<a href="https://a.test/">A</a>' });
    await app.drain();
    const calls: [operationId: string, method: string, path: string, body?: object][] = [
      ['health', 'GET', '/health'],
      ['info', 'GET', '/info'],
      ['emails.inspect', 'GET', `/emails/${id}`],
      ['emails.simulate', 'POST', `/emails/${id}/simulate`, { outcome: 'opened' }],
      ['rules.create', 'POST', '/rules', { to: '*@corp.test', outcome: 'bounced' }],
      ['rules.list', 'GET', '/rules'],
      ['faults.create', 'POST', '/faults', { smtp: 'end', drop: 'after', times: 1 }],
      ['faults.list', 'GET', '/faults'],
      ['faults.create', 'POST', '/faults', { smtp: 'end' }],
      ['suppressions.create', 'POST', '/suppressions', { address: 'ada@corp.test' }],
      ['suppressions.list', 'GET', '/suppressions'],
      ['clock.advance', 'POST', '/clock/advance', { by: '1m' }],
      ['dns.list', 'GET', '/dns'],
      ['deliveries.list', 'GET', '/deliveries'],
      ['events.trigger', 'POST', '/events/trigger', { type: 'email.sent' }],
      ['requests.list', 'GET', '/requests'],
      ['smtp-sessions.list', 'GET', '/smtp-sessions'],
      // Failures.
      ['emails.inspect', 'GET', '/emails/msg_unknown'],
      ['clock.advance', 'POST', '/clock/advance', { by: 'soon' }],
      ['deliveries.list', 'GET', '/deliveries?state=lost'],
      ['reset', 'POST', '/reset'],
    ];
    const operations = new Map(operationsOf(document).map((operation) => [operation.operationId, operation]));
    for (const [operationId, method, path, body] of calls) {
      const answer = await app.call(method, `/_svc${path}`, body);
      expect(oracle.problems(operations.get(operationId)!, answer), `${method} ${path}`).toEqual([]);
    }
  });
});

it('a server without the control API serves neither its document nor its page', async () => {
  const app = await startApp({ control: false });

  expect((await app.call('GET', PATH)).status).toBe(404);
  expect((await app.call('GET', '/docs/control')).status).toBe(404);
  expect((await app.http.inject({ url: '/docs', headers: { host: 'localhost' } })).body).not.toContain('Control API');
  await app.closeClean();
});
