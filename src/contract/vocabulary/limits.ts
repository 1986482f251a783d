/** Defines every limit of the service. Specification: Limits; gaps 7, 8, 32, 34 to 36. */

export const MEBIBYTE = 1024 * 1024;

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** Requests per minute and emails per month by plan. `null` means unlimited. */
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
/** The largest value of a query parameter: a number of fifteen digits. */
export const OFFSET_MAX = 999_999_999_999_999;

/** Maximum body of POST /emails, which includes attachments. */
export const REQUEST_BODY_BYTES = 40 * MEBIBYTE;
/** Maximum body of requests with a template or its variables: three fields of 1 MiB, each character escaped as six. */
export const TEMPLATE_BODY_BYTES = 20 * MEBIBYTE;
/** Maximum body of other requests with JSON. */
export const SMALL_BODY_BYTES = 4 * MEBIBYTE;
/** Maximum number of values in a JSON body, and its maximum depth. Valid requests stay far below both. */
export const JSON_VALUES_MAX = 10_000;
export const JSON_DEPTH_MAX = 64;
/** Maximum number of invalid fields that one response lists: one for each recipient. */
export const ERROR_DETAILS_MAX = 1_000;

export const ATTACHMENTS_BYTES = 25 * MEBIBYTE;
export const RECIPIENTS_MAX = 1_000;
export const TAGS_MAX = 50;
export const TAG_CHARACTERS = 256;
/** Milliseconds in which a deletion can be undone. */
export const DELETION_UNDO_MS = 10_000;
/** Number of senders and of tags whose emails the control API counts. */
export const COUNTED_VALUES_MAX = 50;
/** RFC 5322 section 2.1.1: a line has at most 998 characters without its CRLF. */
export const SUBJECT_CHARACTERS = 998;
/** RFC 5321 section 4.5.3.1.1. */
export const LOCAL_PART_BYTES = 64;
/** RFC 5321 section 4.5.3.1.3: a path has at most 256 octets, including its angle brackets. */
export const ADDRESS_BYTES = 254;
/** Maximum characters of a captured mailbox: more than an address can have. */
export const MAILBOX_CHARACTERS = 512;
export const DISPLAY_NAME_CHARACTERS = 256;
/** Maximum characters of an address with a display name, brackets and spaces. */
export const ADDRESS_INPUT_CHARACTERS = 1_024;
export const SCHEDULE_AHEAD_DAYS = 365;
/** Maximum UTF-8 bytes of an attachment's file name, as in most file systems. */
export const FILE_NAME_BYTES = 255;

export const TEMPLATE_NAME_CHARACTERS = 255;
/** Maximum size of each of `subject`, `html` and `text`, in UTF-8. */
export const TEMPLATE_CONTENT_BYTES = 1 * MEBIBYTE;

/** Maximum size of each of `html` and `text` after rendering, in UTF-8. */
export const RENDERED_CONTENT_BYTES = 8 * MEBIBYTE;

export const API_KEY_NAME_CHARACTERS = 255;
/** Maximum requests per minute that can be configured for an API key. */
export const KEY_RATE_LIMIT_MAX = 1_000_000;
export const WEBHOOK_URL_CHARACTERS = 2_048;
export const WEBHOOK_SECRET_CHARACTERS = 256;

/** Maximum characters of a user agent in an open or click event, and in the request log. */
export const USER_AGENT_CHARACTERS = 512;

/** Maximum bytes to read of a webhook receiver's response. */
export const WEBHOOK_RESPONSE_BYTES = 64 * 1024;
/** Time from sending an email to the first step of its outcome, unless that step has a delay of its own. Gap 42. */
export const DELIVERY_DELAY = '200ms';
/** Milliseconds that a webhook receiver has to respond. */
export const WEBHOOK_TIMEOUT_MS = 30_000;

/** Maximum number of entries in `by_date`. A longer range is rejected. Gap 28. */
export const ANALYTICS_PERIODS_MAX = 1_000;
export const ANALYTICS_DEFAULT_DAYS = 30;

/** Maximum total size of an archive's files, unless the caller requests another. */
export const IMPORT_BYTES_DEFAULT = 8 * 1024 ** 3;
/** The largest such limit that a caller can request. A server that stores its data in memory has a lower one. */
export const IMPORT_BYTES_MAX = 64 * 1024 ** 3;
export const IMPORT_BYTES_MAX_IN_MEMORY = 1024 ** 3;

/** Sizes that svc accepts and announces, because providers commonly refuse them. Gaps 34 and 35. */
export const COMMON_RECIPIENTS_MAX = 50;
export const COMMON_ATTACHMENTS_BYTES = 10 * MEBIBYTE;
export const COMMON_HTML_BYTES = 1 * MEBIBYTE;
export const COMMON_SCHEDULE_AHEAD_MS = 30 * DAY_MS;
/** Maximum number of warnings that one response announces. */
export const WARNINGS_MAX = 20;

/** Maximum number of emails that one rule can apply to. */
export const RULE_TIMES_MAX = 1_000_000;
/** Maximum number of logged requests in one response. */
export const LOGGED_REQUESTS_MAX = 1_000;
export const LOGGED_REQUESTS_DEFAULT = 50;

/** Maximum number of invalid fields that the log keeps of a request, and maximum characters of each of its texts. */
export const LOGGED_DETAILS_MAX = 5;
export const LOGGED_ERROR_CHARACTERS = 300;

/** Maximum number of IDs in one request that deletes emails or marks them as read. */
export const SELECTED_IDS_MAX = 5_000;
/** Largest number of emails for --keep, and shortest age for --max-age. */
export const KEEP_MAX = 1_000_000_000;
export const MAX_AGE_MIN_MS = 1_000;

/** Number of events without a stored email that the log keeps, the newest. */
export const OTHER_EVENTS_KEPT = 10_000;
/** Number of an application's requests that the log keeps, the newest. */
export const REQUESTS_KEPT = 10_000;
/** Number of the reads of svc's own commands that the log keeps, the newest. */
export const OWN_READS_KEPT = 1_000;

/** Number of entries that the audit log keeps, the newest. */
export const AUDIT_ENTRIES_KEPT = 10_000;

/** Number of SMTP sessions without failures that the log keeps, the newest, and of failed ones in addition. */
export const SMTP_SESSIONS_KEPT = 1_000;
/** Maximum bytes of each of both. */
export const SMTP_SESSIONS_BYTES = 16 * MEBIBYTE;
/** Bytes of a refused or broken message that its session keeps. */
export const SMTP_RECEIVED_BYTES = 8 * 1024;

/** Milliseconds that a wait for emails takes by default, and at most. */
export const WAIT_TIMEOUT_MS = 10_000;
export const WAIT_MAX_MS = 3_600_000;
/** How far a wait looks back by default. */
export const WAIT_SINCE_DEFAULT = '60s';
/** Maximum number of emails that a wait reports because they almost matched. */
export const NEAR_MISSES_MAX = 10;
/** Maximum number of matching emails that a wait reports if their number is not the expected one. */
export const UNEXPECTED_MAX = 10;

/** Bytes of HTML that Gmail shows: 102 KiB. It cuts the rest. */
export const GMAIL_HTML_BYTES = 102 * 1024;
/** Width of a picture in CSS pixels. */
export const PICTURE_WIDTH = { min: 100, max: 4_000 } as const;

/** The largest TCP port. */
export const PORT_MAX = 65_535;

/** Maximum time that a workspace exists which a key has created that only creates workspaces. */
export const CREATOR_TTL_MAX_MS = 24 * 60 * MINUTE_MS;

/**
 * Milliseconds from each failed attempt of a webhook delivery to the next; each adds an attempt. Specification: Delivery
 * rules; gap 23.
 */
export const WEBHOOK_RETRY_MS = [5_000, 30_000, 120_000] as const;
