import type { Control, ControlOperationName } from '../contract/control/endpoints.js';
import type { Call, Result } from '../contract/endpoint.js';
import type { OperationName, Service } from '../contract/service/endpoints.js';
import { formatDuration } from '../contract/vocabulary/durations.js';
import { WARNING_HEADER } from '../contract/vocabulary/headers.js';
import { CONTROL_PREFIX, controlRoutes, routes, siteOf } from '../contract/vocabulary/routes.js';
import { ApiFailure, failureFrom, NoControlError, UnreachableError } from './failures.js';
import { type Exchange, type RetryPolicy, retryAfterMs, retrying, WINDOW_MS } from './retry.js';
import { CommandEndedError } from './time-limit.js';
import { type Fetch, type FetchResponse, type RequestParts, type WireRequest, wireRequest } from './wire-request.js';

export interface ClientOptions {
  /** Ends with the version segment: `http://127.0.0.1:8025/v1`. */
  baseUrl: string;
  /** The API key; null for a page that has a session instead. */
  apiKey: string | null;
  /** Additional headers of every call. */
  headers?: Record<string, string> | undefined;
  userAgent: string;
  fetch: Fetch;
  /** Without one, nothing is retried. */
  retry?: RetryPolicy | undefined;
  /** Called with the header of a response that announces something, such as an ignored field. */
  onWarnings?: ((header: string) => void) | undefined;
  /** What to do about a key that does not work, instead of the server’s advice to authors of HTTP requests. */
  keyAdvice?: string | undefined;
  /** How answers of a server are read that may differ from svc's (default: as the contract defines them). */
  answers?: AnswerReader | undefined;
}

export interface AnswerReader {
  /** Returns the `data` of a successful answer, and the service's time. @throws ForeignAnswerError if it is none. */
  read?(
    name: OperationName,
    call: RequestParts,
    answer: Exchange,
  ): Promise<{ data: unknown; timestamp?: string | undefined }>;
  /** Returns the failure of an answer with another status than 2xx. */
  failure?(status: number, text: string, headers: FetchResponse['headers']): Promise<ApiFailure>;
  /** Returns the error to throw for a call that failed. */
  lost?(method: WireRequest['method'], error: unknown, baseUrl: string): unknown;
}

interface SendOptions {
  signal?: AbortSignal | undefined;
  /** Whether the call is never repeated. */
  once?: boolean;
  noTimeout?: boolean;
  timeoutMs?: number;
}

/** Calls the service, typed by its contract. It does not depend on where the server runs. */
export class Client {
  #now: string | undefined;

  constructor(private readonly options: ClientOptions) {}

  /**
   * Returns the service's time of its last response; undefined before the first. A local server's clock may have been
   * moved.
   */
  get now(): string | undefined {
    return this.#now;
  }

  /**
   * Calls an endpoint and returns its `data`; undefined for 204. `signal` ends the call.
   * @throws ApiFailure when the server refuses or fails.
   * @throws UnconfirmedError when a write was sent and its answer was lost.
   * @throws UnreachableError when no server answers, or it does not speak this API.
   * @throws IncompleteAnswerError when the answer of a write lacks what only it contains.
   */
  async call<Name extends OperationName>(
    name: Name,
    call: Call<Service[Name]>,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<Result<Service[Name]>> {
    const request = this.request(name, call);
    if (Object.values((call as RequestParts).params ?? {}).some((id) => !id)) throw new Error(WITHOUT_ID);
    const { read, lost } = this.options.answers ?? {};
    try {
      if (!read) return (await this.#envelope(request, { signal })).data as Result<Service[Name]>;
      const answer = await this.#exchange(request, { signal });
      const { data, timestamp } = await read(name, call as RequestParts, answer);
      this.#now = timestamp;
      return data as Result<Service[Name]>;
    } catch (error) {
      throw error instanceof ForeignAnswerError
        ? new UnexpectedResponseError(this.options.baseUrl, error)
        : (lost?.(request.method, error, this.options.baseUrl) ?? error);
    }
  }

  /** Returns the request that `call` would send. */
  request<Name extends OperationName>(name: Name, call: Call<Service[Name]>): WireRequest {
    return wireRequest(this.options.baseUrl, routes[name], call as RequestParts);
  }

  /** Whether the service may differ from svc. */
  get isRemote(): boolean {
    return this.options.answers?.read !== undefined;
  }

  /** The address of the service. */
  get baseUrl(): string {
    return this.options.baseUrl;
  }

  /**
   * Calls the local server's own API, without a time limit unless one is given. `signal` ends the call.
   * @throws NoControlError when the server has none; else as `call` does.
   */
  async control<Name extends ControlOperationName>(
    name: Name,
    call: Call<Control[Name]>,
    { signal, timeoutMs }: { signal?: AbortSignal | undefined; timeoutMs?: number } = {},
  ): Promise<Result<Control[Name]>> {
    const request = wireRequest(this.#controlBase(), controlRoutes[name], call as RequestParts);
    const isWrite = request.method !== 'GET' && name !== 'emails.wait';
    try {
      const limit = timeoutMs === undefined ? { noTimeout: true } : { timeoutMs };
      const once = request.method !== 'GET' && request.method !== 'DELETE';
      return (await this.#envelope(request, { signal, once, ...limit })).data as Result<Control[Name]>;
    } catch (error) {
      const failure = await this.#controlFailure(error);
      const lost = isWrite ? this.options.answers?.lost : undefined;
      throw lost?.(request.method, failure, this.options.baseUrl) ?? failure;
    }
  }

  /** Checks only that the server has a control API. @throws NoControlError when it has none; else as `call` does. */
  async requireControl(): Promise<void> {
    const health = await this.#envelope(wireRequest(this.#controlBase(), controlRoutes.health, {})).catch((error) => {
      if (!mayLackControl(error)) throw error;
    });
    const { status, control } = (health?.data ?? {}) as { status?: unknown; control?: unknown };
    if (status !== 'ok' || control === false) throw new NoControlError(this.options.baseUrl, control === false);
  }

  /** Reads a response of the control API without an envelope, piece by piece. */
  async *stream<Name extends ControlOperationName>(
    name: Name,
    call: Call<Control[Name]>,
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const request = wireRequest(this.#controlBase(), controlRoutes[name], call as RequestParts);
    const response = await this.#send(request, { signal, noTimeout: true });
    if (response.status !== 200) {
      const text = await response.text();
      throw await this.#controlFailure(await this.#failure(response.status, text, response.headers));
    }
    try {
      for await (const chunk of response.body ?? []) yield chunk;
    } catch (error) {
      if (!signal?.aborted) throw new UnreachableError(this.options.baseUrl, error);
    }
  }

  async #failure(status: number, text: string, headers: FetchResponse['headers']): Promise<ApiFailure> {
    const { keyAdvice, answers } = this.options;
    const failure = (await answers?.failure?.(status, text, headers)) ?? failureFrom(status, text, headers);
    return status === UNAUTHENTICATED && keyAdvice !== undefined ? failure.withHint(keyAdvice) : failure;
  }

  #controlBase(): string {
    return siteOf(this.options.baseUrl) + CONTROL_PREFIX;
  }

  /** Returns the error of a failed control call: the server's own answer, or that it has no such API at all. */
  async #controlFailure(error: unknown): Promise<unknown> {
    if (!mayLackControl(error)) return error;
    return this.requireControl().then(
      () => error,
      (failure) => (failure instanceof NoControlError ? failure : error),
    );
  }

  async #envelope(
    request: WireRequest,
    init: SendOptions = {},
  ): Promise<{ data: unknown; meta?: { timestamp?: string } }> {
    const { status, text } = await this.#exchange(request, init);
    if (status === 204) return { data: undefined };
    try {
      const envelope = JSON.parse(text) as { success: boolean; data: unknown; meta?: { timestamp?: string } };
      if (envelope.success) {
        this.#now = envelope.meta?.timestamp;
        return envelope;
      }
    } catch {
      // Falls through: another API answered.
    }
    throw new UnexpectedResponseError(this.options.baseUrl, new Error('the response is not from this API'));
  }

  /** Returns the response of a call that succeeded. @throws as `call` does for one that did not. */
  async #exchange(request: WireRequest, init: SendOptions): Promise<Exchange> {
    const { baseUrl, retry } = this.options;
    const attempt = async (): Promise<Exchange> => {
      const response = await this.#send(request, init);
      const { status, headers } = response;
      return { status, headers, text: await response.text().catch(unreachable(baseUrl)) };
    };
    // A stream can be sent once only.
    const policy = init.once || request.media !== undefined ? undefined : retry;
    const exchange = await retrying(request.method, attempt, policy);
    const { status, headers, text, uncertain } = exchange;
    const announced = headers.get(WARNING_HEADER);
    if (announced) this.options.onWarnings?.(announced);
    if (status >= 200 && status <= 299) return exchange;
    const failure = await this.#failure(status, text, headers);
    const asked = retryAfterMs(headers);
    if (asked && (asked > WINDOW_MS || failure.hint === undefined)) {
      throw failure.withHint([`Try again in ${formatDuration(asked)}.`, failure.hint].filter(Boolean).join(' '));
    }
    // A deletion whose answer was lost finds nothing to delete the second time.
    throw uncertain && (status === 404 || status === 409) ? failure.withHint(EARLIER_ATTEMPT) : failure;
  }

  async #send(
    { method, url, body, media }: WireRequest,
    { signal, once: _, ...kind }: SendOptions = {},
  ): Promise<FetchResponse> {
    const { apiKey, userAgent, fetch, baseUrl } = this.options;
    const headers: Record<string, string> = { ...this.options.headers, 'user-agent': userAgent };
    if (apiKey !== null) headers.authorization = `Bearer ${apiKey}`;
    if (body !== undefined) headers['content-type'] = media ?? 'application/json';
    return fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body: media ? (body as AsyncIterable<Uint8Array>) : JSON.stringify(body) }),
      ...(signal && { signal }),
      ...kind,
    }).catch(unreachable(baseUrl));
  }
}

const UNAUTHENTICATED = 401;
/** The path without an ID is another endpoint's, which would answer something else. */
const WITHOUT_ID = 'The ID is empty: it was not given, or the answer of the service does not contain it.';
export const EARLIER_ATTEMPT = 'An earlier attempt whose response was lost may have succeeded.';

/** The answer is not from this API. */
export class ForeignAnswerError extends Error {
  override readonly name = 'ForeignAnswerError';
}

/** The server answered, but not with this API: retrying is pointless. */
class UnexpectedResponseError extends UnreachableError {
  override readonly answered = true;

  constructor(baseUrl: string, cause: Error) {
    super(baseUrl, cause);
    this.message = `Unexpected response from ${baseUrl}: ${cause.message}`;
  }
}

/** Returns whether the error may come from a server without a control API. */
function mayLackControl(error: unknown): boolean {
  if (error instanceof ApiFailure) return error.status !== 429 && error.status < 500;
  return error instanceof UnexpectedResponseError;
}

function unreachable(baseUrl: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof CommandEndedError) throw error;
    throw new UnreachableError(baseUrl, error);
  };
}
