import {
  type ServiceWarning,
  type WarningCode,
  type WarningLevel,
  warningForms,
} from '../../contract/vocabulary/warnings.js';

/**
 * Counts the warnings since the server's start, each distinct one once. It is in memory and independent of the request
 * log, which drops its oldest requests.
 */

/** A request or message that a warning is about. */
export interface WarningOccurrence {
  /** `POST /v1/emails`, or `SMTP`. */
  route: string;
  userAgent: string | null;
  at: number;
  requestId: string | null;
  emailId: string | null;
  /** Whether a strict server refused the request or message. */
  refused: boolean;
}

/** A request that causes the warning again. */
export interface ExampleRequest {
  method: string;
  /** The path with its query. */
  path: string;
  /** The JSON body; null without one, and if it is too long even with its values shortened. */
  body: string | null;
  /** Whether the path or the body is incomplete, so that the request may not cause the warning. */
  shortened: boolean;
}

export interface TalliedWarning {
  warning: ServiceWarning;
  count: number;
  first: WarningOccurrence;
  last: WarningOccurrence;
  example: ExampleRequest | null;
}

/** Maximum number of distinct warnings. */
const DISTINCT_MAX = 1_000;

export class WarningTally {
  readonly #byKey = new Map<string, TalliedWarning>();
  readonly #listeners = new Set<(tallied: TalliedWarning) => void>();
  /** Warnings that were not listed, because there are too many distinct ones: their number, and the time of the last. */
  readonly #omitted: Record<WarningLevel, { count: number; lastAt: number }> = {
    warning: { count: 0, lastAt: 0 },
    note: { count: 0, lastAt: 0 },
    info: { count: 0, lastAt: 0 },
  };
  /** The time of the server's start. */
  since = 0;

  /** Counts a warning. `example` is called for a distinct one only. */
  record(warning: ServiceWarning, occurrence: WarningOccurrence, example: () => ExampleRequest | null): void {
    const key = keyOf(warning, occurrence);
    const known = this.#byKey.get(key);
    if (known) {
      known.count += 1;
      known.last = occurrence;
      return;
    }
    if (this.#byKey.size === DISTINCT_MAX) {
      const omitted = this.#omitted[warningForms[warning.code].level];
      omitted.count += 1;
      omitted.lastAt = occurrence.at;
      return;
    }
    const tallied = { warning, count: 1, first: occurrence, last: occurrence, example: example() };
    this.#byKey.set(key, tallied);
    for (const listener of this.#listeners) listener(tallied);
  }

  /** Returns the distinct warnings that occurred at or after an instant, in the order of their first occurrence. */
  list(since = Number.NEGATIVE_INFINITY): TalliedWarning[] {
    return [...this.#byKey.values()].filter(({ last }) => last.at >= since);
  }

  /** Returns the number of occurrences of a level that `list` omits. Like its counts, it includes earlier ones. */
  omitted(level: WarningLevel, since = Number.NEGATIVE_INFINITY): number {
    const { count, lastAt } = this.#omitted[level];
    return lastAt >= since ? count : 0;
  }

  /** Calls back with every distinct warning when it first occurs. */
  onDistinct(listener: (tallied: TalliedWarning) => void): void {
    this.#listeners.add(listener);
  }
}

/** The codes whose message names a field, a parameter or a domain. Other messages contain addresses and content. */
const BY_MESSAGE: ReadonlySet<WarningCode> = new Set(['unknown_field', 'unknown_parameter', 'unverified_domain']);

/** Warnings about different items of an array are the same, and those that differ in addresses or content. */
function keyOf({ code, path, message }: ServiceWarning, { route, userAgent, refused }: WarningOccurrence): string {
  return JSON.stringify([
    code,
    path.replace(/(?<=^|\.)\d+(?=\.|$)/g, '*'),
    BY_MESSAGE.has(code) ? message : '',
    route,
    userAgent,
    refused,
  ]);
}
