import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Contract, Endpoint } from '../../src/contract/endpoint.js';
import { ServiceError } from '../../src/contract/vocabulary/errors.js';
import type { CallContext } from '../../src/core/context.js';
import { undeclaredFailure } from '../../src/http/response/check-response.js';
import { bindContract } from '../../src/http/routes/contract-routes.js';

/** No handler of svc violates the contract, so the test binds one that does, the way the server binds its own. */
describe('a handler that violates the contract, with responses checked', () => {
  let server: FastifyInstance;

  afterEach(() => server.close());

  const endpoint = {
    method: 'GET',
    path: '/things',
    summary: 'Read a thing',
    response: z.object({ name: z.string() }),
    status: 200,
    errors: ['not_found'],
  } as const satisfies Endpoint;

  async function faultOf(
    handler: () => Promise<unknown>,
    changes: Partial<Endpoint> = {},
  ): Promise<string | undefined> {
    server = Fastify();
    let fault: string | undefined;
    server.setErrorHandler((error: Error, request, reply) => {
      fault = error instanceof ServiceError ? undeclaredFailure(error, request, error)?.message : error.message;
      return reply.code(500).send();
    });
    const contract = { 'things.get': { ...endpoint, ...changes } } as unknown as Contract;
    const checks = { strict: false, checkResponses: true };
    const handlers = { 'things.get': handler };
    const contextOf = () => ({}) as CallContext;
    bindContract(server, { ...checks, prefix: '/v1', contract, handlers, contextOf, now: () => 0 });
    await server.inject('/v1/things');
    return fault;
  }

  it('is not reported while it follows the contract', async () => {
    expect(await faultOf(async () => ({ name: 'a' }))).toBeUndefined();
  });

  it('is reported for a field of another type, a missing one, and an additional one', async () => {
    expect(await faultOf(async () => ({ name: 1 }))).toContain('things.get broke the contract');
    await server.close();
    expect(await faultOf(async () => ({}))).toContain('things.get broke the contract');
    await server.close();
    expect(await faultOf(async () => ({ name: 'a', more: 1 }))).toContain('a field the contract does not have');
  });

  it('is reported for data where none is declared', async () => {
    expect(await faultOf(async () => ({ name: 'a' }), { response: undefined, status: 204 } as never)).toContain(
      'answered with data',
    );
  });

  it('is reported for an undeclared failure, and so a status', async () => {
    const failing = (failure: 'conflict' | 'not_found' | 'rate_limited') => async () => {
      throw new ServiceError(failure, 'No.');
    };
    expect(await faultOf(failing('conflict'))).toContain('things.get failed with conflict');
    await server.close();
    expect(await faultOf(failing('not_found'))).toBeUndefined();
    await server.close();
    expect(await faultOf(failing('rate_limited'))).toBeUndefined();
  });
});
