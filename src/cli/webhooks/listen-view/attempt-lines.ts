import { indented } from '../../../contract/vocabulary/helpers/indent-json.js';
import { diagnoseAttempt, succeeded } from '../../../contract/vocabulary/webhooks/diagnose-attempt.js';
import { wrapLine } from '../../output/display-width.js';
import { localTimeOfDay } from '../../output/local-time.js';
import { oneLine, safeText } from '../../output/text.js';
import { describeExchange, describeNext } from '../attempt-output.js';
import type { ListenAttempt } from '../listen/source.js';

/** Formats attempts as lines for a terminal. */

/** Minimum widths to show the duration, and the time of the next attempt. */
const WIDTH_FOR_MS = 66;
const WIDTH_FOR_NEXT = 52;

/** Formats an attempt as one row. A narrow terminal omits parts of it. */
export function attemptRow(report: ListenAttempt, width: number): string {
  const { at, type, status, duration_ms, attempt, max_attempts, next_attempt_at } = report;
  return [
    localTimeOfDay(at),
    oneLine(type).padEnd(16),
    (status === null ? 'failed' : String(status)).padEnd(6),
    ...(width >= WIDTH_FOR_MS ? [`${duration_ms} ms`.padStart(8)] : []),
    `${attempt}/${max_attempts}`,
    ...(width >= WIDTH_FOR_NEXT && next_attempt_at !== null ? [`next ${localTimeOfDay(next_attempt_at)}`] : []),
  ].join(width >= WIDTH_FOR_NEXT ? '  ' : ' ');
}

/**
 * Describes an attempt: the cause of a failure, payload, headers and response. If it is the newest of its delivery, also
 * the next attempt.
 */
export function attemptText(report: ListenAttempt, { newest = true } = {}): string {
  const why = succeeded(report)
    ? []
    : [
        `${report.error === null ? '' : `${oneLine(report.error)}: `}${oneLine(diagnoseAttempt(report))}`,
        ...(newest ? [describeNext(report)] : []),
        '',
      ];
  const exchange = describeExchange({ ...report, payload: indented(report.payload) });
  return [...why, safeText(exchange).trimEnd()].join('\n');
}

/** Returns the description of an attempt, wrapped to the width. */
export function detailLines(report: ListenAttempt, width: number): string[] {
  return attemptText(report)
    .split('\n')
    .flatMap((line) => wrapLine(line, width));
}
