import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { WEBHOOK_TIMEOUT_MS } from '../../contract/vocabulary/limits.js';

/** Passes a webhook on to a receiver, as it came. */

const RESPONSE_BODY_BYTES = 64 * 1024;

export interface Forwarded {
  status: number | null;
  headers: Record<string, string>;
  body: Buffer;
  error: string | null;
}

/** Posts the bytes. Never throws: what went wrong is in `error`. The signal ends it early. */
export function forward(
  url: string,
  headers: Record<string, string | string[]>,
  body: Buffer,
  signal: AbortSignal,
): Promise<Forwarded> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException & { errors?: Error[] }) => {
      const message = error.message || error.errors?.[0]?.message || error.code || 'the connection failed';
      resolve({ status: null, headers: {}, body: Buffer.alloc(0), error: message });
    };
    const send = /^https:/i.test(url) ? requestHttps : requestHttp;
    const request = send(url, { method: 'POST', headers, signal, timeout: WEBHOOK_TIMEOUT_MS }, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const finish = () =>
        resolve({
          status: response.statusCode ?? null,
          headers: Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
          ),
          body: Buffer.concat(chunks).subarray(0, RESPONSE_BODY_BYTES),
          error: null,
        });
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.byteLength;
        if (size < RESPONSE_BODY_BYTES) return;
        finish();
        response.destroy();
      });
      response.on('end', finish);
      response.on('error', failed);
    });
    request.on('timeout', () => request.destroy(new Error(`no response within ${WEBHOOK_TIMEOUT_MS / 1000} s`)));
    request.on('error', failed);
    request.end(body);
  });
}
