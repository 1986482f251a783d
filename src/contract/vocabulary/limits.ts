/** Every limit of the service, written once. Specification: Limits; decisions 7, 8, 32, 34, 35. */

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** Requests per minute and emails per month by plan. `null` is "no limit". */
export const plans = {
  free: { requestsPerMinute: 60, emailsPerMonth: 1_000 },
  indie: { requestsPerMinute: 120, emailsPerMonth: 10_000 },
  startup: { requestsPerMinute: 300, emailsPerMonth: 50_000 },
  growth: { requestsPerMinute: 600, emailsPerMonth: 250_000 },
  enterprise: { requestsPerMinute: 1_200, emailsPerMonth: null },
  none: { requestsPerMinute: null, emailsPerMonth: null },
} as const;
export type Plan = keyof typeof plans;
export const planNames = Object.keys(plans) as Plan[];
export const DEFAULT_PLAN: Plan = 'enterprise';

export const PAGE_SIZE_DEFAULT = 20;
export const PAGE_SIZE_MAX = 100;
/** The largest number of fifteen digits, which is what a query parameter may have. */
export const OFFSET_MAX = 999_999_999_999_999;

/** Of POST /emails, which carries attachments. */
export const REQUEST_BODY_BYTES = 40 * 1024 * 1024;
/** Of requests with a template or its variables: three fields of 1 MiB, each character escaped as six. */
export const TEMPLATE_BODY_BYTES = 20 * 1024 * 1024;
/** Of every other request with a JSON body. */
export const SMALL_BODY_BYTES = 4 * 1024 * 1024;
/** How many values a JSON body may hold in all, and how deep they may be nested. No request that makes sense comes near. */
export const JSON_VALUES_MAX = 10_000;
export const JSON_DEPTH_MAX = 64;
/** How many refused fields one answer names: one for each recipient. */
export const ERROR_DETAILS_MAX = 1_000;

export const ATTACHMENTS_BYTES = 25 * 1024 * 1024;
export const RECIPIENTS_MAX = 1_000;
export const TAGS_MAX = 50;
export const TAG_CHARACTERS = 256;
/** RFC 5322 section 2.1.1: a line is at most 998 characters without its CRLF. */
export const SUBJECT_CHARACTERS = 998;
/** RFC 5321 section 4.5.3.1.3: a path is at most 256 octets, its angle brackets included. */
export const ADDRESS_CHARACTERS = 254;
export const DISPLAY_NAME_CHARACTERS = 256;
/** Of an address with its name, brackets and blanks. */
export const ADDRESS_INPUT_CHARACTERS = 1_024;
export const SCHEDULE_AHEAD_MS = 366 * DAY_MS;

export const TEMPLATE_NAME_CHARACTERS = 255;
/** In UTF-8, of each of `subject`, `html` and `text`. */
export const TEMPLATE_CONTENT_BYTES = 1024 * 1024;

/** In UTF-8, of each of `html` and `text` once its placeholders are filled. */
export const RENDERED_CONTENT_BYTES = 8 * 1024 * 1024;

export const API_KEY_NAME_CHARACTERS = 255;
/** Requests per minute that a key may be given. */
export const KEY_RATE_LIMIT_MAX = 1_000_000;
export const WEBHOOK_URL_CHARACTERS = 2_048;
export const WEBHOOK_SECRET_CHARACTERS = 256;

/** Characters of a user agent that an open or a click records. */
export const USER_AGENT_CHARACTERS = 512;

/** Bytes of a webhook receiver's response that are read. */
export const WEBHOOK_RESPONSE_BYTES = 64 * 1024;
/** Time that a webhook receiver has to respond, and delays between retries. */
export const WEBHOOK_TIMEOUT_MS = 30_000;
export const WEBHOOK_RETRY_MS = [5_000, 30_000, 120_000] as const;

/** How many entries `by_date` may have before the range is refused. Decision 28. */
export const ANALYTICS_PERIODS_MAX = 1_000;
export const ANALYTICS_DEFAULT_DAYS = 30;

/** How large the files of an archive may be together, unless the caller allows more. */
export const IMPORT_BYTES_DEFAULT = 8 * 1024 ** 3;
/** What a caller can allow at most; a server that keeps everything in memory takes less. */
export const IMPORT_BYTES_MAX = 64 * 1024 ** 3;
export const IMPORT_BYTES_MAX_IN_MEMORY = 1024 ** 3;

/** How many mails a rule for their outcome may hold for. */
export const RULE_TIMES_MAX = 1_000_000;
/** How many requests of the log one call answers. */
export const LOGGED_REQUESTS_MAX = 1_000;
export const LOGGED_REQUESTS_DEFAULT = 50;

/** How many requests the log keeps; the oldest make room. */
export const REQUESTS_KEPT = 10_000;
