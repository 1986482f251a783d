import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { INBOX_TOKEN_HEADER } from '../../contract/vocabulary/inbox.js';
import {
  type Authorization,
  Authorizations,
  authenticate,
  type Right,
  rightOfKey,
} from '../../core/account/authorizations.js';
import { refuseCreator, refuseKind } from '../../core/account/key-kinds.js';
import type { Core } from '../../core/context.js';
import type { InboxAccess } from '../../core/inbox/inbox-access.js';
import type { ApiKeyRecord } from '../../core/model/resources.js';
import { inboxCookies, isSameOrigin } from '../inbox/session.js';
import { unknownPath } from '../response/unknown-path.js';
import { isRateLimited } from './rate-limit.js';

/** Authenticates calls by their API key, or by a session of the web inbox. Specification: Authentication. */

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route accepts calls without an API key. */
    public?: boolean;
  }
  interface FastifyRequest {
    /** The API key of the call, or the one that its session acts as. Every handler of a route that is not public has one. */
    apiKey: ApiKeyRecord | null;
    /** The right of the call, to be checked again while it is open. Null for a call without a valid key. */
    authorization: Authorization | null;
    /** The reason why the call has no valid API key. */
    authError: unknown;
    /** Whether the call is one of the inbox page, with a valid session. */
    isInboxCall: boolean;
  }
}

const plugin: FastifyPluginAsync<{ core: Core; inbox: InboxAccess }> = async (server, { core, inbox }) => {
  const authorizations = new Authorizations(core);
  server.decorateRequest('apiKey', null);
  server.decorateRequest('authorization', null);
  server.decorateRequest('authError', null);
  server.decorateRequest('isInboxCall', false);
  server.addHook('onRequest', async (request) => {
    if (!needsKey(request)) return;
    try {
      const token = request.headers[INBOX_TOKEN];
      request.authorization = await authorizations.authorize(
        token === undefined
          ? async () => rightOfKey(await authenticate(request.headers.authorization, core))
          : () => sessionRight(request, String(token), inbox),
      );
      request.apiKey = request.authorization.key;
      request.isInboxCall = token !== undefined;
    } catch (error) {
      request.authError = error;
    }
  });
  // Runs after the rate limit, so that calls without a valid key count, and their responses have its headers.
  server.addHook('preParsing', async (request) => {
    if (request.authError) throw request.authError;
    // Before the body is read: what it contains does not matter.
    if (request.is404) throw unknownPath(request);
    const { operation } = request.routeOptions.config;
    if (!request.apiKey) return;
    if (operation) refuseKind(operation.endpoint, request.apiKey, core.access);
    else refuseCreator(request.apiKey);
  });
};

const INBOX_TOKEN = INBOX_TOKEN_HEADER.toLowerCase();

function sessionRight(request: FastifyRequest, token: string, inbox: InboxAccess): Promise<Right> {
  // A page of another origin has neither the token nor an answer to its preflight request.
  const cookies = isSameOrigin(request) ? inboxCookies(request) : [];
  return inbox.rightOf(token, { cookies, person: request.person });
}

/** Returns whether a call needs an API key. Unknown paths under the service's prefix do; other unknown paths do not. */
function needsKey(request: FastifyRequest): boolean {
  const isPublic = request.routeOptions.config.public === true;
  return !isPublic && (!request.is404 || isRateLimited(request));
}

/** Returns the authorization of a call. @throws Error for a public route: its handler must not use it. */
export function authorizationOf({ authorization }: FastifyRequest): Authorization {
  if (!authorization) throw new Error('A call of a public route has no authorization.');
  return authorization;
}

export const auth = fp(plugin);
