import type { ServiceError } from '../../contract/vocabulary/errors.js';
import { maskSecrets } from '../../contract/vocabulary/helpers/mask-secrets.js';
import { shortened } from '../../contract/vocabulary/helpers/shorten.js';
import {
  LOGGED_DETAILS_MAX,
  LOGGED_ERROR_CHARACTERS,
  USER_AGENT_CHARACTERS,
} from '../../contract/vocabulary/limits.js';
import type { ServiceWarning } from '../../contract/vocabulary/warnings.js';

/** Reads the parts of a request that the request log and the report of warnings keep, without secrets. */

/** Maximum characters of a path that the request log and the report of warnings keep. */
export const PATH_CHARACTERS = 2_000;

export function loggablePath(path: string): string {
  return maskSecrets(path.slice(0, PATH_CHARACTERS));
}

export function loggableUserAgent(text: string | undefined): string | null {
  return text === undefined ? null : maskSecrets(text.slice(0, USER_AGENT_CHARACTERS));
}

export function loggableWarning({ code, path, message }: ServiceWarning): ServiceWarning {
  return { code, path: maskSecrets(path), message: maskSecrets(message) };
}

/** Returns what the request log keeps of an error. */
export function loggableError(error: ServiceError | null) {
  return {
    errorCode: error?.code ?? null,
    errorMessage: error && loggableText(error.message),
    errorDetails: (error?.details ?? [])
      .slice(0, LOGGED_DETAILS_MAX)
      .map(({ path, message }) => ({ path: loggableText(path), message: loggableText(message) })),
  };
}

function loggableText(text: string): string {
  return maskSecrets(shortened(text, LOGGED_ERROR_CHARACTERS).toWellFormed());
}
