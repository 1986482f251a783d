import { EventEmitter, on, once } from 'node:events';
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { matchesRecipient } from '../../../contract/recipient-pattern.js';
import { ATTEMPT_HEADER, SIGNATURE_HEADER } from '../../../contract/vocabulary/headers.js';
import { WEBHOOK_RETRY_MS, WEBHOOK_TIMEOUT_MS } from '../../../contract/vocabulary/limits.js';
import {
  describeConnectionError,
  describeTimeout,
  joinHeaders,
  readResponseStart,
} from '../../../contract/vocabulary/webhooks/attempts.js';
import { sameSignature, signatureOf } from '../../../contract/webhook-signature.js';
import { CommandError } from '../../errors/exit-codes.js';
import { systemNow } from '../../output/local-time.js';
import type { ListenAttempt, ListenLine } from './source.js';

/** Receives a remote service's webhooks on this machine, and forwards those with a valid signature. */

export interface ReceiverOptions {
  port: number;
  secret: string;
  forwardTo: string;
  /** Headers to add to each request. */
  headers: Record<string, string>;
  /** Forward only emails to recipients that match this pattern. */
  to: string | undefined;
}

/** Maximum size of a body, larger than any event. Bodies are in memory until they are forwarded. */
const BODY_BYTES = 10 * 1024 * 1024;

/**
 * Headers that apply to one connection only (RFC 9110, section 7.6.1), and headers that the new request sets itself.
 */
const NOT_FORWARDED = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['host', 'content-length', 'expect'],
]);

export class WebhookReceiver {
  readonly #feed = new EventEmitter();
  readonly #options: ReceiverOptions;
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch((error) => {
      // A client that disconnects before its request is complete is not an error.
      if (!request.destroyed || request.complete) this.#feed.emit('error', error);
    });
  });
  /** Number of attempts of each event that has not succeeded yet. */
  readonly #tries = new Map<string, number>();

  constructor(options: ReceiverOptions) {
    this.#options = options;
  }

  /** Listens on loopback and returns the address. @throws CommandError when the port cannot be used. */
  async start(): Promise<string> {
    this.#server.listen(this.#options.port, '127.0.0.1');
    try {
      await once(this.#server, 'listening');
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const reason = code === 'EADDRINUSE' ? 'is already in use' : `cannot be used: ${message}`;
      throw new CommandError(`Port ${this.#options.port} ${reason}.`, 'Choose another with --port.');
    }
    this.#server.on('error', (error) => this.#feed.emit('error', error));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Yields the lines from now on, until the signal. Lines are queued until they are read. */
  lines(signal: AbortSignal): AsyncGenerator<ListenLine> {
    return untilAborted(on(this.#feed, 'line', { signal }) as AsyncIterable<[ListenLine]>, signal);
  }

  /** Forwards an event again, with the same body and headers. */
  async replay({ request_headers, payload, event_id, type, attempt }: ListenAttempt): Promise<void> {
    await this.#forward(
      request_headers,
      Buffer.from(payload),
      { event_id, type, attempt },
      new AbortController().signal,
    );
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    if (body === undefined) return void response.writeHead(413).end();
    const signature = request.headers[SIGNATURE_HEADER.toLowerCase()];
    if (typeof signature !== 'string' || !sameSignature(signatureOf(body, this.#options.secret), signature)) {
      const reason = `${request.method} ${request.url} with ${signature === undefined ? 'no signature' : 'an invalid signature'}`;
      this.#publish({ event: 'refused', at: new Date(systemNow()).toISOString(), reason });
      return void response.writeHead(401, { 'content-type': 'text/plain' }).end('Invalid signature.\n');
    }
    const { id, type, recipient } = readEnvelope(body);
    const { to } = this.#options;
    if (to !== undefined && recipient !== undefined && !matchesRecipient(to, recipient)) {
      return void response.writeHead(200).end();
    }
    const attempt = Number(request.headers[ATTEMPT_HEADER.toLowerCase()]) || (this.#tries.get(id) ?? 0) + 1;
    this.#tries.set(id, attempt);
    // When the service closes the connection, the request to the receiver is cancelled too.
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const about = { event_id: id, type, attempt };
    const result = await this.#forward(forwardedHeaders(request.rawHeaders), body, about, gone.signal);
    if (result.status !== null && result.status >= 200 && result.status < 300) this.#tries.delete(id);
    if (result.status === null) return void response.writeHead(502, { 'content-type': 'text/plain' }).end(result.error);
    const contentType = result.headers['content-type'];
    response
      .writeHead(result.status, contentType === undefined ? {} : { 'content-type': contentType })
      .end(result.body);
  }

  async #forward(
    came: Record<string, string | string[]>,
    body: Buffer,
    about: Pick<ListenAttempt, 'event_id' | 'type' | 'attempt'>,
    signal: AbortSignal,
  ): Promise<Forwarded> {
    const { forwardTo, headers: extra } = this.#options;
    const added = new Set(Object.keys(extra).map((name) => name.toLowerCase()));
    const kept = Object.entries(came).filter(([name]) => !added.has(name.toLowerCase()));
    const headers = { ...Object.fromEntries(kept), ...extra };
    const began = systemNow();
    const result = await forward(forwardTo, headers, body, signal);
    this.#publish({
      event: 'attempt',
      ...about,
      delivery_id: null,
      webhook_id: null,
      event_seq: null,
      url: forwardTo,
      max_attempts: WEBHOOK_RETRY_MS.length + 1,
      at: new Date(began).toISOString(),
      duration_ms: systemNow() - began,
      status: result.status,
      error: result.error,
      fault: null,
      response_body: result.body.toString('utf8'),
      next_attempt_at: null,
      payload: body.toString('utf8'),
      request_headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
      ),
      response_headers: result.headers,
    });
    return result;
  }

  #publish(line: ListenLine): void {
    this.#feed.emit('line', line);
  }
}

async function* untilAborted(lines: AsyncIterable<[ListenLine]>, signal: AbortSignal): AsyncGenerator<ListenLine> {
  try {
    for await (const [line] of lines) yield line;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Returns the body; undefined when it is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns the request's headers in their original spelling, without those of the connection. */
function forwardedHeaders(raw: string[]): Record<string, string | string[]> {
  const headers: Record<string, string[]> = {};
  for (let index = 0; index < raw.length; index += 2) {
    const [name = '', value = ''] = raw.slice(index, index + 2);
    if (!NOT_FORWARDED.has(name.toLowerCase())) headers[name] = [...(headers[name] ?? []), value];
  }
  return Object.fromEntries(Object.entries(headers).map(([name, all]) => [name, all.length === 1 ? all[0]! : all]));
}

/**
 * Reads the fields of an event. A signed body that is not an event is forwarded too, with placeholders for the fields.
 */
function readEnvelope(body: Buffer): { id: string; type: ListenAttempt['type']; recipient: string | undefined } {
  let event: { id?: unknown; type?: unknown; data?: { to?: unknown } | null } | null = null;
  try {
    event = JSON.parse(body.toString('utf8'));
  } catch {
    // Not JSON: the fields below get placeholders.
  }
  const to = event?.data?.to;
  return {
    id: String(event?.id ?? '?'),
    type: String(event?.type ?? '?') as ListenAttempt['type'],
    recipient: typeof to === 'string' ? (/<([^<>]*)>\s*$/.exec(to)?.[1] ?? to) : undefined,
  };
}

interface Forwarded {
  status: number | null;
  headers: Record<string, string>;
  body: Buffer;
  error: string | null;
}

/** Forwards a webhook to a receiver unchanged. Never throws: a failure is in `error`. The signal cancels it. */
async function forward(
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
