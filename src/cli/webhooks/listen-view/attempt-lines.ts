import { wrapLine } from '../../output/display-width.js';
import { oneLine, safeText } from '../../output/text.js';
import { describeExchange, describeNext, succeeded } from '../attempt-output.js';
import { diagnoseAttempt } from '../diagnose-attempt.js';
import type { ListenAttempt } from '../listen/source.js';
import { indented } from './indent-json.js';

/** Attempts as lines of a terminal. */

/** Below this width the milliseconds go, and below the next one when it is tried again. */
const WIDTH_FOR_MS = 66;
const WIDTH_FOR_NEXT = 52;

/** One row; what a narrow terminal has no room for is left out. */
export function attemptRow(report: ListenAttempt, width: number): string {
  const { at, type, status, duration_ms, attempt, max_attempts, next_attempt_at } = report;
  return [
    at.slice(11, 19),
    oneLine(type).padEnd(16),
    (status === null ? 'failed' : String(status)).padEnd(6),
    ...(width >= WIDTH_FOR_MS ? [`${duration_ms} ms`.padStart(8)] : []),
    `${attempt}/${max_attempts}`,
    ...(width >= WIDTH_FOR_NEXT && next_attempt_at !== null ? [`next ${next_attempt_at.slice(11, 19)}`] : []),
  ].join(width >= WIDTH_FOR_NEXT ? '  ' : ' ');
}

/** Why an attempt failed, then payload, headers and response. */
export function attemptText(report: ListenAttempt): string {
  const why = succeeded(report)
    ? []
    : [
        `${report.error === null ? '' : `${oneLine(report.error)}: `}${diagnoseAttempt(report)}`,
        describeNext(report),
        '',
      ];
  const exchange = describeExchange({ ...report, payload: indented(report.payload) });
  return [...why, safeText(exchange).trimEnd()].join('\n');
}

/** An attempt's text, folded to the width. */
export function detailLines(report: ListenAttempt, width: number): string[] {
  return attemptText(report)
    .split('\n')
    .flatMap((line) => wrapLine(line, width));
}
