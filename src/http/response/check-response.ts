import { isDeepStrictEqual } from 'node:util';
import type { FastifyRequest } from 'fastify';
import { commonFailures, type Endpoint } from '../../contract/endpoint.js';
import { type ErrorCode, type Failure, failures, ServiceError } from '../../contract/vocabulary/errors.js';
import { INJECTED } from '../../contract/vocabulary/faults/faults.js';
import type { FaultRecord } from '../../core/model/resources.js';

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

/** The failure whose code and text a status has by default. */
const BY_STATUS: Partial<Record<number, Failure>> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  422: 'invalid',
  429: 'rate_limited',
  502: 'upstream',
  503: 'unavailable',
  504: 'upstream',
};

/** An error that a fault makes up, with any status. It is not a fault of the server. */
export class InjectedError extends ServiceError {
  readonly #code: ErrorCode;
  readonly #status: number;

  constructor({ id, code: status, error, text }: FaultRecord) {
    const failure = failureOf(status, error);
    const message = text ?? `${failures[failure].meaning.replace(/^./, (first) => first.toUpperCase())}.`;
    super('upstream', `${message} ${INJECTED}`, undefined, `Remove the fault with "svc dev faults remove ${id}".`);
    this.#code = error ?? failures[failure].code;
    this.#status = status ?? failures[failure].status;
  }

  override get code(): ErrorCode {
    return this.#code;
  }

  override get status(): number {
    return this.#status;
  }
}

function failureOf(status: number | null, error: ErrorCode | null): Failure {
  const named = (Object.keys(failures) as Failure[]).find((name) => failures[name].code === error);
  if (named) return named;
  return BY_STATUS[status ?? 0] ?? ((status ?? 500) < 500 ? 'bad_request' : 'internal');
}
