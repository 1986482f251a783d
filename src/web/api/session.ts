import { failureFrom, UnreachableError } from '../../client/failures.js';
import { withTimeLimit } from '../../client/time-limit.js';
import type { Fetch } from '../../client/wire-request.js';
import {
  INBOX_SESSION_PATH,
  INBOX_TOKEN_HEADER,
  type InboxLogin,
  inboxLogins,
} from '../../contract/vocabulary/inbox.js';
import { CONTROL_PREFIX } from '../../contract/vocabulary/routes.js';
import { takeEarlyResponse } from './site.js';
import { RESUME } from './tab-storage.js';

/** The server's answer to a sign-in. */
export interface SessionInfo {
  token: string;
  /** Allows one more sign-in with the cookie of this session, after a reload. */
  resume?: string | null;
  /** The key of the commands of the server's machine; null after it was revoked. */
  server_key_id: string | null;
  /** The workspace to which the page is limited; null for none. */
  workspace: string | null;
  /** Names of the workspaces that the page may switch to. */
  workspaces: string[];
  /** The person that a proxy has signed in; null for another login. */
  person: string | null;
  /** Whether the page may do what an admin key may. */
  is_admin: boolean;
  base_url: string;
  smtp: { host: string; port: number } | null;
  version: string;
  /** What commands need to find this server, such as ` --data-dir ./k`. */
  command_flags: string;
}

/** What the user gives to sign in, where the server cannot see who connects. */
export type Proof = { code: string } | { key: string } | { password: string } | { resume: string; workspace: string };

/** The server requires a proof of who connects. */
export class SignInRequired extends Error {
  override readonly name = 'SignInRequired';

  constructor(
    /** `link`: a new link of the command line. `password`: a password or an API key. `reload`: only a reload. */
    readonly method: InboxLogin,
    message: string,
  ) {
    super(message);
  }
}

const SESSION_PATH = CONTROL_PREFIX + INBOX_SESSION_PATH;
const UNAUTHENTICATED = 401;

/**
 * The page's session with its server. The token is kept in memory only, so that no other page can use it; the cookie
 * that belongs to it is invisible to the page.
 */
export class Session {
  #info: Promise<SessionInfo> | undefined;
  #current: SessionInfo | undefined;
  readonly #listeners = new Set<(method: SignInRequired) => void>();
  readonly #onOpened = new Set<() => void>();

  constructor(
    private readonly origin: string,
    private readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  ) {}

  /** Calls back whenever the user has to sign in. Returns the function that ends this. */
  onSignInRequired(listener: (required: SignInRequired) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls back when `current` changes. Returns the function that ends this. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#onOpened.add(listener);
    return () => this.#onOpened.delete(listener);
  };

  /** The last session that was opened: a server that was restarted may have other ports. */
  readonly current = (): SessionInfo | undefined => this.#current;

  /** Returns the session, which it opens with the first call. @throws SignInRequired, ApiFailure, UnreachableError */
  open(proof?: Proof): Promise<SessionInfo> {
    if (proof) this.#info = undefined;
    this.#info ??= this.#signIn(proof).catch((error) => {
      this.#info = undefined;
      if (error instanceof SignInRequired) for (const listener of this.#listeners) listener(error);
      throw error;
    });
    return this.#info;
  }

  /** Limits the session to a workspace, or to none for an empty name. The page must be loaded again. */
  async switchTo(workspace: string): Promise<void> {
    const { resume } = await this.open();
    await this.open({ resume: this.storage.getItem(RESUME) ?? resume ?? '', workspace });
  }

  /** Calls the server in this session. A session that has ended, as with a restart of the server, is opened again. */
  readonly fetch: Fetch = async (url, init) => {
    const { 'user-agent': _agent, ...headers } = init.headers;
    const send = async () => {
      const { token } = await this.open();
      return request(url, { ...init, headers: { ...headers, [INBOX_TOKEN_HEADER]: token } });
    };
    const info = this.#info;
    const response = await send();
    if (response.status !== UNAUTHENTICATED) return response;
    if (this.#info === info || info === undefined) this.#info = undefined;
    return send();
  };

  async #signIn(proof: Proof | undefined): Promise<SessionInfo> {
    const resume = this.storage.getItem(RESUME);
    const proofs: object[] = proof ? [proof] : resume ? [{ resume }, {}] : [{}];
    let last = await this.#post(proofs[0] as object);
    if (last.status === UNAUTHENTICATED && proofs[1]) last = await this.#post(proofs[1]);
    const { status, text, headers } = last;
    // It works once. A server that failed has not used it.
    if (status < 500) this.storage.removeItem(RESUME);
    if (status >= 300) {
      const failure = failureFrom(status, text, headers);
      if (status !== UNAUTHENTICATED) throw failure;
      const how = failure.details?.find(({ path }) => path === 'login')?.message;
      throw new SignInRequired(inboxLogins.find((login) => login === how) ?? 'reload', failure.message);
    }
    const info = this.#read(text);
    if (info.resume) this.storage.setItem(RESUME, info.resume);
    this.#current = info;
    for (const listener of this.#onOpened) listener();
    return info;
  }

  #read(text: string): SessionInfo {
    try {
      return (JSON.parse(text) as { data: SessionInfo }).data;
    } catch {
      throw new UnreachableError(this.origin, new Error('the response is not from this API'));
    }
  }

  async #post(body: object) {
    try {
      const { status, headers, text } = await request(this.origin + SESSION_PATH, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status, headers, text: await text() };
    } catch (error) {
      throw new UnreachableError(this.origin, error);
    }
  }
}

const request: Fetch = withTimeLimit(async (url, { method, headers, body, signal }) => {
  const text = typeof body === 'string' ? body : undefined;
  const response = await (takeEarlyResponse(method, url) ??
    fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body: text ?? (await bytesOf(body as AsyncIterable<Uint8Array>)) }),
      ...(signal && { signal }),
      cache: 'no-store',
    }));
  const { status, body: stream } = response;
  return { status, headers: response.headers, text: () => response.text(), body: stream && chunksOf(stream) };
});

/** Returns all bytes of a body: browsers send no stream. */
async function bytesOf(body: AsyncIterable<Uint8Array>): Promise<Blob> {
  const chunks: BlobPart[] = [];
  for await (const chunk of body) chunks.push(chunk as Uint8Array<ArrayBuffer>);
  return new Blob(chunks);
}

/** Reads a stream in browsers whose streams cannot be iterated. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
