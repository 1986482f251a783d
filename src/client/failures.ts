import { isLoopback } from '../contract/vocabulary/domains.js';
import type { ErrorDetail } from '../contract/vocabulary/error-detail.js';

/** A field or parameter that the server refused, and the flag that made it, when it is known. */
export interface RejectedField extends ErrorDetail {
  flag?: string;
}

/** The server answered with an error. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';

  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly details: readonly RejectedField[] | undefined,
    readonly hint: string | undefined,
    readonly requestId: string | undefined,
  ) {
    super(message);
  }

  /** Returns the same failure with another message. */
  withMessage(message: string, details: readonly RejectedField[] | undefined): ApiFailure {
    return new ApiFailure(this.code, message, this.status, details, this.hint, this.requestId);
  }

  /** Returns the same failure with another hint. */
  withHint(hint: string): ApiFailure {
    return new ApiFailure(this.code, this.message, this.status, this.details, hint, this.requestId);
  }
}

/** Returns what a call returns; undefined if the server does not have it, because it was deleted meanwhile. */
export async function unlessDeleted<T>(call: Promise<T>): Promise<T | undefined> {
  return call.catch((error: unknown) => {
    if (error instanceof ApiFailure && error.status === 404) return undefined;
    throw error;
  });
}

/** A connection failure between the client and the server, a proxy’s for example. */
export class TransportError extends Error {
  override readonly name = 'TransportError';

  constructor(
    reason: string,
    readonly hint: string,
    cause: unknown,
    /** Whether every retry would fail, whatever the cause. */
    readonly final: boolean,
  ) {
    super(reason, { cause });
  }
}

/** No response, or none of this API's. */
export class UnreachableError extends Error {
  override readonly name: string = 'UnreachableError';
  /** Whether something answered, but not this API. */
  readonly answered: boolean = false;
  readonly hint: string | undefined;

  constructor(
    readonly baseUrl: string,
    cause: unknown,
    hint?: string,
  ) {
    const what = isTimeoutOfAnswer(cause) || wasClosed(cause) ? 'No answer from' : 'Cannot connect to';
    super(`${what} ${baseUrl}: ${reasonOf(cause)}`, { cause });
    this.hint = hint ?? (cause instanceof TransportError ? cause.hint : undefined);
  }
}

/** The server has no control API: it is not a local server, or has it disabled. */
export class NoControlError extends Error {
  override readonly name = 'NoControlError';

  constructor(
    readonly baseUrl: string,
    /** Whether it is a local server, started with --no-control. */
    readonly closed: boolean,
    /** The flag that needs one, where the rest of the command does not. */
    readonly flag?: string,
    /** What the user can do on a server without one. */
    readonly advice?: string,
  ) {
    super(`${baseUrl} ${closed ? 'has its control API disabled' : 'does not have a control API'}.`);
  }

  /** Returns the same error, because of a flag. */
  forFlag(flag: string): NoControlError {
    return new NoControlError(this.baseUrl, this.closed, flag);
  }

  /** Returns the same error, with what the user can do instead. */
  withAdvice(advice: string): NoControlError {
    return new NoControlError(this.baseUrl, this.closed, this.flag, advice);
  }
}

/** Reads an error response. One without the service's envelope becomes a failure as well. */
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
    `The server responded ${status} without an error message.`,
    status,
    undefined,
    hintFor(status, text, headers),
    requestId,
  );
}

/** Returns the next step after a response that is not the service's; undefined without one. */
export function hintFor(
  status: number,
  text: string,
  headers: { get(name: string): string | null },
): string | undefined {
  return redirectHint(status, headers.get('location')) ?? (WANTS_TLS.test(text) ? TO_USE_TLS : undefined);
}

/** How Apache, Go and nginx answer a request without TLS on a port for TLS. */
const WANTS_TLS =
  /HTTP (?:request was sent )?to (?:an )?(?:HTTPS|SSL-enabled server) port|HTTP request to an HTTPS server/i;
const TO_USE_TLS = 'The port expects TLS. Change http:// to https:// in the base URL.';

/** Returns the hint for a redirect. It is not followed: the key would go to its target. */
function redirectHint(status: number, location: string | null): string | undefined {
  return status >= 300 && status < 400 && location
    ? `It redirects to ${location}. If the service has moved there, change the base URL.`
    : undefined;
}

/** The error of a standard fetch for a blocked port; behind a proxy, svc uses such a fetch. */
const FORBIDDEN_PORT = 'bad port';

/** Errors of Node.js for certificates. */
export const UNTRUSTED: RegExp = /^(?:UNABLE_TO_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT_)/;

/** Returns whether the server's certificate is not accepted. */
export function isUntrusted({ cause }: UnreachableError): boolean {
  return UNTRUSTED.test(rootOf(cause)?.code ?? '');
}

/**
 * Returns the protocol to try instead: the server answered in the other one, or closed the connection without an answer.
 * Servers with and without TLS do so for clients of the other kind.
 */
export function otherProtocol({ baseUrl, cause }: UnreachableError): 'http' | 'https' | undefined {
  const { code = '', message } = rootOf(cause) ?? {};
  const isClosed = (code === 'ECONNRESET' && message !== BROKEN_OFF) || code === 'UND_ERR_SOCKET';
  if (baseUrl.startsWith('https:')) return isClosed || WITHOUT_TLS.test(message ?? '') ? 'http' : undefined;
  return isClosed || code === 'HPE_INVALID_CONSTANT' ? 'https' : undefined;
}

/** Node's error for a connection that was closed in a response. */
const BROKEN_OFF = 'aborted';
/** The reasons in OpenSSL's errors for a server that does not answer with TLS. */
export const WITHOUT_TLS: RegExp =
  /:SSL routines:[\w:]{0,60}:(?:wrong version number|packet length too long|unknown protocol):/;

/** Returns whether every retry would fail: an unknown host, a port for another protocol, a certificate. */
export function isPermanent(error: UnreachableError): boolean {
  const { cause } = error;
  if (cause instanceof TransportError && cause.final) return true;
  const { code, message } = rootOf(cause) ?? {};
  return code === 'ENOTFOUND' || message === FORBIDDEN_PORT || WITHOUT_TLS.test(message ?? '') || isUntrusted(error);
}

/** Returns whether a server on this machine refused the connection, or exceeded the time limit. */
export function isLocalOutage({ cause, baseUrl }: UnreachableError): boolean {
  const { code, name, address } = rootOf(cause) ?? {};
  if (name === 'TimeoutError') return isLoopback(new URL(baseUrl).hostname);
  return code === 'ECONNREFUSED' && address !== undefined && isLoopback(address);
}

export interface Cause extends Error {
  code?: string;
  address?: string;
  /** Whether the server cannot have received the whole request. */
  notSent?: boolean;
  cause?: unknown;
  errors?: unknown[];
}

/** Returns the root cause of a failed connection. */
export function rootOf(error: unknown): Cause | undefined {
  const cause = error as Cause | undefined;
  if (cause?.errors?.[0]) return rootOf(cause.errors[0]);
  return cause?.cause ? rootOf(cause.cause) : cause;
}

/** Returns whether the server took the whole request, and did not answer in time. */
export function isTimeoutOfAnswer(cause: unknown): boolean {
  const { name, notSent } = rootOf(cause) ?? {};
  return name === 'TimeoutError' && notSent !== true;
}

/** Returns whether the connection was closed after it took the request. */
function wasClosed(cause: unknown): boolean {
  const { code, notSent } = rootOf(cause) ?? {};
  return (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET') && notSent !== true;
}

/** Describes a failed connection. */
export function reasonOf(cause: unknown): string {
  if (cause instanceof TransportError) return cause.message;
  const error = rootOf(cause);
  if (error?.code === 'ECONNREFUSED') return 'connection refused';
  if (error?.name === 'TimeoutError' || error?.code === 'UND_ERR_CONNECT_TIMEOUT') return 'timed out';
  if (error?.code === 'ENOTFOUND') return 'host not found';
  if (error?.code === 'EAI_AGAIN') return 'DNS lookup failed';
  if (error?.code === 'EHOSTUNREACH' || error?.code === 'ENETUNREACH') return 'network unreachable';
  if (error?.message === FORBIDDEN_PORT) return 'port not allowed for HTTP';
  if (error?.code === 'ECONNRESET' || error?.code === 'UND_ERR_SOCKET') return 'connection closed';
  if (error?.code?.startsWith('HPE_')) return 'the response is not HTTP';
  if (WITHOUT_TLS.test(error?.message ?? '')) return 'the response is not TLS';
  return error?.message || error?.code || 'connection failed';
}
