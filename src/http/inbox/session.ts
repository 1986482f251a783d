import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopback } from '../../contract/vocabulary/domains.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { RETRY_AFTER_HEADER } from '../../contract/vocabulary/headers.js';
import { INBOX_LEAVE_PATH, INBOX_SESSION_PATH } from '../../contract/vocabulary/inbox.js';
import { CONTROL_PREFIX } from '../../contract/vocabulary/routes.js';
import { escapeHtml } from '../../contract/vocabulary/text.js';
import { kindOf } from '../../core/account/key-kinds.js';
import { TooManyAttemptsError } from '../../core/account/login-attempts.js';
import { recordSignIn } from '../../core/audit.js';
import { type Core, timestamp } from '../../core/context.js';
import type { ControlDeps } from '../../core/handlers/control/context.js';
import type { InboxAccess, SessionProof } from '../../core/inbox/inbox-access.js';
import { CLICK_PATH } from '../../core/mail/tracking/tracking.js';
import { linkTarget } from '../../core/mail/tracking/visits.js';
import { sendData } from '../response/envelope.js';
import { sendMessagePage } from './message-page.js';
import { isOwnConnection } from './socket-owner.js';

/** Opens sessions of the web inbox. The page alone uses this route, so the contract does not have it. */

/**
 * Headers of proxies: the connection then belongs to the proxy's user. Forwarded and Via, all names that begin with
 * X-Forwarded, X-Original or CF-, and all that name the client's address, such as X-Real-IP and True-Client-IP.
 */
const OF_PROXIES =
  /^(?:forwarded|via|x-(?:forwarded|original)(?:-.*)?|cf-.*|(?:.*-)?ip|.*-(?:client|external)-address)$/;

const PROOF_CHARACTERS = 1_000;
const BODY_BYTES = 4_096;
const PROOFS = ['resume', 'code', 'key', 'password'] as const;
const FIELDS: readonly string[] = [...PROOFS, 'workspace'];

export interface SessionDeps {
  core: Core;
  control: Pick<ControlDeps, 'commandFlags' | 'describe' | 'inbox'>;
}

export async function inboxSession(server: FastifyInstance, { core, control }: SessionDeps): Promise<void> {
  const { inbox, describe, commandFlags } = control;
  const route = {
    config: { public: true },
    bodyLimit: BODY_BYTES,
    // Before the body is read.
    onRequest: async (request: FastifyRequest) => requireOwnPage(request),
  };
  server.post(CONTROL_PREFIX + INBOX_SESSION_PATH, route, async (request, reply) => {
    const proof = readProof(request.body);
    const mayBeOwner = inbox.isLocal() && isDirect(request);
    const opened = await inbox
      .open(inboxCookies(request), proof, {
        address: request.ip,
        person: request.person,
        isOwner: async () => mayBeOwner && isOwnConnection(request.socket),
        login: mayBeOwner ? 'link' : 'password',
      })
      .catch((error: unknown) => {
        if (error instanceof TooManyAttemptsError) reply.header(RETRY_AFTER_HEADER, error.retryAfter);
        throw error;
      });
    const { base_url, smtp, version } = describe();
    const { token, resume, expiresAt } = opened;
    const serverKey = await inbox.serverKey();
    const caller = { cookies: inboxCookies(request), person: request.person };
    const right = await inbox.rightOf(token, caller);
    const { key, maySwitch, person = null } = right;
    if (person !== null && proof.resume === undefined) {
      await recordSignIn(core, { ...right, person }, { client: request.ip, requestId: request.id });
    }
    const workspaces = maySwitch ? await core.store.read.workspaces.list() : [];
    const data = {
      token,
      resume,
      expires_at: timestamp(expiresAt),
      server_key_id: serverKey?.id ?? null,
      workspace: key.workspace,
      workspaces: workspaces.map(({ name }) => name),
      person,
      is_admin: core.access === 'local' || kindOf(key) === 'admin',
      base_url,
      smtp,
      version,
      command_flags: commandFlags,
    };
    return sendData(reply, 201, data, request.id, core.clock.now());
  });
}

/** Refuses programs, and pages that a browser reports as foreign; hostAndOrigin has already refused other origins. */
function requireOwnPage(request: FastifyRequest): void {
  if (request.headers.origin !== undefined && isSameOrigin(request)) return;
  throw new ServiceError(
    'forbidden',
    'Only the inbox page opens a session.',
    undefined,
    'Open the inbox in a browser with "svc inbox". Programs use an API key.',
  );
}

/** Returns whether no proxy forwarded the request, and the browser used the name of this machine. */
export function isDirect({ headers }: FastifyRequest): boolean {
  if (Object.keys(headers).some((name) => OF_PROXIES.test(name))) return false;
  const url = `http://${headers.host}`;
  return URL.canParse(url) && isLoopback(new URL(url).hostname);
}

/** @throws ServiceError unless the body is an object with at most one proof. */
function readProof(body: unknown): SessionProof {
  const given = typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.entries(body) : undefined;
  const isValid = given?.every(
    ([name, value]) => FIELDS.includes(name) && typeof value === 'string' && value.length <= PROOF_CHARACTERS,
  );
  const proofs = given?.filter(([name]) => name !== 'workspace').length ?? 0;
  if (given && proofs <= 1 && isValid) return Object.fromEntries(given) as SessionProof;
  throw new ServiceError('bad_request', `The body must be a JSON object with at most one of: ${PROOFS.join(', ')}.`);
}

/** Reads what browsers send about themselves: the inbox's cookie, and from where a request comes. */

/** The form of the cookie's value. */
const COOKIE = /^[A-Za-z0-9]{43}$/;

/**
 * Returns the name of the cookie that binds a session to a browser. Browsers send it to every port of the host: that is
 * why it proves nothing without the session's token, and why its name contains the port.
 */
export function inboxCookieName({ headers: { host = '' } }: Pick<FastifyRequest, 'headers'>): string {
  return `svc_inbox_${/:(\d+)$/.exec(host)?.[1] ?? '80'}`;
}

/** Returns the values of the cookie. There are several if a page of another port set one for a path. */
export function inboxCookies(request: Pick<FastifyRequest, 'headers'>): string[] {
  const name = inboxCookieName(request);
  return (request.headers.cookie ?? '').split(';').flatMap((pair) => {
    const [key = '', value = ''] = pair.trim().split('=', 2);
    return key === name && COOKIE.test(value) ? [value] : [];
  });
}

/** Returns the origin that a browser uses: https if this server or a trusted proxy has TLS, or one at the public URL. */
export function originOf({ protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>, publicUrl: string): string {
  const { origin, host: publicHost } = new URL(publicUrl);
  return host === publicHost ? origin : `${protocol}://${host}`;
}

/** Returns whether a page of this server sent the request. Browsers omit the header for http on other machines. */
export function isSameOrigin({ headers: { 'sec-fetch-site': site } }: Pick<FastifyRequest, 'headers'>): boolean {
  return site === undefined || site === 'same-origin';
}

/** Returns whether the request is a direct or same-origin navigation. */
export function isNavigation(request: Pick<FastifyRequest, 'headers'>): boolean {
  const { 'sec-fetch-dest': dest = 'document', 'sec-fetch-site': site } = request.headers;
  return dest === 'document' && (site === 'none' || isSameOrigin(request));
}

/**
 * Shows where a link of an email leads, and opens it without a referrer. Tracked links lead to their target at once, so
 * that no click is recorded.
 */
export async function inboxLeave(
  server: FastifyInstance,
  { core, inbox }: { core: Core; inbox: InboxAccess },
): Promise<void> {
  const config = { public: true, anyOrigin: true, unlogged: true };
  server.get<{ Querystring: { to?: string } }>(INBOX_LEAVE_PATH, { config }, async (request, reply) => {
    reply.header('cross-origin-opener-policy', 'same-origin');
    if (inbox.urls.check(request.raw.url ?? '') !== 'valid') {
      return sendMessagePage(reply, 403, { title: 'This link is not valid', content: NOT_VALID }, core);
    }
    const to = request.query.to ?? '';
    const target = await trackedTarget(to, core);
    const page = { title: 'Open this link?', content: contentFor(target ?? to, target !== undefined) };
    return sendMessagePage(reply, 200, page, core);
  });
}

const NOT_VALID =
  '<p>Links of emails are valid until the server stops. Reload the email in the inbox, and click the link again.</p>';

/** Returns the target of a link that this server tracks. */
async function trackedTarget(to: string, core: Core): Promise<string | undefined> {
  const { pathname } = new URL(to);
  if (!pathname.startsWith(CLICK_PATH)) return undefined;
  // A link of another server, or of an email that was deleted.
  return linkTarget(pathname.slice(CLICK_PATH.length), core).catch((error: unknown) => {
    if (error instanceof ServiceError && error.failure === 'not_found') return undefined;
    throw error;
  });
}

function contentFor(to: string, isTracked: boolean): string {
  // The parsed URL has no invisible characters, and none that change the direction of the text.
  const { href, host, protocol, username, password } = new URL(to);
  const notes = [
    ...(isTracked ? ['The email has a tracked link to this address. Opening it here records no click.'] : []),
    ...(protocol === 'http:' ? ['The connection is not encrypted.'] : []),
    ...(username + password === '' ? [] : [`The part before @ is not the address. The link leads to ${host}.`]),
    ...(host.includes('xn--') ? [`The name of the server has characters beyond ASCII: ${host}`] : []),
  ];
  const lead = host === '' ? '' : `<p>It leads to <strong>${escapeHtml(host)}</strong>.</p>\n`;
  return `${lead}<p class="address">${escapeHtml(href)}</p>
${notes.map((note) => `<p class="note">${escapeHtml(note)}</p>\n`).join('')}<p><a class="open" href="${escapeHtml(href)}" rel="noopener noreferrer">Open the link</a></p>`;
}
