import {
  ApiFailure,
  isTimeoutOfAnswer,
  isUntrusted,
  NoControlError,
  otherProtocol,
  type RejectedField,
  rootOf,
  UnreachableError,
} from '../../client/failures.js';
import { CommandEndedError } from '../../client/time-limit.js';
import { IncompleteAnswerError, UnconfirmedError } from '../../client/writes.js';
import { isLoopback } from '../../contract/vocabulary/domains.js';
import { hintRefersToDetails, ServiceError } from '../../contract/vocabulary/errors.js';
import { maskSecrets } from '../../contract/vocabulary/secrets.js';
import { displayWidth, shorten } from '../output/display-width.js';
import { excerpt, oneLine, safeJson } from '../output/text.js';
import {
  AssertionFailedError,
  CommandError,
  exitCodeOf,
  exitCodes,
  NotFoundError,
  QueryUsageError,
  UsageError,
} from './exit-codes.js';
import { startAdvice } from './fs-errors.js';
import { type DeclaredArgs, usageMessage } from './oclif-messages.js';

/** The error object that --json prints on stderr. */
interface ErrorReport {
  code: string;
  message: string;
  status: number | null;
  details: readonly RejectedField[];
  hint: string | null;
  request_id: string | null;
}

/** Lines that show the position of a problem, for people. --json omits them. */
type Shown = ErrorReport & { pointer?: readonly string[] };

/**
 * Returns the report of an error, with API keys and webhook secrets removed. `hint` replaces the advice to read the
 * help, for an invalid command line. `declared` are the command's arguments.
 */
export function reportError(
  error: unknown,
  topic = 'svc',
  hint = `Run "${topic} --help".`,
  declared: DeclaredArgs = {},
): Shown {
  const report = describe(error, topic, hint, declared);
  const details = report.details.map(({ path, message, flag }) => ({
    path: maskSecrets(path),
    message: maskSecrets(message),
    ...(flag !== undefined && { flag }),
  }));
  return {
    ...report,
    message: maskSecrets(report.message).replace(/\S+/g, (word) => (word.length < LONG_WORD ? word : excerpt(word))),
    details,
    hint: report.hint && maskSecrets(report.hint),
  };
}

const TO_TRUST =
  'If its certificate is from a CA of your own, set NODE_EXTRA_CA_CERTS to the PEM file with that CA’s certificate.';
/** Other advice, by the error of Node.js for the certificate. */
const FOR_CERTIFICATE: Record<string, string> = {
  ERR_TLS_CERT_ALTNAME_INVALID:
    'The certificate is for other names. Use one of them in the base URL, or give the server a certificate for this one.',
  CERT_HAS_EXPIRED: 'The certificate of the server has expired. Renew it, or check the clock of this machine.',
  CERT_NOT_YET_VALID:
    'The certificate of the server is not valid yet. Check the clocks of this machine and the server.',
};
const START_OR_CHECK = 'Start the local server with "svc dev", or check --base-url and SVC_BASE_URL.';
const WAIT_LONGER =
  'The server accepted the connection, and did not answer in time. Pass a longer --timeout, or check the server.';
const CHECK_ADDRESS = 'Check the connection and the address: --base-url, SVC_BASE_URL or the profile.';

function adviceForUnreachable(error: UnreachableError): string {
  const { baseUrl, cause } = error;
  if (isUntrusted(error)) return FOR_CERTIFICATE[rootOf(cause)?.code ?? ''] ?? TO_TRUST;
  if (isTimeoutOfAnswer(cause)) return WAIT_LONGER;
  const other = otherProtocol(error);
  const tryOther = other
    ? `Try ${baseUrl.replace(/^https?/, other)}${other === 'https' ? ', if that port has TLS' : ''}. `
    : '';
  if (!URL.canParse(baseUrl) || !isLoopback(new URL(baseUrl).hostname)) return tryOther + CHECK_ADDRESS;
  if (rootOf(cause)?.code !== 'ECONNREFUSED') return tryOther + START_OR_CHECK;
  return `The local server at that address is not running. ${startAdvice(baseUrl, process.env)}`;
}

/** Longer than any word of svc's own messages: the user typed it, or it is from a server. */
const LONG_WORD = 400;

function describe(error: unknown, topic: string, advice: string, declared: DeclaredArgs): Shown {
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
  if (error instanceof IncompleteAnswerError) {
    return report('incomplete_answer', error.message, 'The request succeeded. The whole answer is on stdout.');
  }
  if (error instanceof CommandEndedError) {
    if (error.signal) return report('command_failed', 'Interrupted.', null);
    return report('timeout', `Time limit reached: ${error.message}.`, null);
  }
  if (error instanceof UnconfirmedError) {
    return report('unconfirmed', `${error.message}.`, error.advice);
  }
  if (error instanceof UnreachableError) {
    return report('unreachable', `${error.message}.`, error.hint ?? adviceForUnreachable(error));
  }
  if (error instanceof NoControlError) {
    const { baseUrl, closed, flag, advice: instead } = error;
    const what = flag === undefined ? topic : `${topic} ${flag}`;
    return report(
      'usage_error',
      closed
        ? `"${what}" needs the control API, which is disabled on ${baseUrl} (--no-control).`
        : `"${what}" needs the control API of a local server, and ${baseUrl} does not have one.`,
      closed
        ? 'Restart the server without --no-control, or use another server.'
        : ['To use the local server, pass --profile local.', instead].filter(Boolean).join(' '),
    );
  }
  if (error instanceof AssertionFailedError) {
    return { ...report('assertion_failed', error.message, error.hint ?? null), details: error.details };
  }
  if (error instanceof QueryUsageError) {
    const { flag, query, position, detail } = error.problem;
    const details = [{ path: flag, message: detail }];
    // A query with a secret is not shown.
    const pointer = maskSecrets(query) === query ? pointerLines(query, position) : [];
    return { ...report('usage_error', error.message, error.hint ?? advice), details, pointer };
  }
  if (error instanceof UsageError) return report('usage_error', error.message, error.hint ?? null);
  if (error instanceof CommandError) {
    const code = error instanceof NotFoundError ? 'not_found' : 'command_failed';
    return { ...report(code, error.message, error.hint ?? null), details: error.details };
  }
  if (exitCodeOf(error) === exitCodes.usage) {
    return report('usage_error', usageMessage(error as Error, declared), advice);
  }
  if (error instanceof ServiceError) {
    const { code, message, status, details = [], hint } = error;
    return { code, message, status, details, hint, request_id: null };
  }
  return report('command_failed', (error as Error).message ?? String(error), null);
}

/** Prints an error on stderr; with `json` as one line of JSON. */
export function printError(shown: Shown, json: boolean): void {
  const { pointer: _, ...report } = shown;
  process.stderr.write(json ? `${safeJson(JSON.stringify({ error: report }))}\n` : errorText(shown));
}

/** Returns an error as people read it: the message, the details and the hint, each on a line of its own. */
export function errorText({ pointer = [], ...report }: Shown): string {
  const lines = [`Error: ${oneLine(report.message)}`, ...pointer.map((line) => `  ${line}`)];
  const [first] = report.details;
  if (report.details.length > 1 || (first && !report.message.includes(first.message))) {
    for (const { path, message, flag = path } of report.details) {
      lines.push(`  ${oneLine([flag, message].filter(Boolean).join(': '))}`);
    }
  }
  // A hint that refers to the details of the JSON form is not needed here: the lines above contain them.
  // svc's own hint may offer a choice, one a line.
  const hints = report.status === null ? report.hint?.split('\n') : [report.hint ?? ''];
  if (report.hint && !hintRefersToDetails(report)) lines.push(...(hints ?? []).map(oneLine));
  if (report.request_id) lines.push(`Request: ${oneLine(report.request_id)}`);
  return `${lines.join('\n')}\n`;
}

const BEFORE_COLUMNS = 50;
const COLUMNS = 76;

/** Returns the part of a query around a position on one line, and a line with a caret under the position. */
function pointerLines(query: string, position: number): [text: string, caret: string] {
  const before = oneLine(query.slice(0, position));
  const isCut = displayWidth(before) > BEFORE_COLUMNS;
  const characters = [...before].slice(-BEFORE_COLUMNS);
  while (displayWidth(characters.join('')) > BEFORE_COLUMNS) characters.shift();
  const start = (isCut ? '…' : '') + characters.join('');
  return [shorten(start + oneLine(query.slice(position)), COLUMNS), `${' '.repeat(displayWidth(start))}^`];
}
