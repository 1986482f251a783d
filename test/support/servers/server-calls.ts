import type { Ready } from '../cli/binary.js';

/** Calls a running server as an application does, over the network. */

type Address = Pick<Ready, 'base_url' | 'api_key'>;

export async function request(ready: Address, path: string, init: RequestInit = {}): Promise<Response> {
  const url = new URL(path, ready.base_url);
  return fetch(url, { ...init, headers: { authorization: `Bearer ${ready.api_key}`, ...init.headers } });
}

/** Resets the server for the next test. Its clock and API keys stay. */
export async function resetServer(ready: Address): Promise<void> {
  const { status } = await request(ready, '/_svc/reset', { method: 'POST' });
  if (status >= 300) throw new Error(`The reset answered ${status}.`);
}

/** Returns the `data` of a response that must be a success. */
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries, types would promise what they check
export async function data(ready: Address, path: string, init: RequestInit = {}): Promise<any> {
  const response = await request(ready, path, init);
  const body = (await response.json()) as { success: boolean; data: unknown };
  if (!body.success) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(body)}`);
  return body.data;
}

/** Maximum wait for an email that is never parsed, shorter than the time limit of a test. */
const LIMIT_MS = 45_000;

/** Returns the inspection of an email once its message is parsed. */
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries, types would promise what they check
export async function parsed(ready: Address, id: string): Promise<any> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  for (;;) {
    const inspection = await data(ready, `/_svc/emails/${id}`);
    if (!inspection.parsing) return inspection;
    if (limit.aborted) throw new Error(`${id} is still being parsed after ${LIMIT_MS} ms`);
  }
}

/** Waits until the newest email is parsed, on a server without a control API too. Its subject must not be empty. */
export async function newestParsed(ready: Address): Promise<void> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  while ((await data(ready, '/v1/emails?limit=1')).emails[0].subject === '') {
    if (limit.aborted) throw new Error('The newest email was never parsed.');
  }
}

/** Returns the bytes of a response that must be a success. */
export async function bytes(ready: Address, path: string): Promise<Buffer> {
  const response = await request(ready, path);
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}

/** Returns the number of emails on the server. */
export async function countEmails(ready: Address): Promise<number> {
  return (await data(ready, '/v1/emails?limit=1')).pagination.total;
}
