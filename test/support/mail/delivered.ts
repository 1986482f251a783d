import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTool } from '../cli/tools.js';
import { TEST_KEY, type TestApp } from '../servers/app.js';

/** Reads the email of a recipient, clicks and opens as the recipient would, and runs other programs to check it. */

export interface Fetched {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Fetches a URL of an email as a mail client does: without an API key. `url` is absolute, or a path. */
export async function fetchFromMail(
  app: TestApp,
  url: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Fetched> {
  const path = url.replace(/^http:\/\/[^/]+/, '');
  const response = await app.http.inject({
    method: method as 'GET',
    url: path,
    headers: { host: 'localhost', ...headers },
  });
  return {
    status: response.statusCode,
    headers: response.headers as Record<string, string>,
    body: response.rawPayload,
  };
}

/** Fetches content other than JSON from the control API. */
export async function fetchContent(app: TestApp, path: string): Promise<Fetched> {
  return fetchFromMail(app, `/_svc${path}`, { headers: { authorization: `Bearer ${TEST_KEY}` } });
}

/** Returns the HTML that a recipient gets, by default the first recipient. */
export async function deliveredHtml(app: TestApp, id: string, recipient?: string): Promise<string> {
  const query = recipient === undefined ? '' : `?recipient=${encodeURIComponent(recipient)}`;
  return (await fetchContent(app, `/emails/${id}/delivered${query}`)).body.toString();
}

/** Returns the message that a recipient gets, by default the first recipient. */
export async function rawMessage(app: TestApp, id: string, recipient?: string): Promise<Buffer> {
  const query = recipient === undefined ? '' : `?recipient=${encodeURIComponent(recipient)}`;
  return (await fetchContent(app, `/emails/${id}/raw${query}`)).body;
}

export const TRACKED_LINK = /http:\/\/127\.0\.0\.1:\d+\/t\/c\/[^"'\s>]+/g;
export const PIXEL = /<img src="(http:\/\/127\.0\.0\.1:\d+\/t\/o\/[^"]+)"[^>]*>/;

export function pixelUrl(html: string): string {
  const [, url] = PIXEL.exec(html) ?? [];
  if (url === undefined) throw new Error(`there is no pixel in ${html}`);
  return url;
}

export function linksIn(html: string): string[] {
  return html.match(TRACKED_LINK) ?? [];
}

/** Returns the events of an email, oldest first, each with the data of its payload. */
export async function eventsOf(app: TestApp, id: string, type: string): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  const { events } = (await app.call('GET', `/_svc/emails/${id}`)).json.data;
  const wanted = new Set(
    events.filter((event: { type: string }) => event.type === type).map((event: { id: string }) => event.id),
  );
  if (wanted.size === 0) return found;
  const stream = await app.http.inject({
    method: 'GET',
    url: `/_svc/events?after=0&types=${type}&email_id=${id}`,
    headers: { host: 'localhost', authorization: `Bearer ${TEST_KEY}` },
    payloadAsStream: true,
  });
  let text = '';
  for await (const chunk of stream.stream()) {
    text += chunk;
    const lines = text.split('\n').filter((line) => line.startsWith('data: '));
    if (lines.length < wanted.size || !text.endsWith('\n\n')) continue;
    found.push(...lines.map((line) => JSON.parse(line.slice('data: '.length)).data));
    break;
  }
  return found;
}

/** Runs a Python script of this directory and returns the JSON that it prints. */
export async function python<T>(script: string, input: string | Buffer, args: string[] = []): Promise<T> {
  const file = join(fileURLToPath(new URL('.', import.meta.url)), script);
  return JSON.parse(await runTool('python3', [file, ...args], input)) as T;
}
