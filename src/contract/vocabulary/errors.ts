import type { Access } from './access.js';
import type { ErrorDetail } from './error-detail.js';

/**
 * Failures of the service, each with its code and HTTP status. One code can have several failures (`validation_error`
 * is 400, 409 or 422), so the key is the failure's name. Specification: Errors; gap 11.
 */
export const failures = {
  unauthenticated: {
    code: 'authentication_error',
    status: 401,
    meaning: 'API key missing, invalid or revoked',
    hint: 'Send the header "Authorization: Bearer <API_KEY>". The local server prints its key when it starts.',
    teamHint:
      'Send the header "Authorization: Bearer <API_KEY>". Someone with an admin key creates keys with "svc ' +
      'api-keys create".',
  },
  forbidden: {
    code: 'authorization_error',
    status: 403,
    meaning: 'the key is not allowed to do this',
    hint: 'Use a live key for operations on live keys. "svc dev --api-key svc_live_…" starts the local server with one.',
    teamHint: 'Use a live key for operations on live keys.',
  },
  domain_not_verified: {
    code: 'domain_not_verified',
    status: 403,
    meaning: 'sending domain not verified',
    hint: 'Add the domain with POST /domains, publish its DNS records, then call POST /domains/{domain}/verify; or use a test key.',
  },
  not_found: {
    code: 'not_found',
    status: 404,
    meaning: 'resource does not exist',
    hint: 'Check the ID or name, and the server that was asked.',
  },
  gone: {
    code: 'not_found',
    status: 410,
    meaning: 'events after the cursor were removed',
    hint: 'Continue from the oldest cursor, or read all events that are left with after=0.',
  },
  template_not_found: {
    code: 'template_not_found',
    status: 404,
    meaning: 'template does not exist',
    hint: 'Pass a tpl_ ID as template_id; GET /templates lists all templates.',
  },
  bad_request: {
    code: 'validation_error',
    status: 400,
    meaning: 'malformed JSON, or an invalid path or query parameter',
    hint: 'error.details lists each invalid parameter.',
    detailed: true,
  },
  conflict: {
    code: 'validation_error',
    status: 409,
    meaning: 'the request conflicts with the state of the resource',
    hint: 'GET the resource to see its current state.',
  },
  invalid: {
    code: 'validation_error',
    status: 422,
    meaning: 'a field of the body is missing or invalid',
    hint: 'error.details lists each invalid field.',
    detailed: true,
  },
  invalid_variables: {
    code: 'invalid_variables',
    status: 422,
    meaning: 'template variables missing or invalid',
    hint: 'Pass a string, number or boolean for every placeholder of the template.',
  },
  rate_limited: {
    code: 'rate_limit_exceeded',
    status: 429,
    meaning: 'rate limit or monthly quota reached',
    hint: 'Wait for the number of seconds in Retry-After. To disable limits locally, run "svc dev --plan none".',
    teamHint:
      'Wait for the number of seconds in Retry-After. The limits are those of the flag --plan; an admin can set the quota of a workspace.',
  },
  upstream: {
    code: 'upstream_error',
    status: 500,
    meaning: 'the mail delivery provider failed',
    hint: 'Try again later.',
  },
  internal: {
    code: 'internal_error',
    status: 500,
    meaning: 'internal server error',
    hint: 'Report the problem with the request ID.',
  },
  unavailable: {
    code: 'internal_error',
    status: 503,
    meaning: 'the server cannot process the request now',
    hint: 'Wait for the number of seconds in Retry-After, then try again.',
  },
} as const satisfies Record<string, FailureForm>;

interface FailureForm {
  code: string;
  status: number;
  meaning: string;
  hint: string;
  /** The hint of a server for a team (default: `hint`). */
  teamHint?: string;
  /** Whether the hint of an error with details only refers to them. */
  detailed?: true;
}

export type Failure = keyof typeof failures;
export type ErrorCode = (typeof failures)[Failure]['code'];
export const errorCodes = [...new Set(Object.values(failures).map(({ code }) => code))];

/** A failure to return to the client. Any other error is a fault of the server and becomes `internal`. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';

  constructor(
    readonly failure: Failure,
    message: string,
    readonly details?: readonly ErrorDetail[],
    private readonly ownHint?: string,
  ) {
    super(message);
  }

  /** Returns the next step for the user: the hint of this failure, the default one of its kind, or nothing. */
  get hint(): string {
    const { hint, detailed }: FailureForm = failures[this.failure];
    if (this.ownHint !== undefined) return this.ownHint;
    return detailed && !this.details?.length ? '' : hint;
  }

  /** Returns the next step for a caller of a local server, or of one for a team. */
  hintFor(access: Access): string {
    const { teamHint }: FailureForm = failures[this.failure];
    return access === 'team' && this.ownHint === undefined && teamHint !== undefined ? teamHint : this.hint;
  }

  get code(): ErrorCode {
    return failures[this.failure].code;
  }

  get status(): number {
    return failures[this.failure].status;
  }
}

/** Returns whether the hint of an error only refers to its details. Clients that print the details omit such a hint. */
export function hintRefersToDetails(error: {
  code: string;
  status: number | null;
  details: readonly unknown[];
  hint: string | null;
}): boolean {
  if (error.details.length === 0) return false;
  return Object.values<FailureForm>(failures).some(
    ({ code, status, hint, detailed }) =>
      detailed && code === error.code && status === error.status && hint === error.hint,
  );
}

/** Returns the error for a body field that the schemas accept and the request's handler rejects. */
export function invalidField(path: string, message: string): ServiceError {
  return new ServiceError('invalid', `${path}: ${message}`, [{ path, message }]);
}
