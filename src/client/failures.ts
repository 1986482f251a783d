import type { ErrorDetail } from '../contract/errors.js';

/** The server answered with an error. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';

  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly details: readonly ErrorDetail[] | undefined,
    readonly hint: string | undefined,
    readonly requestId: string | undefined,
  ) {
    super(message);
  }
}

/** There was no answer, or none of this API's. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';

  constructor(baseUrl: string, cause: unknown) {
    super(`${baseUrl} cannot be reached: ${reasonOf(cause)}`, { cause });
  }
}

/** Reads an error response. What is not the service's envelope becomes a failure all the same. */
export function failureFrom(status: number, text: string, headers: { get(name: string): string | null }): ApiFailure {
  const requestId = headers.get('x-request-id') ?? undefined;
  try {
    const { error } = JSON.parse(text) as {
      error: { code: string; message: string; details?: ErrorDetail[]; hint?: string };
    };
    if (typeof error.code === 'string' && typeof error.message === 'string') {
      return new ApiFailure(error.code, error.message, status, error.details, error.hint, requestId);
    }
  } catch {
    // Falls through to the general form.
  }
  return new ApiFailure(
    'internal_error',
    `The server answered ${status} without an explanation.`,
    status,
    undefined,
    undefined,
    requestId,
  );
}

function reasonOf(cause: unknown): string {
  const error = cause as (Error & { code?: string; cause?: unknown; errors?: unknown[] }) | undefined;
  if (error?.errors?.[0]) return reasonOf(error.errors[0]);
  if (error?.cause) return reasonOf(error.cause);
  if (error?.code === 'ECONNREFUSED') return 'nothing listens there';
  if (error?.code === 'ENOTFOUND') return 'the host name is unknown';
  if (error?.code === 'ECONNRESET' || error?.code === 'UND_ERR_SOCKET') return 'the connection was closed';
  return error?.message || error?.code || 'the connection failed';
}
