import type { AttemptReport } from '../contract/delivery-control.js';
import { UsageError } from './exit-codes.js';
import type { ListenLine } from './listen-session.js';
import { oneLine, safeText } from './text.js';

/** What `svc webhooks listen` reads and prints. */

/** The URL that --forward-to means: a whole one, `host:port/path`, or `:port/path` and `port/path` on this machine. */
export function forwardUrl(value: string, flag = '--forward-to'): string {
  const text = value.trim();
  const full = /^https?:\/\//i.test(text)
    ? text
    : `http://${/^:?\d+(?:[/?]|$)/.test(text) ? `localhost:${text.replace(/^:/, '')}` : text}`;
  if (!URL.canParse(full))
    throw new UsageError(`${flag} must be a URL such as http://localhost:3000/hooks, not ${JSON.stringify(value)}.`);
  return full;
}

const EXCERPT_CHARACTERS = 200;

/** One attempt on one line; a failed one with the start of the response and what to look at. */
export function describeAttempt(report: AttemptReport): string {
  const outcome = report.status === null ? 'failed' : String(report.status);
  const line = [
    report.at.slice(11, 19),
    report.type.padEnd(17),
    outcome.padEnd(6),
    `${report.duration_ms} ms`.padStart(8),
    `attempt ${report.attempt}/${report.of}`,
    report.event_id,
  ].join('  ');
  return `${line}\n${succeeded(report) ? '' : explain(report)}`;
}

/** A line of `webhooks listen`. */
export function describeLine(line: ListenLine, baseUrl: string): string {
  switch (line.event) {
    case 'ready':
      return `ready: forwarding to ${line.url}\nsigning secret: ${line.secret}\n`;
    case 'attempt':
      return describeAttempt(line);
    case 'lost':
      return `lost ${baseUrl}: ${oneLine(line.reason)}; trying again\n`;
    case 'reconnected':
      return 'connected again\n';
  }
}

/** Only 2xx counts (decision 22). */
export function succeeded({ status }: Pick<AttemptReport, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** All that went over the wire, both ways. */
export function describeExchange(report: AttemptReport): string {
  const headers = (all: Record<string, string>) =>
    Object.entries(all)
      .map(([name, value]) => `${oneLine(name)}: ${oneLine(value)}\n`)
      .join('');
  const response =
    report.status === null
      ? ''
      : `\n${report.status}\n${headers(report.response_headers)}\n${safeText(report.response_body)}\n`;
  return `POST ${oneLine(report.url)}\n${headers(report.request_headers)}\n${safeText(report.payload)}\n${response}`;
}

function explain({ error, status, response_body, next_attempt_at, url }: AttemptReport): string {
  const lines: string[] = [];
  if (error !== null)
    lines.push(`${oneLine(error)}${/ECONNREFUSED/.test(error) ? `: does your server listen at ${url}?` : ''}`);
  else if (status !== null && status >= 300 && status < 400)
    lines.push('A redirect counts as a failure; forward to where it leads.');
  if (response_body) lines.push(oneLine(response_body.slice(0, EXCERPT_CHARACTERS)));
  lines.push(next_attempt_at === null ? 'No further attempt.' : `Next attempt at ${next_attempt_at.slice(11, 19)}.`);
  return lines.map((line) => `          ${line}\n`).join('');
}
