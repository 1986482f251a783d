import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import {
  describeConnectionError,
  describeTimeout,
  joinHeaders,
  readResponseStart,
} from '../../contract/vocabulary/helpers/webhook-response.js';
import { WEBHOOK_TIMEOUT_MS } from '../../contract/vocabulary/limits.js';

export interface Forwarded {
  status: number | null;
  headers: Record<string, string>;
  body: Buffer;
  error: string | null;
}

/** Forwards a webhook to a receiver unchanged. Never throws: a failure is in `error`. The signal cancels it. */
export async function forward(
  url: string,
  headers: Record<string, string | string[]>,
  body: Buffer,
  signal: AbortSignal,
): Promise<Forwarded> {
  const send = /^https:/i.test(url) ? requestHttps : requestHttp;
  try {
    const request = send(url, { method: 'POST', headers, signal, timeout: WEBHOOK_TIMEOUT_MS });
    request.on('timeout', () => request.destroy(new Error(describeTimeout(WEBHOOK_TIMEOUT_MS))));
    // When reading the response fails, the error of the request is more exact than that of the response.
    const failed = new Promise<never>((_, reject) => request.on('error', reject));
    request.end(body);
    const [response] = (await Promise.race([once(request, 'response'), failed])) as [IncomingMessage];
    const start = await Promise.race([readResponseStart(response), failed]);
    return {
      status: response.statusCode ?? null,
      headers: joinHeaders(response.headers),
      body: Buffer.from(start),
      error: null,
    };
  } catch (error) {
    return { status: null, headers: {}, body: Buffer.alloc(0), error: describeConnectionError(error as Error) };
  }
}
