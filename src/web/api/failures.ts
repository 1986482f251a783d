import { ApiFailure, NoControlError, UnreachableError } from '../../client/failures.js';
import { hintRefersToDetails } from '../../contract/vocabulary/errors.js';
import { SignInRequired } from './session.js';

/** Describes failed calls to people. */

export interface FailureText {
  title: string;
  message: string;
  hint?: string | undefined;
  /** Whether the same call may succeed later. */
  canRetry: boolean;
}

const NOT_FOUND = 404;
const TOO_MANY = 429;

/** Returns whether the same call would fail again. */
export function isFinal(error: unknown): boolean {
  if (error instanceof ApiFailure) return error.status < 500 && error.status !== TOO_MANY;
  // The live connection finds out when the server is back.
  return true;
}

/** Returns whether a script of the page could not be loaded. Browsers word it differently. */
export function isMissingPart(error: unknown): boolean {
  return error instanceof TypeError && /dynamically imported module|importing a module script/i.test(error.message);
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === NOT_FOUND;
}

export function describeFailure(error: unknown): FailureText {
  if (error instanceof ApiFailure) return describeApiFailure(error);
  if (error instanceof NoControlError) {
    return {
      title: 'The control API is disabled',
      message: 'The inbox reads email through it.',
      hint: 'Start the server without --no-control.',
      canRetry: true,
    };
  }
  if (error instanceof UnreachableError) return describeOutage(error);
  if (isMissingPart(error)) {
    return {
      title: 'This part of the page cannot be loaded',
      message: 'The server stopped, or was updated since the page was opened.',
      hint: 'Reload the page.',
      canRetry: true,
    };
  }
  return { title: 'This view cannot be shown', message: String((error as Error)?.message ?? error), canRetry: true };
}

function describeApiFailure({ code, status, message, details = [], hint, requestId }: ApiFailure): FailureText {
  const fields = details.map(({ path, message }) => (path ? `${path} ${message}` : message)).join('; ');
  // The message contains the first detail.
  const repeats = details[0] !== undefined && message.startsWith(`${details[0].path}: ${details[0].message}`);
  const text = details.length < 2 ? message : repeats ? `${fields}.` : `${message.replace(/\.$/, '')}: ${fields}.`;
  if (status === TOO_MANY) {
    return { title: 'Too many requests', message: text, hint: 'Wait a minute, then try again.', canRetry: true };
  }
  if (status < 500) {
    return {
      title: status === NOT_FOUND ? 'Not found' : 'The server refused this',
      message: text,
      hint: hint && hintRefersToDetails({ code, status, details, hint }) ? undefined : hint,
      canRetry: false,
    };
  }
  const id = requestId ? `Request ID: ${requestId}.` : undefined;
  return { title: 'Server error', message: text, hint: id, canRetry: true };
}

function describeOutage({ cause }: UnreachableError): FailureText {
  if (cause instanceof SignInRequired) {
    return { title: 'You are signed out', message: cause.message, canRetry: true };
  }
  // A call that had to sign in again.
  if (cause instanceof ApiFailure) return describeApiFailure(cause);
  if (cause instanceof UnreachableError) return describeOutage(cause);
  if ((cause as Error)?.name === 'TimeoutError') {
    return { title: 'The request timed out', message: 'The server did not respond within 30 seconds.', canRetry: true };
  }
  return {
    title: 'Disconnected',
    message: 'The server cannot be reached.',
    hint: 'Start it with "svc dev". This page reconnects automatically.',
    canRetry: true,
  };
}
