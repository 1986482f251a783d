import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Operation, operationsOf, ResponseOracle } from '../../support/openapi.js';
import { type Answer, startApp, type TestApp } from '../../support/servers/app.js';

/** Tests the oracle: the fuzzer is worth only what it notices. */
describe('the oracle that checks fuzzed answers', () => {
  let app: TestApp;
  let oracle: ResponseOracle;
  let list: Operation;
  let good: Answer;

  beforeAll(async () => {
    app = await startApp();
    const { json } = await app.call('GET', '/v1/openapi.json');
    oracle = new ResponseOracle(json);
    list = operationsOf(json).find(({ operationId }) => operationId === 'templates.list')!;
    await app.call('POST', '/v1/templates', { name: 'a', subject: 'b', html: 'c' });
    good = await app.call('GET', '/v1/templates');
  });

  afterAll(() => app.closeClean());

  it('accepts an answer of the server’s', () => {
    expect(oracle.problems(list, good)).toEqual([]);
  });

  it.each<[string, (answer: Answer) => void]>([
    ['an undeclared status', (answer) => Object.assign(answer, { status: 418 })],
    ['a server error in a success envelope', (answer) => Object.assign(answer, { status: 500 })],
    ['an additional field, anywhere', ({ json }) => Object.assign(json.data.templates[0], { extra: 1 })],
    ['a missing field', ({ json }) => delete json.data.templates[0].subject],
    ['another type', ({ json }) => Object.assign(json.data.pagination, { total: '1' })],
    ['an id of another kind', ({ json }) => Object.assign(json.data.templates[0], { id: 'msg_1' })],
    ['an invalid timestamp', ({ json }) => Object.assign(json.data.templates[0], { created_at: 'today' })],
    ['no envelope', (answer) => Object.assign(answer, { json: answer.json.data })],
    ['a missing header', ({ headers }) => delete headers['x-ratelimit-reset']],
    ['a header that is not an integer', ({ headers }) => Object.assign(headers, { 'x-ratelimit-limit': '1.5' })],
    ['another request’s id', ({ headers }) => Object.assign(headers, { 'x-request-id': 'req_1' })],
    ['another content type', ({ headers }) => Object.assign(headers, { 'content-type': 'text/html' })],
  ])('refuses %s', (_what, corrupt) => {
    const answer = structuredClone(good);
    corrupt(answer);
    expect(oracle.problems(list, answer)).not.toEqual([]);
  });

  it('refuses an error code that the endpoint does not have under that status', async () => {
    const answer = await app.call('GET', '/v1/templates?limit=0');
    expect(answer.status).toBe(400);
    expect(oracle.problems(list, answer)).toEqual([]);
    answer.json.error.code = 'not_found';
    expect(oracle.problems(list, answer)).not.toEqual([]);
  });
});
