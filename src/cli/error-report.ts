import { ApiFailure, UnreachableError } from '../client/failures.js';
import type { ErrorDetail } from '../contract/errors.js';
import { CommandError, exitCodeOf, exitCodes, UsageError } from './exit-codes.js';
import { oneLine } from './text.js';

/** The error object of --json, on stderr. */
export interface ErrorReport {
  code: string;
  message: string;
  status: number | null;
  details: readonly ErrorDetail[];
  hint: string | null;
  request_id: string | null;
}

export function reportError(error: unknown, topic = 'svc'): ErrorReport {
  if (error instanceof ApiFailure) {
    const { code, message, status, details = [], hint = null, requestId = null } = error;
    return { code, message, status, details, hint, request_id: requestId };
  }
  const report = (code: string, message: string, hint: string | null): ErrorReport => ({
    code,
    message,
    status: null,
    details: [],
    hint,
    request_id: null,
  });
  if (error instanceof UnreachableError) {
    return report(
      'unreachable',
      error.message,
      'Start a local server with "svc dev", or check --base-url and SVC_BASE_URL.',
    );
  }
  if (error instanceof UsageError) return report('usage_error', error.message, error.hint ?? null);
  if (error instanceof CommandError) return report('command_failed', error.message, error.hint ?? null);
  if (exitCodeOf(error) === exitCodes.usage) {
    const [message = ''] = (error as Error).message.split('\nSee more help with');
    return report('usage_error', message.replace(/\s*\n\s*/g, ' ').trim(), `Run "${topic} --help".`);
  }
  return report('command_failed', (error as Error).message ?? String(error), null);
}

export function renderError(report: ErrorReport): string {
  const lines = [`Error: ${oneLine(report.message)}`];
  if (report.details.length > 1) {
    for (const { path, message } of report.details) lines.push(`  ${oneLine(path)}: ${oneLine(message)}`);
  }
  if (report.hint) lines.push(oneLine(report.hint));
  if (report.request_id) lines.push(`Request: ${oneLine(report.request_id)}`);
  return `${lines.join('\n')}\n`;
}
