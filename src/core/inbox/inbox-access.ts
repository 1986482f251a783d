import { createHmac, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import type { InboxLogin } from '../../contract/vocabulary/inbox.js';
import { MINUTE_MS } from '../../contract/vocabulary/limits.js';
import { shortened } from '../../contract/vocabulary/text.js';
import { authenticate, hashKey, type Right, refuseExpired } from '../account/authorizations.js';
import { refuseCreator } from '../account/key-kinds.js';
import { type LoginAttempts, TooManyAttemptsError } from '../account/login-attempts.js';
import { RateLimiter } from '../account/rate-limiter.js';
import type { Core } from '../context.js';
import type { ApiKeyRecord } from '../model/resources.js';
import type { Kept } from '../store.js';
import { UrlSigner } from './content-urls.js';
import { Tickets } from './tickets.js';

/** Decides who may use the web inbox, and issues its sessions, one-time codes and signed URLs. */

const SESSION_MS = 24 * 60 * MINUTE_MS;
const CODE_MS = 5 * MINUTE_MS;
/** Requests per minute and address without a secret. Each one makes the server look up the connection. */
const REQUESTS_BY_ADDRESS = 600;

/** A right to use the inbox: the hash of the API key that its calls act as, and whether they may do what an admin key may. */
interface Grant {
  keyHash: string;
  admin: boolean;
  /** Whether the right comes from the inbox password, and ends when another one is set. */
  byPassword: boolean;
  /** The person that a trusted proxy has signed in. Settings decide what an administrator is, not the grant. */
  person?: string | undefined;
  /** The workspace that the page has switched to, if it has. */
  workspace?: string | undefined;
}

/** A grant as a ticket keeps it. */
interface KeptGrant extends Grant {
  /** The password at that time, as a code of the ticket's secret: the database alone does not help to guess it. */
  password?: string;
}

interface Session extends KeptGrant {
  /** The cookie of the browser that opened the session. */
  cookie: string;
}

export interface OpenedSession {
  token: string;
  /** Opens the next session of the same browser, once. */
  resume: string;
  /** Milliseconds since 1970, in system time. */
  expiresAt: number;
}

/** What shows who sends a call of the page. */
export interface Caller {
  /** The values of the inbox cookie. */
  cookies: readonly string[];
  /** The person that a trusted proxy has signed in; null without one. */
  person: string | null;
}

/** What a page sends to open a session. At most one field is set, besides the workspace to switch to, if any. */
export interface SessionProof {
  resume?: string | undefined;
  code?: string | undefined;
  key?: string | undefined;
  password?: string | undefined;
  /** The workspace to switch to; empty for all. It takes a key that may do everything. */
  workspace?: string | undefined;
}

export interface InboxOptions {
  kept: Kept;
  /** The secret that signs URLs of content. */
  urlKey: string;
  /** The path below which browsers reach the server; empty for none. */
  basePath: string;
  /** The server's own API key. */
  apiKey: string;
  attempts: LoginAttempts;
  /** The password for browsers on other machines; none without one. */
  password?: string | undefined;
  /** The people with the rights of an admin key, among those that a trusted proxy signs in. */
  admins: readonly string[];
  /** Returns whether only this machine can connect. */
  isLocal(): boolean;
  /** Returns whether a browser of the user who runs the server needs a code, on this machine. */
  needsCode(): Promise<boolean>;
}

export class InboxAccess {
  /** Signs URLs of content. */
  readonly urls: UrlSigner;
  readonly isLocal: InboxOptions['isLocal'];
  readonly needsCode: InboxOptions['needsCode'];
  readonly #own: Grant;
  readonly #password: string | undefined;
  readonly #admins: ReadonlySet<string>;
  readonly #sessions: Tickets<Session>;
  readonly #resumes: Tickets<Session>;
  readonly #codes: Tickets<KeptGrant>;
  readonly #requests: RateLimiter;
  readonly #attempts: LoginAttempts;

  constructor(
    private readonly core: Pick<Core, 'store' | 'clock' | 'ids' | 'access'>,
    { apiKey, attempts, password, admins, isLocal, needsCode, kept, urlKey, basePath }: InboxOptions,
  ) {
    const { store, clock } = core;
    this.urls = new UrlSigner(clock, urlKey, basePath);
    this.isLocal = isLocal;
    this.needsCode = needsCode;
    this.#own = { keyHash: hashKey(apiKey), admin: true, byPassword: false };
    this.#password = password;
    this.#admins = new Set(admins);
    this.#attempts = attempts;
    const tickets = { ...core, kept };
    this.#sessions = new Tickets(tickets, 'session', SESSION_MS);
    this.#resumes = new Tickets(tickets, 'resume', SESSION_MS);
    this.#codes = new Tickets(tickets, 'code', CODE_MS);
    // On system time: a frozen clock would refuse attempts forever.
    const systemTime = { now: () => clock.systemNow(), after: clock.after.bind(clock) };
    this.#requests = new RateLimiter(systemTime, { shared: store.shared, name: 'inbox' });
  }

  /** Issues a code that opens one session, with the rights of a caller (default: the server's own key). */
  async issueCode(caller?: Right): Promise<{ code: string; expiresAt: number }> {
    const grant = caller ? grantOf(caller) : this.#own;
    const { secret, expiresAt } = await this.#codes.issue((code) => this.#kept(grant, code));
    return { code: secret, expiresAt };
  }

  /**
   * Opens a session for a browser.
   * @param cookies the values of its inbox cookie
   * @param isOwner whether the client's connection belongs to the user who runs the server
   * @throws ServiceError `unauthenticated` without a right, with the way to get it; `rate_limited`.
   */
  async open(
    cookies: readonly string[],
    proof: SessionProof,
    client: { address: string; person: string | null; isOwner(): Promise<boolean>; login: InboxLogin },
  ): Promise<OpenedSession> {
    const [cookie] = cookies;
    if (cookie === undefined) throw loginRequired('reload', WHY_REFUSED.reload);
    const { resume } = proof;
    const earlier = resume === undefined ? undefined : await this.#resumed(resume, { cookies, person: client.person });
    const found = resume === undefined ? await this.#grantFor(proof, client) : earlier;
    const grant = found && (await this.#switched(found, proof.workspace));
    if (!grant) throw loginRequired(client.login, WHY_REFUSED[client.login]);
    // A session that continues keeps its cookie, which need not be the first.
    const own = earlier?.cookie ?? cookie;
    const session = (secret: string): Session => ({ cookie: own, ...this.#kept(grant, secret) });
    const { secret: token, expiresAt } = await this.#sessions.issue(session);
    return { token, resume: (await this.#resumes.issue(session)).secret, expiresAt };
  }

  /** Returns the server's own key; undefined after it was revoked. */
  async serverKey(): Promise<ApiKeyRecord | undefined> {
    return this.core.store.read.apiKeys.findByHash(this.#own.keyHash);
  }

  /**
   * Returns the key that a session acts as, and when the session expires. Neither the token nor one of the cookies
   * suffices alone. The session of a person ends when the proxy has signed in another one, or no one.
   * @throws ServiceError `unauthenticated` if the session has ended, the key was revoked, or the password was changed.
   */
  async rightOf(token: string, caller: Caller): Promise<Right> {
    const found = await this.#sessions.find(token);
    const session = found?.value;
    const key =
      session && isOf(caller, session) && this.#isCurrent(session, token)
        ? await this.core.store.read.apiKeys.findByHash(session.keyHash)
        : undefined;
    if (found && session && key) {
      refuseExpired(key, this.core.clock.systemNow());
      const { byPassword, person, workspace: switchedTo } = session;
      const own = this.#keyFor(session, key);
      return {
        key: switchedTo === undefined ? own : { ...own, workspace: switchedTo, admin: false },
        ...{ switchedTo, maySwitch: this.#maySwitch(own) },
        ...{ byPassword, person, expiresAt: Math.min(found.expiresAt, key.expiresAt ?? found.expiresAt) },
      };
    }
    throw new ServiceError('unauthenticated', 'The inbox session has ended.', undefined, 'Reload the page.');
  }

  /**
   * Returns the session that a ticket continues, unless its key was revoked. A browser without its cookie does not use
   * the ticket up.
   */
  async #resumed(resume: string, caller: Caller): Promise<Session | undefined> {
    const session = (await this.#resumes.find(resume))?.value;
    if (!session || !isOf(caller, session) || !this.#isCurrent(session, resume)) return undefined;
    const key = await this.core.store.read.apiKeys.findByHash(session.keyHash);
    return key && (await this.#resumes.take(resume))?.value;
  }

  #kept({ keyHash, admin, byPassword, person, workspace }: Grant, secret: string): KeptGrant {
    return { keyHash, admin, byPassword, person, workspace, ...(byPassword && { password: this.#passwordIn(secret) }) };
  }

  /** Returns a key with the rights that a grant has of it. A person owns what the session creates. */
  #keyFor({ admin, person }: Pick<Grant, 'admin' | 'person'>, key: ApiKeyRecord): ApiKeyRecord {
    if (person === undefined) return { ...key, admin: key.admin && admin };
    return { ...key, admin: key.admin && this.#admins.has(person), owner: person };
  }

  /** Returns whether sessions with a key see all workspaces, and may switch to one. */
  #maySwitch({ workspace, admin }: Pick<ApiKeyRecord, 'workspace' | 'admin'>): boolean {
    return workspace === null && (this.core.access === 'local' || admin);
  }

  /**
   * Returns a grant with the workspace that the page asks for, or the one it has while that exists.
   * @throws ServiceError `forbidden` or `not_found`
   */
  async #switched(grant: Grant, wanted: string | undefined): Promise<Grant> {
    const { apiKeys, workspaces } = this.core.store.read;
    const workspace = (wanted ?? grant.workspace) || undefined;
    if (workspace === undefined) return { ...grant, workspace };
    const key = await apiKeys.findByHash(grant.keyHash);
    if (wanted !== undefined && key && !this.#maySwitch(this.#keyFor(grant, key))) {
      throw new ServiceError('forbidden', 'Only an admin key may switch between workspaces.');
    }
    if (await workspaces.find(workspace)) return { ...grant, workspace };
    if (wanted === undefined) return { ...grant, workspace: undefined };
    throw new ServiceError('not_found', `Workspace ${JSON.stringify(shortened(workspace))} not found.`);
  }

  /** Returns whether the password that a ticket comes from, if any, is still the one of the server. */
  #isCurrent({ byPassword, password }: KeptGrant, secret: string): boolean {
    return !byPassword || (this.#password !== undefined && password === this.#passwordIn(secret));
  }

  #passwordIn(secret: string): string {
    return createHmac('sha256', secret)
      .update(this.#password ?? '')
      .digest('base64url');
  }

  async #grantFor(
    { code, key, password }: SessionProof,
    {
      address,
      person,
      isOwner,
      login,
    }: { address: string; person: string | null; isOwner(): Promise<boolean>; login: InboxLogin },
  ): Promise<Grant | undefined> {
    const attempt = { account: 'inbox', address };
    // Valid codes and keys are accepted at any time: failures of others must not lock the owner out.
    if (code !== undefined) {
      const grant = (await this.#codes.take(code))?.value;
      if (grant && this.#isCurrent(grant, code)) return grant;
      this.#attempts.failed(attempt, code);
      return refuse(login, 'The link has expired or was already used.');
    }
    if (key !== undefined) {
      const record = await this.#keyOf(key).catch((error: unknown) => {
        if (error instanceof ServiceError) this.#attempts.failed(attempt, key);
        return refuseKey(login, error);
      });
      return grantOf({ key: record });
    }
    if (password === undefined) {
      const { retryAfter, limit } = this.#requests.take([{ caller: address, limit: REQUESTS_BY_ADDRESS }]);
      if (retryAfter > 0) throw new TooManyAttemptsError(retryAfter, limit);
      if (person !== null) return { ...this.#own, admin: false, person };
      return this.core.access === 'local' && (await isOwner()) ? this.#own : undefined;
    }
    // People share the password, so it does not give the rights of an admin key.
    if (this.#attempts.check(attempt, () => this.#isPassword(password), password))
      return { ...this.#own, admin: false, byPassword: true };
    return refuse(login, 'The password is wrong.');
  }

  /** @throws ServiceError for a key that may not use the inbox. */
  async #keyOf(value: string): Promise<ApiKeyRecord> {
    const key = await authenticate(`Bearer ${value}`, this.core);
    refuseCreator(key);
    return key;
  }

  #isPassword(value: string): boolean {
    if (this.#password === undefined) return false;
    return timingSafeEqual(Buffer.from(hashKey(value)), Buffer.from(hashKey(this.#password)));
  }
}

function grantOf({ key, byPassword = false, person, maySwitch = false, switchedTo }: Right): Grant {
  const admin = key.admin || (maySwitch && !byPassword);
  return { keyHash: key.hash, admin, byPassword, person, workspace: switchedTo };
}

/** Returns whether a call comes from the browser that opened a session, with the same person. */
function isOf(caller: Caller, { cookie, person }: Session): boolean {
  return caller.cookies.includes(cookie) && (person === undefined || person === caller.person);
}

const WHY_REFUSED: Record<InboxLogin, string> = {
  link: 'This browser may not use the inbox.',
  password: 'The inbox needs a login.',
  reload: 'The browser sent no inbox cookie.',
};

const NEXT_STEP: Record<InboxLogin, string> = {
  link: 'Run "svc inbox --print" as the user who runs the server. It prints a link with a one-time code.',
  password:
    'Log in with an API key of the server, or with its inbox password. "svc inbox --print" prints a link that needs no login.',
  reload: 'Reload the page, and allow cookies of this address.',
};

/** Returns the error for a browser without a right. Its only detail names the login that the page offers. */
function loginRequired(login: InboxLogin, message: string): ServiceError {
  return new ServiceError('unauthenticated', message, [{ path: 'login', message: login }], NEXT_STEP[login]);
}

function refuseKey(login: InboxLogin, error: unknown): never {
  throw error instanceof ServiceError ? loginRequired(login, error.message) : error;
}

function refuse(login: InboxLogin, message: string): never {
  throw loginRequired(login, message);
}
