/** Defines headers of requests and responses. Specification: Rate limits by plan; gaps 13, 31, 38. */

export const RATE_LIMIT_HEADER = 'X-RateLimit-Limit';
export const RATE_LIMIT_REMAINING_HEADER = 'X-RateLimit-Remaining';
export const RATE_LIMIT_RESET_HEADER = 'X-RateLimit-Reset';
export const RETRY_AFTER_HEADER = 'Retry-After';
export const REQUEST_ID_HEADER = 'X-Request-Id';
export const FAULT_HEADER = 'X-Service-Fault';
export const WARNING_HEADER = 'X-Service-Warning';

/** The user agent of svc's own calls, up to the version. */
export const OWN_USER_AGENT = 'svc-cli/';
