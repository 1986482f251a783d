import type * as z from 'zod';
import type { KeyKind } from './vocabulary/access.js';
import type { Failure } from './vocabulary/errors.js';
import type { EventType } from './vocabulary/event-types.js';
import type { Route } from './vocabulary/routes.js';

/** Describes one endpoint of an API. Routes, the client, validation and the documentation are all derived from it. */
export interface Endpoint extends Route {
  /** Imperative, at most 60 characters, without a full stop. */
  readonly summary: string;
  /** Details that do not fit into the summary, in full sentences. */
  readonly description?: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The maximum size of a request body in bytes (default: `SMALL_BODY_BYTES`; for a stream of bytes, none). */
  readonly bodyBytes?: number;
  /** The shape of `data`; absent when the status is 204. */
  readonly response?: z.ZodType;
  /** Fields of the response that no other call returns, or for which the call is made. */
  readonly onlyHere?: readonly string[];
  readonly status: 200 | 201 | 204;
  /** The media type of a response that is not an envelope: bytes, or a stream. */
  readonly media?: string;
  /** Whether the endpoint accepts calls without an API key. */
  readonly public?: boolean;
  /** Kinds of API keys that may call it on a server for a team (default: `ANY_KIND`). */
  readonly keyKinds?: readonly KeyKind[];
  /**
   * Whether an ordinary key may use it on emails of every workspace. By default, it may with GET, and changes only what
   * belongs to no workspace.
   */
  readonly acrossWorkspaces?: boolean;
  /** Fields of the request that the audit log keeps; without it, calls are not recorded. A field must hold no secret. */
  readonly audited?: readonly string[];
  /** Possible failures besides `commonFailures`. */
  readonly errors?: readonly Failure[];
  /** Events that a call can cause, for the API reference. */
  readonly emits?: readonly EventType[];
}

/**
 * Failures that every endpoint can return: an unreadable request, a missing API key, a page of another origin, too many
 * calls, or a fault of the server.
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

/** The input of a handler: each part is validated, and defaults are filled in. */
interface Input<E extends Endpoint> {
  params: Out<E['params']>;
  query: Out<E['query']>;
  /** The body as a stream of bytes, if `accepts` is set. */
  body: E['accepts'] extends string ? AsyncIterable<Uint8Array> : Out<E['body']>;
}

/** A response that is not an envelope. */
export interface Content {
  body: Uint8Array | AsyncIterable<string | Uint8Array>;
  /** The file name of a download. */
  filename?: string;
}

/** The result of a handler: `data`, content of another media type, or nothing for status 204. */
type Output<E extends Endpoint> = E['response'] extends z.ZodType
  ? z.input<E['response']>
  : E['media'] extends string
    ? Content
    : void;

/** The parts of a request, as a client passes them. */
export type Call<E extends Endpoint> = (E['params'] extends z.ZodType ? { params: In<E['params']> } : object) &
  (E['query'] extends z.ZodType ? { query?: QueryOf<E['query']> } : object) &
  (E['body'] extends z.ZodType ? { body: In<E['body']> } : object) &
  (E['accepts'] extends string ? { body: AsyncIterable<Uint8Array> } : object);

/** A query as a client passes it. Numbers are allowed, because the client converts them to text; a list is repeated. */
type QueryOf<S extends z.ZodType> = { [K in keyof z.input<S>]?: string | number | readonly string[] | undefined };

/** The data of a response, as a client receives it. */
export type Result<E extends Endpoint> = E['response'] extends z.ZodType ? z.output<E['response']> : undefined;

/** A function for every endpoint. A missing function, or one of another type, does not compile. */
export type Handlers<C extends Contract, Context> = {
  [Name in keyof C]: (input: Input<C[Name]>, context: Context) => Promise<Output<C[Name]>>;
};
