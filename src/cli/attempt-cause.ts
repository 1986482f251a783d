import type { ListenAttempt } from './listen-line.js';
import { oneLine } from './text.js';

/** What a failed attempt most likely comes from, and what to look at. */

type Failed = Pick<ListenAttempt, 'status' | 'error' | 'url' | 'response_headers'>;

interface Cause {
  applies: RegExp;
  says: (failed: Failed) => string;
}

/** By the words of an error, of Node's and of OpenSSL's; the first that applies. */
const errorCauses: Cause[] = [
  { applies: /ECONNREFUSED/, says: ({ url }) => `nothing listens at ${new URL(url).host}; is your server running?` },
  { applies: /no response within|ETIMEDOUT|TimeoutError/i, says: () => 'answer first, and do the work afterwards.' },
  {
    applies: /wrong version number|EPROTO|packet length too long|http request/i,
    says: ({ url }) => `the port speaks no TLS; try ${url.replace(/^https:/i, 'http:')}`,
  },
  {
    applies: /certificate|self.signed|ERR_TLS|altname/i,
    says: () => 'its certificate is not trusted; forward to http:// on this machine instead.',
  },
  { applies: /ENOTFOUND|EAI_AGAIN/, says: ({ url }) => `the host ${new URL(url).hostname} is unknown.` },
  { applies: /private network/, says: () => 'forward to localhost, or to a public address.' },
  {
    applies: /ECONNRESET|socket hang up|other side closed|UND_ERR_SOCKET|EPIPE/i,
    says: ({ url }) =>
      url.startsWith('https:')
        ? 'the connection was closed without an answer.'
        : 'the connection was closed without an answer; did your server crash, or does the port speak https?',
  },
  {
    applies: /HPE_|Parse Error|HTTPParser|Expected HTTP|Invalid header|Response does not match/i,
    says: () => 'what answered is no HTTP; is it the right port?',
  },
];

const statusCauses: [(status: number) => boolean, (failed: Failed) => string][] = [
  [
    (status) => status >= 300 && status < 400,
    ({ response_headers: { location } }) =>
      `A redirect counts as a failure; forward to where it leads${location === undefined ? '.' : `: ${oneLine(location)}`}`,
  ],
  [
    (status) => status === 401 || status === 403,
    () => 'Your handler refuses it: is its secret the signing secret above, and does it verify the raw body?',
  ],
  [
    (status) => status === 404,
    ({ url }) => {
      const { pathname } = new URL(url);
      const hint = pathname === '/' ? '; name the path in --forward-to' : '';
      return `Your server has nothing at the path ${pathname}${hint}.`;
    },
  ],
  [(status) => status === 405, () => 'Your handler takes no POST at this path.'],
  [(status) => status === 413, () => 'Your server takes no body of this size.'],
  [(status) => status === 415, () => 'Your handler takes no application/json.'],
  [(status) => status === 429, () => 'Your server limits the rate of requests.'],
  [(status) => status === 400 || status === 422, () => 'Your handler does not like the body; its answer says why.'],
  [
    (status) => status === 502 || status === 503 || status === 504,
    () => 'What stands before your server cannot reach it.',
  ],
  [(status) => status >= 500, () => 'Your handler failed; its own log says why.'],
];

/** One sentence. */
export function likelyCause(failed: Failed): string {
  const { status, error } = failed;
  if (error !== null) {
    return errorCauses.find(({ applies }) => applies.test(error))?.says(failed) ?? 'the connection failed.';
  }
  const found = status === null ? undefined : statusCauses.find(([applies]) => applies(status));
  return found?.[1](failed) ?? 'Only a status from 200 to 299 counts as delivered.';
}
