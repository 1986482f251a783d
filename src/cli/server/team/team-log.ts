import { destination, type Logger, pino, stdTimeFunctions } from 'pino';
import type { App, AppOptions } from '../../../app/app.js';

/**
 * Logs what a server for a team does: one JSON object a line, on stderr. Lines have no addresses of emails, no contents
 * and no secrets.
 */

export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

/** Bytes that wait for a slow reader. Lines beyond them are dropped: they must not delay email. */
const WAITING_MAX = 8 * 1024 ** 2;
const STDERR = 2;
/** Paths that supervisors call all the time. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

type RequestLine = Parameters<NonNullable<AppOptions['onRequest']>>[0];
type AttemptLine = Parameters<NonNullable<AppOptions['onAttempt']>>[0];
type SmtpSession = Parameters<NonNullable<AppOptions['onSmtpSession']>>[0];
type Warning = Parameters<Parameters<App['onWarning']>[0]>[0];

export class TeamLog {
  readonly #log: Logger;
  readonly #stream = destination({ fd: STDERR, sync: false, maxLength: WAITING_MAX });
  /** Settles when the stream is closed, or its reader has gone. */
  readonly #ended: Promise<unknown>;

  constructor(level: LogLevel) {
    const formatters = { level: (label: string) => ({ level: label }) };
    this.#log = pino({ level, timestamp: stdTimeFunctions.isoTime, formatters }, this.#stream);
    this.#ended = new Promise((resolve) => {
      this.#stream.once('close', resolve);
      this.#stream.once('error', resolve);
    });
  }

  readonly request = (line: RequestLine): void => {
    if (line.status >= 500 && !PROBES.has(line.path)) this.#log.error(line, 'request');
    else if (PROBES.has(line.path)) this.#log.debug(line, 'request');
    else this.#log.info(line, 'request');
  };

  readonly attempt = (line: AttemptLine): void => this.#log.info(line, 'webhook attempt');

  readonly smtpSession = (session: SmtpSession): void => {
    if (!this.#log.isLevelEnabled('info')) return;
    const { id, ms, client, tls, ending, accepted, transactions } = session.describe();
    const email_ids = transactions.flatMap(({ emailId }) => emailId ?? []);
    const line = { session_id: id, client: client.address, tls: tls?.version ?? null, accepted, email_ids, ending, ms };
    this.#log.info({ ...line, failed: session.failed }, 'smtp session');
  };

  /** Logs a warning about a request or message without its text, which may contain addresses. */
  readonly warning = ({ warning: { code, path }, first }: Warning): void => {
    const { route, requestId, emailId } = first;
    this.#log.warn({ code, field: path, route, request_id: requestId, email_id: emailId }, 'warning');
  };

  /** Logs a fault. Those that the machine causes have advice instead of a stack. */
  readonly internalError = (error: unknown, requestId?: string): void => {
    const request = requestId === undefined ? {} : { request_id: requestId };
    const { advice } = (error ?? {}) as { advice?: string };
    if (advice !== undefined) this.#log.error({ ...request, advice }, (error as Error).message);
    else if (error instanceof Error) this.#log.error({ ...request, err: error }, 'internal error');
    else this.#log.error(request, String(error));
  };

  readonly notice = (text: string): void => this.#log.warn(text);

  info(text: string, facts: object = {}): void {
    this.#log.info(facts, text);
  }

  error(text: string, facts: object = {}): void {
    this.#log.error(facts, text);
  }

  /** Writes the lines that wait. Not with flushSync, which repeats a write to a closed pipe for ever. */
  async end(): Promise<void> {
    this.#stream.end();
    await this.#ended;
  }
}
