import { isDeepStrictEqual } from 'node:util';
import type { FastifyRequest } from 'fastify';
import { commonFailures, type Endpoint } from '../../contract/endpoint.js';
import type { Failure, ServiceError } from '../../contract/vocabulary/errors.js';

/**
 * Checks responses against the contract. Enabled in tests, where a response that the contract does not declare becomes
 * an `internal` error.
 */

/** Checks the data of a response. @throws Error if it has another type than the contract declares, or an additional field. */
export function checkResponse(name: string, { response }: Endpoint, output: unknown): void {
  if (response === undefined) {
    if (output !== undefined) throw new Error(`${name} answered with data where the contract has none`);
    return;
  }
  const result = response.safeParse(output);
  if (!result.success) throw new Error(`${name} broke the contract: ${result.error.message}`);
  // Parsing removes fields that the contract does not define.
  if (!isDeepStrictEqual(result.data, output))
    throw new Error(`${name} answered with a field the contract does not have`);
}

/**
 * Returns the error for a failure that the contract does not declare for the called operation; undefined if it is
 * declared. `cause` is the error that became this failure.
 */
export function undeclaredFailure(error: ServiceError, request: FastifyRequest, cause: unknown): Error | undefined {
  // Requests without a route have no operation.
  const operation = request.routeOptions?.config?.operation;
  if (!operation) return undefined;
  const { name, endpoint } = operation;
  const declared: readonly Failure[] = [...commonFailures, ...(endpoint.errors ?? [])];
  if (declared.includes(error.failure)) return undefined;
  return new Error(`${name} failed with ${error.failure}, which the contract does not declare`, { cause });
}
