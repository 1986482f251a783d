import { INBOX_SESSION_PATH, INBOX_TOKEN_HEADER } from '../../contract/vocabulary/inbox.js';
import { CONTROL_PREFIX } from '../../contract/vocabulary/routes.js';
import { basePath, keepEarlyResponse, siteUrl } from '../api/site.js';
import { RESUME } from '../api/tab-storage.js';
import { applyTheme, storedTheme } from '../common/theme.js';
import { shortTime, withVisibleOverrides } from '../components/format.js';
import { nameOf, pageParameters, recipientsText, searchOf } from '../pages/emails/addresses.js';

/**
 * Draws rows into the shape that the page has at first, while the main script is still on its way. A click opens their
 * email, by loading its page; the keyboard and screen readers get the list of the main script, which has the focus. The
 * styles are in index.html, with names that the short ones of other style sheets cannot equal.
 */

interface Row {
  id: string;
  to: string;
  from: string;
  subject: string;
  preview: string;
  created_at: string;
  read: boolean;
}

const SUBJECT_SHOWN = 300;

function drawRows(emails: readonly Row[]): void {
  document.querySelector('.shape ul')?.replaceChildren(...emails.map(rowOf));
}

function rowOf({ id, to, from, subject, preview, created_at, read }: Row): HTMLElement {
  const link = document.createElement('a');
  link.href = `/inbox/emails/${id}${location.search}`;
  link.tabIndex = -1;
  const parts = [
    ['bdi', 'row-to', recipientsText(to)],
    ['bdi', 'row-from', withVisibleOverrides(nameOf(from)) || '(no sender)'],
    ['bdi', 'row-subject', withVisibleOverrides(subject.slice(0, SUBJECT_SHOWN)) || '(no subject)'],
    ['bdi', 'row-preview', preview],
    ['time', '', shortTime(new Date(created_at), new Date())],
  ] as const;
  for (const [tag, name, text] of parts) {
    const part = document.createElement(tag);
    part.className = name;
    part.textContent = text;
    link.append(part);
  }
  link.classList.toggle('unread', !read);
  const row = document.createElement('li');
  row.append(link);
  return row;
}

/**
 * The first script of the page. It opens the session, reads what the list shows and draws its rows, while the browser
 * still loads and compiles the main script. That one takes the responses as if it had sent the requests.
 */

const TIME_LIMIT_MS = 30_000;
const LIST = /^\/?(?:inbox(?:\/emails)?)?$/;

const urlOf = (path: string) => siteUrl() + CONTROL_PREFIX + path;

function send(path: string, init: RequestInit): Promise<Response> {
  return fetch(urlOf(path), { ...init, cache: 'no-store', signal: AbortSignal.timeout(TIME_LIMIT_MS) });
}

/** Opens the session. Resolves once the reads are under way, so that the main script does not send them, too. */
async function openSession(resume: string | null): Promise<Response> {
  const body = JSON.stringify(resume ? { resume } : {});
  const headers = { 'content-type': 'application/json' };
  const response = await send(INBOX_SESSION_PATH, { method: 'POST', headers, body });
  // The main script reports a failure.
  if (response.ok) await startReads(response.clone()).catch(() => {});
  return response;
}

async function startReads(opened: Response): Promise<void> {
  const { data } = (await opened.json()) as { data: { token: string; resume?: string | null } };
  // A reload before the main script runs continues the session, too.
  if (data.resume) sessionStorage.setItem(RESUME, data.resume);
  const read = (path: string) => {
    const response = send(path, { headers: { [INBOX_TOKEN_HEADER]: data.token } });
    keepEarlyResponse('GET', urlOf(path), response);
    return response;
  };
  read('/summary');
  if (!LIST.test(location.pathname.replace(basePath(), ''))) return;
  const query = pageParameters({ ...searchOf(new URLSearchParams(location.search)), page: 0 });
  const parameters = Object.entries(query).map(([name, value]) => [name, String(value)]);
  void showRows(read(`/emails?${new URLSearchParams(parameters)}`)).catch(() => {});
}

/** Shows the rows before the main script does, if it is slow. */
async function showRows(response: Promise<Response>): Promise<void> {
  const read = (await response).clone();
  const { data } = (await read.json()) as { data: { emails: Parameters<typeof drawRows>[0] } };
  drawRows(data.emails);
}

applyTheme(storedTheme());

// The main script opens the session with a one-time code in the address, or where the browser forbids a storage.
try {
  const resume = sessionStorage.getItem(RESUME);
  if (!location.hash.startsWith('#code=')) keepEarlyResponse('POST', urlOf(INBOX_SESSION_PATH), openSession(resume));
} catch {}
