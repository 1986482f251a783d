import type { Ready } from './binary.js';

/** Calls a running server as an application does, over the network. */

export async function request(ready: Ready, path: string, init: RequestInit = {}): Promise<Response> {
  const url = new URL(path, ready.base_url);
  return fetch(url, { ...init, headers: { authorization: `Bearer ${ready.api_key}`, ...init.headers } });
}

/** The `data` of a response that must be a success. */
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries, types would promise what they check
export async function data(ready: Ready, path: string): Promise<any> {
  const response = await request(ready, path);
  const body = (await response.json()) as { success: boolean; data: unknown };
  if (!body.success) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(body)}`);
  return body.data;
}

/** The bytes of a response that must be a success. */
export async function bytes(ready: Ready, path: string): Promise<Buffer> {
  const response = await request(ready, path);
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}

/** How many emails the server holds. */
export async function countEmails(ready: Ready): Promise<number> {
  return (await data(ready, '/v1/emails?limit=1')).pagination.total;
}
