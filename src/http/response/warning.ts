import type { FastifyReply } from 'fastify';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { WARNING_HEADER } from '../../contract/vocabulary/headers.js';
import { WARNINGS_MAX } from '../../contract/vocabulary/limits.js';
import {
  printableWarningText,
  type ServiceWarning,
  warningForms,
  warningText,
} from '../../contract/vocabulary/warnings.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The warnings about this request, for its response and the request log; null without any. */
    warnings: ServiceWarning[] | null;
  }
}

/**
 * Announces warnings about a request, if there are any, in its response header, in the request log and in the report.
 * @throws ServiceError with the first one's failure if the server is strict. Then only the log and the report have them.
 */
export function announce(reply: FastifyReply, strict: boolean, warnings: readonly ServiceWarning[]): void {
  if (warnings.length === 0) return;
  const { request } = reply;
  request.warnings ??= [];
  for (const warning of warnings) {
    if (request.warnings.length < WARNINGS_MAX) request.warnings.push(warning);
  }
  // After they are recorded, for the report.
  if (strict) refuse(warnings);
  reply.header(WARNING_HEADER, request.warnings.map(printableWarningText));
}

/** @throws ServiceError with the failure of the first warning that a strict server refuses. */
export function refuse(warnings: readonly ServiceWarning[]): void {
  const refused = warnings.filter(({ code }) => warningForms[code].strict !== null);
  const [first] = refused;
  if (!first) return;
  const { strict, advice } = warningForms[first.code];
  const more = refused.length > 1 ? ` (and ${refused.length - 1} more)` : '';
  const details = refused.map(({ path, message }) => ({ path, message }));
  throw new ServiceError(strict ?? 'invalid', `${warningText(first)}${more}`, details, advice);
}
