import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { RETRY_AFTER_HEADER } from '../../contract/vocabulary/headers.js';
import { INBOX_SESSION_PATH } from '../../contract/vocabulary/inbox.js';
import { isLoopback } from '../../contract/vocabulary/parsers/loopback.js';
import { CONTROL_PREFIX } from '../../contract/vocabulary/routes.js';
import { type Core, timestamp } from '../../core/context.js';
import type { ControlDeps } from '../../core/control/context.js';
import type { SessionProof } from '../../core/inbox/inbox-access.js';
import { TooManyAttemptsError } from '../../core/resources/login-attempts.js';
import { sendData } from '../response/envelope.js';
import { inboxCookies, isSameOrigin } from './browser.js';
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

export async function inboxSession(
  server: FastifyInstance,
  { core, control }: { core: Core; control: ControlDeps },
): Promise<void> {
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
    const { key, maySwitch } = await inbox.rightOf(token, inboxCookies(request));
    const workspaces = maySwitch ? await core.store.read.workspaces.list() : [];
    const data = {
      token,
      resume,
      expires_at: timestamp(expiresAt),
      server_key_id: serverKey?.id ?? null,
      workspace: key.workspace,
      workspaces: workspaces.map(({ name }) => name),
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
