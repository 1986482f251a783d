import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a real server on loopback that answers each request as the test defines, to simulate a remote service. */

interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Answers one request. The last step answers every later request too. */
export type Step = (response: ServerResponse, asked: ReceivedRequest) => void;

export interface ScriptedServer {
  /** Base URL; ends with /v1. */
  baseUrl: string;
  asked: ReceivedRequest[];
  close(): Promise<void>;
}

export async function startScripted(steps: Step[]): Promise<ScriptedServer> {
  const asked: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const one = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
    asked.push(one);
    steps[Math.min(asked.length, steps.length) - 1]?.(response, one);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const REQUEST_ID = 'req_01k9m3v5w7x9y1z3a5b7c9d1e3';

/** Returns a step that responds with this data in the service's envelope. */
export function answers(data: unknown, status = 200, timestamp = '2026-03-01T12:00:00.000Z'): Step {
  return (response) => {
    const meta = { request_id: REQUEST_ID, timestamp };
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': REQUEST_ID });
    response.end(JSON.stringify({ success: true, data, meta }));
  };
}

/** Returns a step that responds with the service's error envelope. */
export function refuses(status: number, code: string, headers: Record<string, string> = {}): Step {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': REQUEST_ID, ...headers });
    response.end(JSON.stringify({ success: false, error: { code, message: `${code}, it says`, status } }));
  };
}

/** Reads the request and closes the connection without a response. */
export const hangsUp: Step = (response) => {
  response.socket?.destroy();
};

/** Never responds. */
export const staysSilent: Step = () => {};
