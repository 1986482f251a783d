import type { Control, ControlOperationName } from '../contract/control.js';
import type { Call, Result } from '../contract/endpoint.js';
import { CONTROL_PREFIX, controlRoutes, type Route, routes, SERVICE_PREFIX } from '../contract/routes.js';
import type { OperationName, Service } from '../contract/service.js';
import { ApiFailure, failureFrom, UnreachableError } from './failures.js';

/** What the client needs of a response; the platform's own satisfies it. */
export interface FetchResponse {
  status: number;
  headers: { get(name: string): string | null };
  text(): Promise<string>;
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** How the client reaches a server: over the network, or in-process. The platform's `fetch` is one. */
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string; signal?: AbortSignal },
) => Promise<FetchResponse>;

export interface ClientOptions {
  /** Ends with the version segment: `http://127.0.0.1:8025/v1`. */
  baseUrl: string;
  apiKey: string;
  userAgent: string;
  fetch: Fetch;
}

/** A call as it goes over the wire. */
export interface WireRequest {
  method: Route['method'];
  url: string;
  body?: unknown;
}

interface Parts {
  params?: object;
  query?: object;
  body?: unknown;
}

/** Calls the service, typed by its contract. It does not know where the server is. */
export class Client {
  constructor(private readonly options: ClientOptions) {}

  /**
   * Calls an endpoint and answers its `data`; undefined for 204.
   * @throws ApiFailure when the server refuses or fails.
   * @throws UnreachableError when there is no server, or it does not speak this API.
   */
  async call<Name extends OperationName>(name: Name, call: Call<Service[Name]>): Promise<Result<Service[Name]>> {
    return (await this.#data(this.request(name, call))) as Result<Service[Name]>;
  }

  /** The request that `call` would send. */
  request<Name extends OperationName>(name: Name, call: Call<Service[Name]>): WireRequest {
    return wire(this.options.baseUrl, routes[name], call as Parts);
  }

  /** Calls the local server's own API. */
  async control<Name extends ControlOperationName>(
    name: Name,
    call: Call<Control[Name]>,
  ): Promise<Result<Control[Name]>> {
    return (await this.#data(wire(this.#controlBase(), controlRoutes[name], call as Parts))) as Result<Control[Name]>;
  }

  /** Reads a response of the control API that is no envelope, piece by piece. */
  async *stream<Name extends ControlOperationName>(
    name: Name,
    call: Call<Control[Name]>,
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const response = await this.#send(wire(this.#controlBase(), controlRoutes[name], call as Parts), signal);
    if (response.status !== 200) throw failureFrom(response.status, await response.text(), response.headers);
    try {
      for await (const chunk of response.body ?? []) yield chunk;
    } catch (error) {
      if (!signal?.aborted) throw new UnreachableError(this.options.baseUrl, error);
    }
  }

  #controlBase(): string {
    return this.options.baseUrl.replace(new RegExp(`${SERVICE_PREFIX}/?$`), '') + CONTROL_PREFIX;
  }

  async #data(request: WireRequest): Promise<unknown> {
    const response = await this.#send(request);
    const text = await response.text();
    if (response.status === 204) return undefined;
    if (response.status < 200 || response.status > 299) throw failureFrom(response.status, text, response.headers);
    try {
      const envelope = JSON.parse(text) as { success: boolean; data: unknown };
      if (envelope.success) return envelope.data;
    } catch {
      // Falls through: what answered is not this API.
    }
    throw new UnreachableError(this.options.baseUrl, new Error('what answered there does not speak this API'));
  }

  async #send({ method, url, body }: WireRequest, signal?: AbortSignal): Promise<FetchResponse> {
    const { apiKey, userAgent, fetch, baseUrl } = this.options;
    const headers: Record<string, string> = { authorization: `Bearer ${apiKey}`, 'user-agent': userAgent };
    if (body !== undefined) headers['content-type'] = 'application/json';
    try {
      return await fetch(url, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      });
    } catch (error) {
      if (error instanceof ApiFailure) throw error;
      throw new UnreachableError(baseUrl, error);
    }
  }
}

function wire(base: string, { method, path }: Route, { params = {}, query = {}, body }: Parts): WireRequest {
  const values = params as Record<string, unknown>;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query as Record<string, unknown>)) {
    for (const each of [value ?? []].flat()) search.append(name, String(each));
  }
  const url = base.replace(/\/$/, '') + filled + (search.size > 0 ? `?${search}` : '');
  return body === undefined ? { method, url } : { method, url, body };
}
