import type { z } from 'zod';
import type { Failure } from './vocabulary/errors.js';
import type { EventType } from './vocabulary/event-types.js';
import type { Route } from './vocabulary/routes.js';

/** One endpoint of an API, as data. Everything that is served, called, checked and documented is read from this. */
export interface Endpoint extends Route {
  /** Imperative, at most 60 characters, without a full stop. */
  readonly summary: string;
  /** What the summary has no room for, in full sentences. */
  readonly description?: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The largest body in bytes; `SMALL_BODY_BYTES` when absent. */
  readonly bodyBytes?: number;
  /** The shape of `data`; absent when the status is 204. */
  readonly response?: z.ZodType;
  readonly status: 200 | 201 | 204;
  /** The media type of a response that is not an envelope: bytes, or a stream. */
  readonly media?: string;
  /** Whether it answers without a key. */
  readonly public?: boolean;
  /** What it can fail with beyond `commonFailures`. */
  readonly errors?: readonly Failure[];
  /** Events it can cause, for the reference. */
  readonly emits?: readonly EventType[];
}

/**
 * What every endpoint can answer with: to a request that cannot be read, a call without a key, a page of another origin, too
 * many calls, and when the server fails.
 */
export const commonFailures = [
  'bad_request',
  'unauthenticated',
  'forbidden',
  'rate_limited',
  'internal',
] as const satisfies readonly Failure[];

export type Contract = Record<string, Endpoint>;

type Out<S> = S extends z.ZodType ? z.output<S> : undefined;
type In<S> = S extends z.ZodType ? z.input<S> : undefined;

/** What a handler is given: each part validated, defaults filled in. */
interface Input<E extends Endpoint> {
  params: Out<E['params']>;
  query: Out<E['query']>;
  /** Bytes as they come, where `accepts` names their type. */
  body: E['accepts'] extends string ? AsyncIterable<Uint8Array> : Out<E['body']>;
}

/** A response that is not an envelope. */
export interface Content {
  body: Uint8Array | AsyncIterable<string | Uint8Array>;
  /** For a download: the name it is offered under. */
  filename?: string;
}

/** What a handler answers with: `data`, content of another media type, or nothing for 204. */
type Output<E extends Endpoint> = E['response'] extends z.ZodType
  ? z.input<E['response']>
  : E['media'] extends string
    ? Content
    : void;

/** What a caller sends. */
export type Call<E extends Endpoint> = (E['params'] extends z.ZodType ? { params: In<E['params']> } : object) &
  (E['query'] extends z.ZodType ? { query?: QueryOf<E['query']> } : object) &
  (E['body'] extends z.ZodType ? { body: In<E['body']> } : object) &
  (E['accepts'] extends string ? { body: AsyncIterable<Uint8Array> } : object);

/** A query as a caller writes it: numbers are welcome, the client turns them into text. */
type QueryOf<S extends z.ZodType> = { [K in keyof z.input<S>]?: string | number | undefined };

/** What a caller gets. */
export type Result<E extends Endpoint> = E['response'] extends z.ZodType ? z.output<E['response']> : undefined;

/** A function for every endpoint: one that is missing or of another shape does not compile. */
export type Handlers<C extends Contract, Context> = {
  [Name in keyof C]: (input: Input<C[Name]>, context: Context) => Promise<Output<C[Name]>>;
};
