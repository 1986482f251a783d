import { nearMissLines } from '../../../client/checks/near-misses.js';
import type { CapturedEmail, NearMiss } from '../../../contract/control/captured-email.js';
import type { WaitRequest, WaitResult } from '../../../contract/control/wait.js';
import type { ErrorDetail } from '../../../contract/vocabulary/errors.js';
import { formatDuration } from '../../../contract/vocabulary/parsers/duration.js';
import { readSince } from '../../../contract/vocabulary/parsers/since.js';
import { plural } from '../../output/plural.js';
import { quoted } from '../../output/text.js';

/** A wait that failed, for people and for scripts. */
export interface WaitFailure {
  message: string;
  hint: string | undefined;
  /** The emails that match, and those that almost did. */
  lines: string[];
  /** The same emails for --json, by ID. */
  details: ErrorDetail[];
}

type Request = WaitRequest & { timeout_ms: number };

export function waitFailure(request: Request, { emails, total, near_misses: misses }: WaitResult): WaitFailure {
  const matching = emails.map(({ id, recipients, subject }) => `${id} to ${listOf(recipients)}: ${quoted(subject)}`);
  const more = total > emails.length ? [`and ${total - emails.length} more`] : [];
  return {
    message: messageOf(request, total),
    hint: emails.length + misses.length === 0 ? windowHint(request.since ?? '') : undefined,
    lines: [
      ...(matching.length > 0 ? ['Emails that match:', ...indented([...matching, ...more])] : []),
      ...(misses.length > 0
        ? ['Emails that do not match, the closest first:', ...indented(nearMissLines(misses))]
        : []),
    ],
    details: [...emails.map(({ id }) => ({ path: id, message: 'matches' })), ...misses.map(detailOf)],
  };
}

function messageOf(request: Request, total: number): string {
  const { query, min = 1, max, absent, timeout_ms } = request;
  const condition = query === '' ? '' : `: ${query}`;
  if (absent) return `${plural(total, 'email')} matched, and none is expected${condition}`;
  const within = `within ${formatDuration(timeout_ms)}`;
  if (total === 0) return `No email matched ${within}${condition}`;
  const expected = max === undefined || max === min ? String(min) : `${min} to ${max}`;
  return `${plural(total, 'email')} matched ${within}, and ${expected} ${expected === '1' ? 'is' : 'are'} expected${condition}`;
}

/** An email before the window is the usual reason that none arrived in it. */
function windowHint(since: string): string {
  const kind = readSince(since)?.kind;
  if (kind === 'start') return 'No email arrived since the server started.';
  const window = kind === 'now' ? 'during the wait' : kind === 'duration' ? `in the last ${since}` : `since ${since}`;
  return `No email arrived ${window}. To include earlier ones, pass --since start.`;
}

function listOf(recipients: CapturedEmail['recipients']): string {
  const [first, ...others] = recipients;
  const rest = others.length > 0 ? ` and ${plural(others.length, 'other')}` : '';
  return `${first?.address ?? 'no one'}${rest}`;
}

function detailOf({ id, failed }: NearMiss): ErrorDetail {
  return { path: id, message: failed.map(({ condition, actual }) => `${condition}: found ${actual}`).join('; ') };
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
