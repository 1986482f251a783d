import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Fetch } from '../client/client.js';

/**
 * A fetch for responses that do not fit into memory. Node's own reads on while its reader rests, and copies what it has read
 * again for every piece that is taken.
 */
export const fetchLarge: Fetch = async (url, { method, headers, signal }) => {
  const request: ClientRequest = (url.startsWith('https:') ? requestHttps : requestHttp)(url, {
    method,
    headers,
    ...(signal && { signal }),
  });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  // A connection that is reset meanwhile is told to the response's reader; here nobody listens any more.
  request.on('error', () => {});
  return {
    status: response.statusCode ?? 0,
    headers: { get: (name) => response.headers[name.toLowerCase()]?.toString() ?? null },
    async text() {
      response.setEncoding('utf8');
      let text = '';
      for await (const piece of response) text += piece;
      return text;
    },
    body: response,
  };
};
