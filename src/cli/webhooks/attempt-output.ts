import type { DeliverySummary } from '../../contract/control/webhooks.js';
import { diagnoseAttempt, isSigned, succeeded } from '../../contract/vocabulary/webhooks/attempts.js';
import type { Printable } from '../output/color.js';
import { fieldLines } from '../output/fields.js';
import { localTime, localTimeOfDay } from '../output/local-time.js';
import { oneLine, safeText } from '../output/text.js';
import type { ListenAttempt, ListenLine, ListenReady } from './listen/source.js';

/** Formats webhook attempts, for `svc webhooks listen` and `svc webhooks deliveries ID`. */

const EXCERPT_CHARACTERS = 200;

/**
 * Describes an attempt in one line. A failed attempt also gets its cause, the start of the response and, if it is the
 * newest of its delivery, the next attempt.
 */
export function describeAttempt(report: ListenAttempt, { newest = true } = {}): string {
  const outcome = report.status === null ? 'failed' : String(report.status);
  const line = [
    localTimeOfDay(report.at),
    oneLine(report.type).padEnd(17),
    outcome.padEnd(6),
    `${report.duration_ms} ms`.padStart(8),
    `attempt ${report.attempt}/${report.max_attempts}`,
    oneLine(report.event_id),
    ...(report.fault === null ? [] : ['injected']),
  ].join('  ');
  return `${line}\n${succeeded(report) ? '' : explain(report, newest)}`;
}

/** Formats a line of `svc webhooks listen`. */
export function describeLine(line: ListenLine, baseUrl: string): string {
  switch (line.event) {
    case 'ready':
      return describeReady(line);
    case 'attempt':
      return describeAttempt(line);
    case 'lost':
      return `disconnected from ${baseUrl}: ${oneLine(line.reason)}; reconnecting\n`;
    case 'reconnected':
      return 'reconnected\n';
    case 'missed':
      return `skipped ${line.count} attempts because the output was read too slowly; to see them, run: svc webhooks deliveries\n`;
    case 'refused':
      return `${localTimeOfDay(line.at)}  rejected: ${oneLine(line.reason)}; responded 401\n`;
  }
}

/** Formats every attempt of a delivery, or when the first one is due. */
export function describeAttempts(delivery: DeliverySummary & { log: readonly ListenAttempt[] }): Printable {
  const { log, url, state, next_attempt_at } = delivery;
  if (log.length === 0) {
    const first = next_attempt_at === null ? 'none' : `under way, or due at ${localTime(next_attempt_at)}`;
    return fieldLines({ url, state, 'first attempt': first });
  }
  return log
    .map((attempt, index) => describeAttempt(attempt, { newest: index === log.length - 1 }) + describeExchange(attempt))
    .join('\n');
}

/** Formats the request and the response of an attempt. */
export function describeExchange(report: ListenAttempt): string {
  const headers = (all: Record<string, string>) =>
    Object.entries(all)
      .map(([name, value]) => `${oneLine(name)}: ${oneLine(value)}\n`)
      .join('');
  const response =
    report.status === null
      ? ''
      : `\n${report.status}\n${headers(report.response_headers)}\n${safeText(report.response_body)}\n`;
  return `POST ${oneLine(report.url)}${isSigned(report) ? '' : ' (unsigned)'}\n${headers(report.request_headers)}\n${safeText(report.payload)}\n${response}`;
}

function describeReady({ url, secret, public_url, receiver }: ListenReady): string {
  const route = public_url === undefined ? '' : `receiving on ${receiver}, through ${oneLine(public_url)}\n`;
  return `ready: forwarding to ${url}\n${route}signing secret: ${secret}\n`;
}

/** Describes the next attempt after a failed one, if it is known. */
export function describeNext({ next_attempt_at, delivery_id, attempt, max_attempts }: ListenAttempt): string {
  if (next_attempt_at !== null) return `Next attempt at ${localTime(next_attempt_at)}.`;
  return delivery_id === null && attempt < max_attempts ? 'The service decides when to retry.' : 'No more attempts.';
}

function explain(report: ListenAttempt, newest: boolean): string {
  const { error, response_body } = report;
  const reason = error === null ? '' : `${oneLine(error)}: `;
  const excerpt = oneLine(response_body.slice(0, EXCERPT_CHARACTERS)).trim();
  const lines = [
    `${reason}${oneLine(diagnoseAttempt(report))}`,
    ...(excerpt ? [excerpt] : []),
    ...(newest ? [describeNext(report)] : []),
  ];
  return lines.map((line) => `          ${line}\n`).join('');
}
