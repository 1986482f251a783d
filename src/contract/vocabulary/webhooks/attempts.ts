import { SIGNATURE_HEADER } from '../headers.js';
import { WEBHOOK_RESPONSE_BYTES } from '../limits.js';

/** Finds the likely cause of a failed attempt, and what to check. */

/** A failed attempt, as the control API reports it. */
interface Failed {
  /** Status of the response; null if there was none. */
  status: number | null;
  error: string | null;
  /** The fault that svc injected; null for a real attempt. */
  fault: string | null;
  url: string;
  /** null for a remote service. */
  webhook_id: string | null;
  request_headers: Record<string, string>;
  response_headers: Record<string, string>;
}

interface Diagnosis {
  pattern: RegExp;
  describe: (failed: Failed) => string;
}

/** Causes by the text of an error of Node or OpenSSL. The first match applies. */
const errorCauses: Diagnosis[] = [
  {
    pattern: /--webhook-success/,
    describe: () => 'the server was started with this setting, so no other status is a success.',
  },
  {
    pattern: /ECONNREFUSED/,
    describe: ({ url }) => `no server is listening on ${new URL(url).host}; is yours running?`,
  },
  {
    pattern: /no response within|ETIMEDOUT|TimeoutError/i,
    describe: () => 'the handler is too slow; respond before doing the work.',
  },
  {
    pattern: /wrong version number|EPROTO|packet length too long|http request/i,
    describe: ({ url }) => `the port does not speak TLS; try ${url.replace(/^https:/i, 'http:')}`,
  },
  {
    pattern: /certificate|self.signed|ERR_TLS|altname/i,
    describe: () => 'its certificate is not trusted; forward to http:// on this machine instead.',
  },
  { pattern: /ENOTFOUND|EAI_AGAIN/, describe: ({ url }) => `host ${new URL(url).hostname} not found.` },
  {
    pattern: /private network|plain http to/,
    describe: () => 'forward to localhost or to a public https address, or allow the host.',
  },
  {
    pattern: /ECONNRESET|socket hang up|other side closed|UND_ERR_SOCKET|EPIPE/i,
    describe: ({ url }) =>
      url.startsWith('https:')
        ? 'the connection was closed without a response.'
        : 'the connection was closed without a response; did your server crash, or does the port expect https?',
  },
  {
    pattern: /HPE_|Parse Error|HTTPParser|Expected HTTP|Invalid header|Response does not match/i,
    describe: () => 'the response is not HTTP; is this the right port?',
  },
];

const statusCauses: [(status: number) => boolean, (failed: Failed) => string][] = [
  [
    (status) => status >= 300 && status < 400,
    ({ response_headers: { location } }) =>
      `Redirects count as failures; forward to the target${location === undefined ? '' : `: ${location}`}.`,
  ],
  [
    (status) => status === 401 || status === 403,
    (failed) =>
      isSigned(failed)
        ? 'Your handler rejected the request: does it use this webhook’s secret, and verify the raw body?'
        : `Your handler rejected the request. It is unsigned, because the webhook has no secret. ${setSecret(failed)}`,
  ],
  [
    (status) => status === 404,
    ({ url }) => {
      const { pathname } = new URL(url);
      const hint = pathname === '/' ? '; add the path to the URL' : '';
      return `Your server has no route for ${pathname}${hint}.`;
    },
  ],
  [(status) => status === 405, () => 'Your handler does not accept POST on this path.'],
  [(status) => status === 413, () => 'Your server does not accept a body of this size.'],
  [(status) => status === 415, () => 'Your handler does not accept application/json.'],
  [(status) => status === 429, () => 'Your server is rate limiting requests.'],
  [(status) => status === 400 || status === 422, () => 'Your handler rejected the body; see its response.'],
  [
    (status) => status === 502 || status === 503 || status === 504,
    () => 'Your server, or a proxy in front of it, is not ready.',
  ],
  [(status) => status >= 500, () => 'Your handler failed; see its log.'],
];

function setSecret({ webhook_id }: Failed): string {
  return `To set one, run: svc webhooks update ${webhook_id ?? 'ID'} --secret SECRET`;
}

/** Returns whether the request has a signature. */
export function isSigned({ request_headers }: Pick<Failed, 'request_headers'>): boolean {
  return Object.keys(request_headers).some((name) => name.toLowerCase() === SIGNATURE_HEADER.toLowerCase());
}

/** Returns whether a status may be a success. Only 2xx counts (gap 22). */
export function isSuccessStatus(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Returns whether an attempt succeeded. A status that a setting of the server makes a failure is an error. */
export function succeeded({ status, error }: Pick<Failed, 'status' | 'error'>): boolean {
  return error === null && isSuccessStatus(status);
}

/** Returns the diagnosis as one sentence. It may contain text of the response. */
export function diagnoseAttempt(failed: Failed): string {
  const { status, error, fault } = failed;
  if (fault !== null) return `The fault ${fault} was injected; "svc dev faults list" shows it.`;
  if (error !== null) {
    return errorCauses.find(({ pattern }) => pattern.test(error))?.describe(failed) ?? 'the connection failed.';
  }
  const found = status === null ? undefined : statusCauses.find(([pattern]) => pattern(status));
  return found?.[1](failed) ?? 'Only a status from 200 to 299 counts as delivered.';
}

/** Formats a receiver's response to a webhook, for the server's records and those of `svc webhooks listen`. */

/** Reads the first bytes of a response body, and ends the stream. */
export async function readResponseStart(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const start = new Uint8Array(WEBHOOK_RESPONSE_BYTES);
  let size = 0;
  for await (const chunk of body) {
    const taken = chunk.subarray(0, WEBHOOK_RESPONSE_BYTES - size);
    start.set(taken, size);
    size += taken.byteLength;
    if (size === WEBHOOK_RESPONSE_BYTES) break;
  }
  return start.subarray(0, size);
}

/** Joins the values of repeated headers. */
export function joinHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]));
}

/** Describes a connection that ended without a response. */
export function describeConnectionError(error: Error & { code?: string; errors?: readonly Error[] }): string {
  return error.message || error.errors?.[0]?.message || error.code || 'the connection failed';
}

/** Describes a receiver that did not respond in time. */
export function describeTimeout(milliseconds: number): string {
  return `no response within ${milliseconds / 1000} s`;
}
