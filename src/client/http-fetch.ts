import { type IncomingMessage, request as requestHttp } from 'node:http';
import { pipeline } from 'node:stream';
import type { Cause } from './failures.js';
import type { Fetch } from './wire-request.js';

/**
 * Fetches over `node:http`, without a proxy. Node's own fetch takes four times as long to load. It also keeps reading
 * while the consumer pauses, so that a response larger than memory takes minutes. Follows no redirects, because the
 * service sends none.
 */
export const httpFetch: Fetch = async (url, { method, headers, body, signal }) => {
  // TLS takes as long to load as everything else, and the local server does not use it.
  const send = url.startsWith('https:') ? (await import('node:https')).request : requestHttp;
  const request = send(url, {
    method,
    headers: { accept: '*/*', 'accept-encoding': 'identity', ...headers },
    ...(signal && { signal }),
  });
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', (response) => {
      // Reports the reason of a failure to the reader, even when it arrives together with the response's head.
      request.on('error', (error) => response.complete || response.destroy(error));
      // When the server responds before the request body is sent, the rest of it is not needed, and would delay the end
      // of this process.
      response.once('end', () => request.writableFinished || request.destroy());
      resolve(response);
    });
    // The listener stays after the response, because an error event without a listener ends the process.
    request.on('error', reject);
  });
  // A failure of the body also fails the request.
  if (typeof body === 'object') pipeline(body, request, () => {});
  else request.end(body);
  const response = await answer.catch((error: unknown) => {
    const reason: unknown = signal?.aborted ? signal.reason : error;
    // `writableFinished` is false until the connection exists and took the whole request.
    if (reason instanceof Error && !request.writableFinished) (reason as Cause).notSent = true;
    throw reason;
  });
  return {
    status: response.statusCode ?? 0,
    headers: { get: (name) => response.headers[name.toLowerCase()]?.toString() ?? null },
    async text() {
      response.setEncoding('utf8');
      let text = '';
      try {
        for await (const piece of response) text += piece;
      } catch (error) {
        throw signal?.aborted ? signal.reason : error;
      }
      return text;
    },
    body: response,
  };
};
