import type { Route } from '../contract/vocabulary/routes.js';

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
  init: {
    method: string;
    headers: Record<string, string>;
    body?: string | AsyncIterable<Uint8Array>;
    signal?: AbortSignal;
    /** Whether the response may take any time: a stream, or work that the local server does before it responds. */
    noTimeout?: boolean;
    /** The time limit of this call, instead of the client's. */
    timeoutMs?: number;
  },
) => Promise<FetchResponse>;

/** A call as it is sent. */
export interface WireRequest {
  method: Route['method'];
  url: string;
  body?: unknown;
  /** The type of a body of bytes (default: JSON). */
  media?: string;
}

/** What a caller passes to an endpoint. */
export interface RequestParts {
  params?: object;
  query?: object;
  body?: unknown;
}

/** Returns the request for an endpoint of the API at `base`. */
export function wireRequest(
  base: string,
  { method, path, accepts }: Route,
  { params = {}, query = {}, body }: RequestParts,
): WireRequest {
  const values = params as Record<string, unknown>;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query as Record<string, unknown>)) {
    for (const each of [value ?? []].flat()) search.append(name, String(each));
  }
  const url = base.replace(/\/$/, '') + filled + (search.size > 0 ? `?${search}` : '');
  return { method, url, ...(body !== undefined && { body }), ...(accepts && { media: accepts }) };
}
