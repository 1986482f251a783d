import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OperationName } from '../../../src/contract/service/endpoints.js';
import { routes, SERVICE_PREFIX } from '../../../src/contract/vocabulary/routes.js';

/**
 * Serves the contract in another form, in front of a running svc: as a service that answers differently where the
 * specification shows no answer. Only the endpoints of the specification exist, and only its headers.
 */

/** An answer before it is sent. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What the proxy does with an answer instead of sending it. */
type Fate = 'closed' | 'broken off' | 'never sent';

export interface Variant {
  name: string;
  /** Returns the answer to send. `attempt` is the number of the request to this operation, the first being 1. */
  answer(answer: Answer, attempt: number): Answer | Fate;
  /** Whether svc receives the request (default: yes). A refusal is made up by the proxy. */
  isForwarded?(attempt: number): boolean;
}

/** A request of the specification, and its answers. */
export interface Passed {
  operation: OperationName;
  /** The body of the request. */
  request: string;
  /** The answer of svc; undefined if it did not receive the request. */
  real: Answer | undefined;
  /** The answer that the client received; undefined if it received none. */
  sent: Answer | undefined;
}

export interface VariantProxy {
  /** Base URL; ends with /v1. */
  baseUrl: string;
  /** The requests since `serve` was last called. */
  passed: Passed[];
  /** Answers an operation, or all of them, in the form of the variant from now on. */
  serve(variant?: Variant, operation?: OperationName): void;
  /** Called when an answer is never sent. */
  onSilence?: () => void;
  close(): Promise<void>;
}

const FORM = (Object.entries(routes) as [OperationName, { method: string; path: string }][]).map(
  ([operation, { method, path }]) =>
    ({
      operation,
      method,
      path: new RegExp(`^${SERVICE_PREFIX}${path.replace(/\{\w+\}/g, '[^/]+')}(?:\\?|$)`),
    }) as const,
);

/** The headers of answers that the specification names. */
const HEADERS = /^(?:content-type|date|retry-after|x-ratelimit-\w+)$/;
const NOT_FOUND = '<html><head><title>404 Not Found</title></head><body>nginx</body></html>\n';

/** `origin` is that of the running svc, without a path. */
export async function startVariantProxy(origin: string): Promise<VariantProxy> {
  let current: { variant?: Variant | undefined; operation?: OperationName | undefined } = {};
  const attempts = new Map<OperationName, number>();
  const proxy: VariantProxy = {
    baseUrl: '',
    passed: [],
    serve(variant, operation) {
      current = { variant, operation };
      proxy.passed = [];
      attempts.clear();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const server = createServer(async (asked, response) => {
    const request = await textOf(asked);
    const { method = '', url = '' } = asked;
    const form = FORM.find((each) => each.method === method && each.path.test(url));
    if (!form) {
      return send(response, { status: 404, headers: { 'content-type': 'text/html' }, body: NOT_FOUND });
    }
    const { operation } = form;
    const attempt = (attempts.get(operation) ?? 0) + 1;
    attempts.set(operation, attempt);
    const { variant } = current.operation === undefined || current.operation === operation ? current : {};
    const isForwarded = variant?.isForwarded?.(attempt) ?? true;
    const real = isForwarded ? await forward(origin, asked, request) : undefined;
    const blank: Answer = { status: 200, headers: { 'content-type': 'application/json' }, body: '' };
    const answer = variant?.answer(real ?? blank, attempt) ?? real ?? blank;
    const isSent = typeof answer === 'object';
    proxy.passed.push({ operation, request, real, sent: isSent ? answer : undefined });
    if (isSent) send(response, answer);
    else if (answer === 'closed') response.socket?.destroy();
    else if (answer === 'broken off') breakOff(response, real ?? blank);
    else proxy.onSilence?.();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}${SERVICE_PREFIX}`;
  return proxy;
}

async function textOf(stream: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) text += chunk;
  return text;
}

async function forward(origin: string, { method = '', url = '', headers }: IncomingMessage, body: string) {
  const { authorization = '', 'content-type': type } = headers;
  const response = await fetch(origin + url, {
    method,
    headers: { authorization, ...(type && { 'content-type': type }) },
    ...(body !== '' && { body }),
  });
  const kept = [...response.headers].filter(([name]) => HEADERS.test(name));
  return { status: response.status, headers: Object.fromEntries(kept), body: await response.text() };
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  // A status without a body.
  const text = status === 204 ? '' : body;
  response.writeHead(status, { ...headers, ...(status !== 204 && { 'content-length': Buffer.byteLength(text) }) });
  response.end(text);
}

/** Sends half of an answer, and closes the connection. */
function breakOff(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status === 204 ? 200 : status, { ...headers, 'content-length': Buffer.byteLength(body) + 100 });
  response.write(body.slice(0, body.length / 2) || '{', () => response.socket?.destroy());
}
