import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Ready } from '../cli/binary.js';

/**
 * Starts a proxy between a command and a server. It records the responses, and adds control characters to every text of
 * the server, as a hostile email or server would. It removes them from requests, so that the server never receives
 * them.
 */

/** Clears the screen, beeps, sets a colour and reverses the writing direction: none of it may reach a terminal. */
const PLANTED = '\u001b[2J\u0007\u009b31m\u202e';

export interface Answered {
  method: string;
  /** The path without the prefix that identifies the route. */
  path: string;
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries
  data: any;
}

/** One route through the proxy, with its own record. */
export interface RecordedRoute {
  /** Base URL of the route; ends with /v1. */
  baseUrl: string;
  answered: Answered[];
}

export interface RecordingProxy {
  open(server: Ready, options?: { hostile?: boolean; headers?: Record<string, string> }): RecordedRoute;
  close(): Promise<void>;
}

interface ProxyRoute {
  origin: string;
  hostile: boolean;
  headers: Record<string, string>;
  answered: Answered[];
}

export async function startRecordingProxy(): Promise<RecordingProxy> {
  const routes = new Map<string, ProxyRoute>();
  const server = createServer(async (asked, response) => {
    const [, name = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(asked.url ?? '') ?? [];
    const route = routes.get(name);
    if (route) await forward(route, path, asked, response);
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    open({ base_url }, { hostile = true, headers = {} } = {}) {
      const name = `way-${routes.size}`;
      const route = { origin: new URL(base_url).origin, hostile, headers, answered: [] };
      routes.set(name, route);
      return { baseUrl: `${origin}/${name}/v1`, answered: route.answered };
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function forward(
  route: ProxyRoute,
  path: string,
  asked: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of asked) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const url = new URL(route.origin + path.replaceAll(encodeURIComponent(PLANTED), ''));
  const isJson = asked.headers['content-type']?.includes('json');
  const sent = isJson ? Buffer.from(body.toString().replaceAll(JSON.stringify(PLANTED).slice(1, -1), '')) : body;
  const headers: Record<string, string | string[] | undefined> = { ...asked.headers, host: url.host };
  delete headers['content-length'];
  delete headers['transfer-encoding'];
  if (sent.length > 0) headers['content-length'] = String(sent.length);
  const passed = request(url, { method: asked.method, headers }, (answer) => {
    const { statusCode = 0 } = answer;
    const type = answer.headers['content-type'] ?? '';
    const kept = { ...answer.headers, ...route.headers };
    delete kept['content-length'];
    response.writeHead(statusCode, kept);
    response.once('close', () => answer.destroy());
    answer.once('error', () => response.destroy());
    if (!/json|event-stream/.test(type)) return answer.pipe(response);
    const exchange = { method: asked.method ?? '', path, status: statusCode };
    const relaying = type.includes('json')
      ? relayJson(route, exchange, answer, response)
      : relayEvents(route, answer, response);
    // When one side has closed, close the other too.
    return relaying.catch(() => response.destroy());
  });
  passed.once('error', () => response.destroy());
  response.once('close', () => passed.destroy());
  passed.end(sent);
}

async function relayJson(
  { hostile, answered }: ProxyRoute,
  exchange: Omit<Answered, 'data'>,
  answer: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += chunk;
  const envelope = JSON.parse(text);
  // The health response is left unchanged, because commands identify the server by it.
  const said = hostile && !exchange.path.endsWith('/health') ? plant(envelope) : envelope;
  const { data, error, ...rest } = said;
  answered.push({ ...exchange, data });
  response.end(JSON.stringify({ ...rest, ...envelopeOf(envelope, data, error) }));
}

/**
 * Returns an envelope with this data or error. `success`, `meta` and the code belong to the protocol, so they stay
 * unchanged.
 */
function envelopeOf(
  whole: { success: boolean; meta: unknown; error?: { code: string } },
  data: unknown,
  error: object,
) {
  const { success, meta } = whole;
  return whole.error ? { success, meta, error: { ...error, code: whole.error.code } } : { success, meta, data };
}

async function relayEvents({ hostile }: ProxyRoute, answer: IncomingMessage, response: ServerResponse): Promise<void> {
  let rest = '';
  response.flushHeaders();
  for await (const chunk of answer.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const isData = hostile && line.startsWith('data: ');
      response.write(`${isData ? `data: ${JSON.stringify(plant(JSON.parse(line.slice(6))))}` : line}\n`);
    }
  }
  response.end(rest);
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

// biome-ignore lint/suspicious/noExplicitAny: any response
function plant(value: any): any {
  if (typeof value === 'string') return TIMESTAMP.test(value) || value === '' ? value : value + PLANTED;
  if (Array.isArray(value)) return value.map(plant);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plant(each)]));
}
