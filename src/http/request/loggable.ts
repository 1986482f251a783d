import { maskSecrets } from '../../contract/vocabulary/helpers/mask-secrets.js';
import { USER_AGENT_CHARACTERS } from '../../contract/vocabulary/limits.js';
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
