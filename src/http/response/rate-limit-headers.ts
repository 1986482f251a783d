import {
  RATE_LIMIT_HEADER,
  RATE_LIMIT_REMAINING_HEADER,
  RATE_LIMIT_RESET_HEADER,
} from '../../contract/vocabulary/headers.js';
import type { RateLimitState } from '../../core/resources/rate-limiter.js';

/** Returns the rate limit headers of a response of the service. Specification: Rate limits by plan; gap 31. */
export function rateLimitHeaders({
  limit,
  remaining,
  reset,
}: Omit<RateLimitState, 'retryAfter'>): Record<string, number> {
  return { [RATE_LIMIT_HEADER]: limit, [RATE_LIMIT_REMAINING_HEADER]: remaining, [RATE_LIMIT_RESET_HEADER]: reset };
}
