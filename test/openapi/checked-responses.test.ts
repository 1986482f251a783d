import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Contract, Endpoint } from '../../src/contract/endpoint.js';
import { ServiceError } from '../../src/contract/vocabulary/errors.js';
import { undeclaredFailure } from '../../src/http/response/check-response.js';
import { bindContract } from '../../src/http/routes/contract-routes.js';

/** No handler of svc's own breaks the contract, so one that does is bound here, the way the server binds its own. */
describe('a handler that breaks the contract, with responses checked', () => {
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
      fault = error instanceof ServiceError ? undeclaredFailure(error, request)?.message : error.message;
      return reply.code(500).send();
    });
    const contract = { 'things.get': { ...endpoint, ...changes } } as unknown as Contract;
    const checks = { strict: false, checkResponses: true };
    const handlers = { 'things.get': handler };
    bindContract(server, { ...checks, prefix: '/v1', contract, handlers, contextOf: () => ({}), now: () => 0 });
    await server.inject('/v1/things');
    return fault;
  }

  it('is no fault when it keeps to it', async () => {
    expect(await faultOf(async () => ({ name: 'a' }))).toBeUndefined();
  });

  it('is a fault with a field of another type, with one less, and with one more', async () => {
    expect(await faultOf(async () => ({ name: 1 }))).toContain('things.get broke the contract');
    await server.close();
    expect(await faultOf(async () => ({}))).toContain('things.get broke the contract');
    await server.close();
    expect(await faultOf(async () => ({ name: 'a', more: 1 }))).toContain('a field the contract does not have');
  });

  it('is a fault with data where there is none', async () => {
    expect(await faultOf(async () => ({ name: 'a' }), { response: undefined, status: 204 } as never)).toContain(
      'answered with data',
    );
  });

  it('is a fault with a failure, and so a status, that is not declared', async () => {
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
