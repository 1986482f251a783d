import type { WaitRequest } from '../contract/control/emails/wait.js';
import type { ControlOperationName } from '../contract/control/endpoints.js';
import { WAIT_TIMEOUT_MS } from '../contract/vocabulary/limits.js';
import { version } from '../version.js';
import type { Client } from './client.js';
import type { ServiceClient } from './service-client.js';
import { CALL_MS } from './time-limit.js';
import { waitForEmails } from './wait-for-emails.js';

/** The product that names applications and tests in requests and in the request log. */
export const userAgent = `svc-client/${version}`;

/** Operations without a time limit: they run jobs, wait for receivers, or process everything that is stored. */
const UNLIMITED = new Set<ControlOperationName>([
  'settle',
  'clock.advance',
  'clock.update',
  'deliveries.replay',
  'emails.delete_selected',
  'emails.mark',
  'emails.release',
  'workspaces.delete',
  'reset',
  'import',
  'compact',
]);

/** Returns the typed functions of a client. */
export function toServiceClient(baseUrl: string, client: Client): ServiceClient {
  return {
    baseUrl,
    call: (name, request?: object) => client.call(name, (request ?? {}) as never) as never,
    control: (name, request?: object) => control(client, name, request ?? {}) as never,
    download: (name, request) => collect(client.stream(name, request as never)),
  };
}

function control(client: Client, name: ControlOperationName, request: object): Promise<unknown> {
  if (name !== 'emails.wait') {
    return client.control(name, request as never, UNLIMITED.has(name) ? {} : { timeoutMs: CALL_MS });
  }
  const { body } = request as { body: WaitRequest };
  return waitForEmails(client, { ...body, timeout_ms: body?.timeout_ms ?? WAIT_TIMEOUT_MS });
}

/** Returns all bytes of a stream. */
export async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  const bytes = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
