import { ApiFailure, reasonOf, rootOf, UNTRUSTED, UnreachableError, WITHOUT_TLS } from './failures.js';
import { CommandEndedError } from './time-limit.js';
import type { WireRequest } from './wire-request.js';

/** Errors of calls whose answer was lost, or lacks something. */

/**
 * A write was sent, and no answer arrived: it may have been carried out. For callers that ask only whether the server
 * responds, it is unreachable.
 */
export class UnconfirmedError extends UnreachableError {
  /** How to find out whether it was carried out, and what to do then. */
  advice = 'Check whether it was before you repeat it.';

  constructor(baseUrl: string, cause: unknown) {
    super(baseUrl, cause);
    this.message = `No answer from ${baseUrl}: ${reasonOf(cause)}. The request may have been carried out`;
  }
}

/** The hint for a write that something in front of the service answered with a failure. */
export const DOUBTFUL = 'The request may have been carried out. Check whether it was before you repeat it.';

/** Errors of Node.js and undici before a connection exists. */
const BEFORE_CONNECTING = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/** Returns whether a request that failed cannot have been carried out. */
export function wasNotSent(error: unknown): boolean {
  const { code = '', message = '', notSent } = rootOf(error) ?? {};
  return notSent === true || BEFORE_CONNECTING.test(code) || UNTRUSTED.test(code) || WITHOUT_TLS.test(message);
}

/** A call that succeeded, but whose answer lacks what the caller needs, such as a new API key. */
export class IncompleteAnswerError extends Error {
  override readonly name = 'IncompleteAnswerError';

  constructor(
    message: string,
    /** The body of the response. */
    readonly answer: string,
  ) {
    super(message);
  }
}

/** Returns whether a write that failed may have been carried out all the same. */
export function mayHaveBeenDone(error: unknown): boolean {
  if (error instanceof ApiFailure) return error.status < 400 || error.status >= 500;
  return error instanceof UnconfirmedError || error instanceof IncompleteAnswerError;
}

/** Returns the error of a call: of a write whose answer was lost, that it may have been carried out. */
export function orUnconfirmed(method: WireRequest['method'], error: unknown, baseUrl: string): unknown {
  if (method === 'GET') return error;
  const cause = error instanceof UnreachableError && !error.answered ? error.cause : error;
  const isLost = error instanceof CommandEndedError || cause !== error;
  return isLost && !wasNotSent(cause) ? new UnconfirmedError(baseUrl, cause) : error;
}
