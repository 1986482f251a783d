import { INBOX_SESSION_PATH, INBOX_TOKEN_HEADER } from '../../contract/vocabulary/inbox.js';
import { CONTROL_PREFIX } from '../../contract/vocabulary/routes.js';
import { RESUME } from '../api/resume.js';
import { pageParameters } from '../pages/emails/list/page-parameters.js';
import { searchOf } from '../pages/emails/search/search-address.js';
import { keepEarlyResponse } from './early-responses.js';

/**
 * The first script of the page. It opens the session and reads what the list shows, while the browser still loads and
 * compiles the main script. That one takes the responses as if it had sent the requests.
 */

const TIME_LIMIT_MS = 30_000;
const LIST = /^\/(?:inbox(?:\/emails)?)?$/;

function send(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Response> {
  const url = location.origin + CONTROL_PREFIX + path;
  const signal = AbortSignal.timeout(TIME_LIMIT_MS);
  const response = fetch(url, { method, headers, cache: 'no-store', signal, ...(body !== undefined && { body }) });
  keepEarlyResponse(method, url, response);
  return response;
}

async function start(): Promise<void> {
  const resume = sessionStorage.getItem(RESUME);
  const body = JSON.stringify(resume ? { resume } : {});
  const opened = send('POST', INBOX_SESSION_PATH, { 'content-type': 'application/json' }, body);
  // The first date format of a browser takes as long as drawing all rows: now the page has to wait anyway.
  new Intl.DateTimeFormat();
  const response = (await opened).clone();
  if (!response.ok) return;
  const { data } = (await response.json()) as { data: { token: string; resume?: string | null } };
  // A reload before the main script runs continues the session, too.
  if (data.resume) sessionStorage.setItem(RESUME, data.resume);
  const headers = { [INBOX_TOKEN_HEADER]: data.token };
  const reads = [send('GET', '/summary', headers)];
  if (LIST.test(location.pathname)) {
    const query = pageParameters({ ...searchOf(new URLSearchParams(location.search)), page: 0 });
    const parameters = Object.entries(query).map(([name, value]) => [name, String(value)]);
    reads.push(send('GET', `/emails?${new URLSearchParams(parameters)}`, headers));
  }
  await Promise.all(reads);
}

// With a one-time code in the address, the main script opens the session. It also reports what fails here.
if (!location.hash.startsWith('#code=')) start().catch(() => {});
