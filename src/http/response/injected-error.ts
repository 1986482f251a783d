import { type ErrorCode, type Failure, failures, ServiceError } from '../../contract/vocabulary/errors.js';
import { INJECTED } from '../../contract/vocabulary/faults/forms.js';
import type { FaultRecord } from '../../core/model/faults.js';

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
