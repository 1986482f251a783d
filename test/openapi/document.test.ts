import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commonFailures, type Endpoint } from '../../src/contract/endpoint.js';
import { service } from '../../src/contract/service/endpoints.js';
import { failures } from '../../src/contract/vocabulary/errors.js';
import { eventTypes } from '../../src/contract/vocabulary/event-types.js';
import { type Document, operationsOf, ResponseOracle, resolve } from '../support/openapi.js';
import { startApp, type TestApp } from '../support/servers/app.js';

describe('the OpenAPI document', () => {
  let app: TestApp;
  let document: Document;

  beforeAll(async () => {
    app = await startApp();
    const answer = await app.call('GET', '/v1/openapi.json', undefined, { authorization: '' });
    expect(answer.status).toBe(200);
    document = answer.json;
  });

  afterAll(() => app.closeClean());

  it('has every endpoint of the contract, and no other', () => {
    const described = operationsOf(document).map(({ operationId, method, path }) => [operationId, method, path]);
    const declared = Object.entries(service).map(([name, { method, path }]) => [name, method, path]);
    expect(described.sort()).toEqual(declared.sort());
  });

  it('has every failure of an endpoint, with its code under its status', () => {
    for (const operation of operationsOf(document)) {
      const { errors = [] } = service[operation.operationId as keyof typeof service] as Endpoint;
      for (const name of [...commonFailures, ...errors]) {
        const { status, code } = failures[name];
        const declared = operation.responses[status];
        expect(declared, `${operation.operationId} ${status}`).toBeDefined();
        const response = resolve<Document>(document, declared!);
        const { error } = response.content['application/json'].schema.properties;
        expect(error.properties.code.enum).toContain(code);
        expect(error.properties.status.const).toBe(status);
      }
    }
  });

  it('has a webhook for each of the 13 event types, with the header that signs it', () => {
    expect(Object.keys(document.webhooks).sort()).toEqual([...eventTypes].sort());
    expect(eventTypes).toHaveLength(13);
    for (const { post } of Object.values<Document>(document.webhooks)) {
      expect(post.parameters.map(({ name }: { name: string }) => name)).toContain('X-Service-Signature');
    }
  });

  it('has an example for every request, response and event, and each is of its schema', () => {
    const oracle = new ResponseOracle(document);
    let examples = 0;
    const visit = (node: Document, path: string) => {
      if (typeof node !== 'object' || node === null) return;
      const values = node.examples ? Object.values<Document>(node.examples).map(({ value }) => value) : [node.example];
      if (node.schema && path.includes('/content/')) {
        for (const value of values) {
          expect(value, path).toBeDefined();
          expect(oracle.schemaProblems(path, node.schema, value), path).toEqual([]);
          examples += 1;
        }
      }
      for (const [key, value] of Object.entries(node)) visit(value, `${path}/${key}`);
    };
    visit(document, '');
    const bodies = operationsOf(document).filter(({ body }) => body).length;
    expect(examples).toBeGreaterThan(operationsOf(document).length + bodies + eventTypes.length);
  });

  it('has no hint of the contract’s own left in it, and no schema of zod’s making without a name', () => {
    const text = JSON.stringify(document);
    expect(text).not.toContain('"override"');
    expect(text).not.toContain('__shared');
    expect(text).not.toContain('"$schema"');
  });

  it('describes a parameter that is read from text by what it stands for', () => {
    const list = operationsOf(document).find(({ operationId }) => operationId === 'emails.list');
    const parameters = Object.fromEntries(list!.parameters.map(({ name, schema }) => [name, schema]));
    expect(parameters.limit).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 20 });
    expect(parameters.offset).toMatchObject({ type: 'integer', minimum: 0, default: 0 });
    expect(parameters.from_date).toMatchObject({ type: 'string' });
  });

  it('carries the rate limit’s headers, like every response under /v1', async () => {
    const { headers } = await app.call('GET', '/v1/openapi.json', undefined, { authorization: '' });
    expect(Number(headers['x-ratelimit-limit'])).toBeGreaterThan(0);
    expect(headers['x-request-id']).toMatch(/^req_/);
  });
});
