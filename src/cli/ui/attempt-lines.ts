import { likelyCause } from '../attempt-cause.js';
import type { ListenAttempt } from '../listen-line.js';
import { describeExchange, describeNext, succeeded } from '../listen-output.js';
import { oneLine, safeText } from '../text.js';

/** Attempts as lines of a terminal. */

/** Below this width the milliseconds go, and below the next one when it is tried again. */
const WIDTH_FOR_MS = 66;
const WIDTH_FOR_NEXT = 52;

/** One row; what a narrow terminal has no room for is left out. */
export function attemptRow(report: ListenAttempt, width: number): string {
  const { at, type, status, duration_ms, attempt, of, next_attempt_at } = report;
  return [
    at.slice(11, 19),
    oneLine(type).padEnd(16),
    (status === null ? 'failed' : String(status)).padEnd(6),
    ...(width >= WIDTH_FOR_MS ? [`${duration_ms} ms`.padStart(8)] : []),
    `${attempt}/${of}`,
    ...(width >= WIDTH_FOR_NEXT && next_attempt_at !== null ? [`next ${next_attempt_at.slice(11, 19)}`] : []),
  ].join(width >= WIDTH_FOR_NEXT ? '  ' : ' ');
}

/** Payload, headers and response, folded to the width. */
export function detailLines(report: ListenAttempt, width: number): string[] {
  const why = succeeded(report)
    ? []
    : [`${report.error === null ? '' : `${oneLine(report.error)}: `}${likelyCause(report)}`, describeNext(report), ''];
  const text = describeExchange({ ...report, payload: indented(report.payload) });
  return [...why, ...safeText(text).trimEnd().split('\n')].flatMap((line) => fold(line, width));
}

function indented(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return payload;
  }
}

/** From here on, characters may be two columns wide. */
const FIRST_WIDE = 0x1100;
const TAB = '  ';

function fold(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = '';
  let columns = 0;
  for (const character of line.replaceAll('\t', TAB)) {
    const wide = (character.codePointAt(0) ?? 0) >= FIRST_WIDE ? 2 : 1;
    if (columns + wide > width) {
      lines.push(current);
      current = '';
      columns = 0;
    }
    current += character;
    columns += wide;
  }
  return [...lines, current];
}
