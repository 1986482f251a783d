import { Agent, request as httpRequest } from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';
import type { Exchange, Reply } from './target.js';

/** Sends requests to a base address unchanged: no header beyond those named, no redirect followed. */
export function overHttp(baseUrl: string): { exchange(request: Exchange): Promise<Reply>; close(): void } {
  const base = new URL(baseUrl);
  const secure = base.protocol === 'https:';
  const agent = secure ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  const send = secure ? httpsRequest : httpRequest;
  return {
    close: () => agent.destroy(),
    exchange: ({ method, path, headers, body }) =>
      new Promise<Reply>((resolve, reject) => {
        const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
        const options = { method, agent, headers: { ...headers, ...length } };
        let answered = false;
        const request = send({ ...options, ...addressOf(base), path: base.pathname + path }, (response) => {
          answered = true;
          const chunks: Buffer[] = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const names = Object.entries(response.headers).map(([name, value]) => [
              name,
              [value ?? ''].flat().join(', '),
            ]);
            resolve({
              status: response.statusCode ?? 0,
              headers: Object.fromEntries(names),
              body: Buffer.concat(chunks).toString('utf8'),
            });
          });
        });
        // A server that refuses a body may answer and close the connection before it has read all of it.
        request.on('error', (error) => answered || reject(error));
        request.end(body);
      }),
  };
}

function addressOf({ hostname, port, protocol }: URL) {
  return { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), ...(port && { port: Number(port) }) };
}
