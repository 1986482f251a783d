import type { LoggedRequest } from '../../../contract/control/request-log.js';
import { localTime } from '../local-time.js';
import type { Column } from '../table.js';
import { oneLine } from '../text.js';
import { warningLine } from './warnings.js';

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
