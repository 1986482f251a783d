import type { LoggedRequest } from '../../../contract/control/logs.js';
import type { Webhook } from '../../../contract/service/webhooks.js';
import type { Printable } from '../color.js';
import { fieldLines } from '../fields.js';
import { localTime } from '../local-time.js';
import type { Column } from '../table.js';
import { oneLine } from '../text.js';
import { warningLine } from './warning-report.js';

/** Formats the requests of the log. */

export const REQUEST_COLUMNS: Column[] = [
  { title: 'TIME', rank: 4, kind: 'time' },
  { title: 'STATUS', rank: 1, kind: 'status' },
  { title: 'METHOD', rank: 2 },
  { title: 'PATH', rank: 3 },
  { title: 'MS', rank: 6, kind: 'number' },
  { title: 'KEY', rank: 7, kind: 'id' },
  { title: 'NOTES', rank: 5 },
];

export function requestRow(request: LoggedRequest): string[] {
  const { created_at, status, method, path, ms, key_id } = request;
  return [created_at, String(status), method, path, ms.toFixed(1), key_id ?? '-', notesOf(request)];
}

/** Formats a request: `2026-11-21T15:03:22+01:00  201  POST    /v1/emails  3.2 ms  tagz: is not a field [unknown_field]`. */
export function lineOfRequest(request: LoggedRequest): string {
  const { created_at, status, method, path, ms } = request;
  const cells = [localTime(created_at), status, method.padEnd(6), oneLine(path), `${ms.toFixed(1)} ms`];
  return `${[...cells, oneLine(notesOf(request))].filter((cell) => cell !== '').join('  ')}\n`;
}

/** Returns the error and the warnings of a request. */
export function notesOf(request: LoggedRequest): string {
  return [errorText(request) ?? [], request.warnings.map(warningLine)].flat().join('; ');
}

/** Formats the error of a request: `validation_error: html: is required`. */
export function errorText({ error_code, error_message }: LoggedRequest): string | null {
  return error_code && error_message ? `${error_code}: ${error_message}` : error_code;
}

interface Shown {
  /** Whether requests are signed; undefined if the server does not report it. */
  signed: boolean | undefined;
  /** The secret to show, because it was generated just now. */
  secret?: string | undefined;
}

export function describeWebhook(
  { id, url, events, active, created_at }: Webhook,
  { signed, secret }: Shown,
): Printable {
  return fieldLines({
    id,
    url,
    events: events.join(', '),
    // Another service may not say it.
    active: ({ true: 'yes', false: 'no' } as Record<string, string>)[String(active)],
    created: localTime(created_at),
    requests: signing(signed),
    secret,
  });
}

/** Returns "signed" or "unsigned"; empty if it is unknown. */
function signing(signed: boolean | undefined): string {
  if (signed === undefined) return '';
  return signed ? 'signed' : 'unsigned';
}
