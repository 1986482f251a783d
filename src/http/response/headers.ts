import type { FastifyReply } from 'fastify';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import {
  RATE_LIMIT_HEADER,
  RATE_LIMIT_REMAINING_HEADER,
  RATE_LIMIT_RESET_HEADER,
  WARNING_HEADER,
} from '../../contract/vocabulary/headers.js';
import { WARNINGS_MAX } from '../../contract/vocabulary/limits.js';
import {
  printableWarningText,
  type ServiceWarning,
  warningForms,
  warningText,
} from '../../contract/vocabulary/warnings.js';
import type { RateLimitState } from '../../core/account/rate-limiter.js';

/** Defines headers that restrict what browsers do with a response. */

/**
 * Headers of every response: browsers use the declared media type, and pages of other origins cannot load it or detect
 * that svc runs.
 */
export const SAFE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** Headers of routes that emails link to, because webmail clients load them from their own origin. */
export const SAFE_MAIL_HEADERS = { ...SAFE_HEADERS, 'cross-origin-resource-policy': 'cross-origin' } as const;

/** Headers of every response that may contain an email or a key. */
export const PRIVATE_HEADERS = { 'cache-control': 'no-store' } as const;

/** Returns whether `Accept-Encoding` lists an encoding. */
export function acceptsEncoding(header: string, encoding: string): boolean {
  return header.split(',').some((each) => {
    const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}

/** Returns the rate limit headers of a response of the service. Specification: Rate limits by plan; gap 31. */
export function rateLimitHeaders({
  limit,
  remaining,
  reset,
}: Omit<RateLimitState, 'retryAfter'>): Record<string, number> {
  return { [RATE_LIMIT_HEADER]: limit, [RATE_LIMIT_REMAINING_HEADER]: remaining, [RATE_LIMIT_RESET_HEADER]: reset };
}

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
