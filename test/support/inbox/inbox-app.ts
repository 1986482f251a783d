import { fileURLToPath } from 'node:url';
import type { AppOptions } from '../../../src/app/app.js';
import { INBOX_SESSION_PATH, INBOX_TOKEN_HEADER } from '../../../src/contract/vocabulary/inbox.js';
import { startApp, type TestApp } from '../servers/app.js';

/** A page in place of the built one. */
const WEB_DIRECTORY = fileURLToPath(new URL('../../fixtures/inbox', import.meta.url));

export interface InboxApp extends TestApp {
  /** The address without a path, such as `http://127.0.0.1:40123`. */
  origin: string;
  smtp: { host: string; port: number };
}

/** Starts the service with an inbox, listening on free ports. */
export async function startInboxApp({ host = '127.0.0.1', ...options }: Partial<AppOptions> & { host?: string } = {}) {
  const app = await startApp({ webDirectory: WEB_DIRECTORY, ...options });
  const { baseUrl, smtp } = await app.listen({ http: { host, port: 0 }, smtp: { host: '127.0.0.1', port: 0 } });
  return Object.assign(app, { smtp, origin: new URL(baseUrl).origin.replace('0.0.0.0', '127.0.0.1') }) as InboxApp;
}

/** Opens a page as a person does. Returns the cookie that it sets, and the response. */
export async function openPage(origin: string, path = '/', headers: Record<string, string> = {}) {
  const response = await fetch(origin + path, {
    headers: { accept: 'text/html', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none', ...headers },
  });
  const [cookie] = response.headers.getSetCookie().map((each) => each.split(';', 1)[0] ?? '');
  return { cookie, response };
}

/** Asks for a session as the page does. */
export async function askForSession(
  origin: string,
  {
    cookie,
    proof = {},
    headers = {},
  }: { cookie?: string | undefined; proof?: unknown; headers?: Record<string, string> },
) {
  const response = await fetch(`${origin}/_svc${INBOX_SESSION_PATH}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin, ...(cookie && { cookie }), ...headers },
    body: JSON.stringify(proof),
  });
  const { data, error } = (await response.json()) as {
    data?: { token: string; resume: string; expires_at: string; base_url: string };
    error?: { code: string; message: string; hint: string; details?: { path: string; message: string }[] };
  };
  return { status: response.status, headers: response.headers, data, error };
}

/** Opens a session as the owner of the server. Returns the headers of the page's calls. */
export async function openSession(origin: string): Promise<Record<string, string>> {
  const { cookie } = await openPage(origin);
  const { data } = await askForSession(origin, { cookie });
  if (!cookie || !data) throw new Error('no session');
  return { cookie, [INBOX_TOKEN_HEADER]: data.token };
}

/** Returns the data of a call of the page. */
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries, types would promise what they check
export async function read(origin: string, path: string, headers: Record<string, string>): Promise<any> {
  const response = await fetch(origin + path, { headers });
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { data: unknown }).data;
}
