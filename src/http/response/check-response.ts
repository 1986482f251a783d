import { isDeepStrictEqual } from 'node:util';
import type { FastifyRequest } from 'fastify';
import { commonFailures, type Endpoint } from '../../contract/endpoint.js';
import type { Failure, ServiceError } from '../../contract/vocabulary/errors.js';

/** Holds what is answered against the contract. On in tests: what the contract does not declare becomes an `internal` error. */

/** @throws Error when `data` is not what the contract declares: another shape, or a field more. */
export function checkResponse(name: string, { response }: Endpoint, output: unknown): void {
  if (response === undefined) {
    if (output !== undefined) throw new Error(`${name} answered with data where the contract has none`);
    return;
  }
  const result = response.safeParse(output);
  if (!result.success) throw new Error(`${name} broke the contract: ${result.error.message}`);
  // Parsing drops what the contract does not have.
  if (!isDeepStrictEqual(result.data, output))
    throw new Error(`${name} answered with a field the contract does not have`);
}

/** The fault of a failure that the contract does not declare for the operation that was called. */
export function undeclaredFailure(error: ServiceError, request: FastifyRequest): Error | undefined {
  // A request that could not be routed has no operation.
  const operation = request.routeOptions?.config?.operation;
  if (!operation) return undefined;
  const { name, endpoint } = operation;
  const declared: readonly Failure[] = [...commonFailures, ...(endpoint.errors ?? [])];
  if (declared.includes(error.failure)) return undefined;
  return new Error(`${name} failed with ${error.failure}, which the contract does not declare`);
}
