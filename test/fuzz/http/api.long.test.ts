import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serviceDocument } from '../../../src/contract/openapi/service-document.js';
import { type Operation, operationsOf, ResponseOracle } from '../../support/openapi.js';
import { type Answer, startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';
import { knownResources } from './known-resources.js';
import { requestOf } from './request-arbitrary.js';
import { send } from './send.js';

/**
 * Every failure names its seed and the smallest request that shows it; cases that were found are kept in
 * regressions.test.ts.
 */
const RUNS = Number(process.env.SVC_FUZZ_RUNS ?? 75);

// The operations to fuzz are needed before any server runs; the answers are checked against the document of the server.
const operations = operationsOf(serviceDocument({ version: '0', server: { url: '/v1', description: '' } }));

describe(`${RUNS} requests per endpoint, generated from the OpenAPI document`, () => {
  let app: TestApp;

  beforeEach(async () => {
    // Of the limits only the one per minute is removed: it would hide what lies behind it.
    app = await startApp({ plan: 'none' });
  });

  afterEach(() => app.closeClean());

  it.each(operations.map((operation) => [operation.operationId, operation] as const))(
    '%s answers each as declared',
    async (_name, { operationId }) => {
      const { json: document } = await app.call('GET', '/v1/openapi.json');
      const operation = operationsOf(document).find((served) => served.operationId === operationId)!;
      const oracle = new ResponseOracle(document);
      const known = await knownResources(app);
      const statuses = new Map<number, number>();

      const property = fc.asyncProperty(
        requestOf(operation, {
          document,
          apiKey: TEST_KEY,
          known,
          knownFields: { template_id: known['templates.get'] ?? [] },
        }),
        async (request) => {
          const answer = await send(app, request);
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
          expect(app.faults).toEqual([]);
          expect(answer.status).toBeLessThan(500);
          const problems = oracle.problems(operation, answer);
          if (problems.length > 0 && request.hasUnknownPath)
            expect(strayProblems(oracle, operation, answer)).toEqual([]);
          else expect(problems).toEqual([]);
        },
      );
      await fc.assert(property, { numRuns: RUNS });

      // What was accepted is processed and read back: hostile text must not break anything after the answer either.
      await app.drain();
      await readEverything(app, oracle, operationsOf(document));
      expect(app.faults).toEqual([]);
      const succeeded = Object.keys(operation.responses)
        .map(Number)
        .find((status) => status < 300)!;
      expect(statuses.get(succeeded), `no request succeeded: ${JSON.stringify([...statuses])}`).toBeGreaterThan(0);
      expect(statuses.get(401)).toBeGreaterThan(0);
    },
    // Long enough to reduce a failing request to the smallest one.
    300_000,
  );
});

/**
 * Checks that a path without a route is not found, and one that cannot be decoded is a bad request, in the same
 * envelope.
 */
function strayProblems(oracle: ResponseOracle, operation: Operation, answer: Answer): string[] {
  const reference = (name: string) => ({ $ref: `#/components/responses/${name}` });
  return oracle.problems(
    {
      ...operation,
      operationId: 'hasUnknownPath',
      responses: { 400: reference('BadRequest'), 404: reference('NotFound') },
    },
    answer,
  );
}

async function readEverything(app: TestApp, oracle: ResponseOracle, all: Operation[]): Promise<void> {
  const named = (name: string) => all.find(({ operationId }) => operationId === name)!;
  const read = async (name: string, path: string) => {
    const answer = await app.call('GET', path);
    expect([answer.status, ...oracle.problems(named(name), answer)], path).toEqual([200]);
    return answer.json.data;
  };
  const { emails } = await read('emails.list', '/v1/emails?limit=100');
  for (const { id } of emails) {
    await read('emails.get', `/v1/emails/${id}`);
    expect((await app.call('GET', `/_svc/emails/${id}/raw`)).status).toBe(200);
    expect((await app.call('GET', `/_svc/emails/${id}`)).status).toBe(200);
  }
  const { templates } = await read('templates.list', '/v1/templates?limit=100');
  for (const { id } of templates) await read('templates.get', `/v1/templates/${id}`);
  await read('webhooks.list', '/v1/webhooks');
  await read('api-keys.list', '/v1/api-keys');
  await read('domains.list', '/v1/domains');
  await read('analytics.emails', '/v1/analytics/emails');
}
