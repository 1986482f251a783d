import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { Authorizations, authenticate, type Right, rightOfKey } from '../../core/account/authorizations.js';
import { refuseCreator } from '../../core/account/key-kinds.js';
import type { Core } from '../../core/context.js';
import type { InboxAccess } from '../../core/inbox/inbox-access.js';
import { isDirect } from '../inbox/session.js';
import { isOwnConnection } from '../inbox/socket-owner.js';

/**
 * Decides who may use the API of Mailpit, whose clients send no key: the user who runs the server, over loopback.
 * Others send a key as the password of basic authentication. The plugin hostAndOrigin has checked the request before.
 */

/** Who needs no key. `everyone` can only be chosen for a server of one developer. */
export type MailpitAccess = 'owner' | 'everyone';

interface AccessOptions {
  core: Core;
  inbox: InboxAccess;
  access: MailpitAccess;
}

/** Gives each request of these routes the right of a key. */
export function authorizeRequests(server: FastifyInstance, options: AccessOptions): void {
  const authorizations = new Authorizations(options.core);
  server.addHook('onRequest', async (request) => {
    request.authorization = await authorizations.authorize(() => rightOf(request, options));
    request.apiKey = request.authorization.key;
    refuseCreator(request.apiKey);
  });
}

async function rightOf(request: FastifyRequest, { core, inbox, access }: AccessOptions): Promise<Right> {
  const { authorization } = request.headers;
  if (authorization !== undefined) return rightOfKey(await authenticate(asBearer(authorization), core));
  const isAdmitted = access === 'everyone' || (inbox.isLocal() && isDirect(request) && (await isOwner(request)));
  const key = isAdmitted && !isForeignPage(request) ? await inbox.serverKey() : undefined;
  if (!key) throw new ServiceError('unauthenticated', 'A key is required.');
  return { key };
}

function isOwner({ socket }: FastifyRequest): Promise<boolean> {
  return isOwnConnection(socket);
}

/** Returns a key that is the password of basic authentication as a bearer token, and other headers unchanged. */
function asBearer(header: string): string {
  const [, encoded] = /^Basic ([\w+/=-]+)$/i.exec(header) ?? [];
  if (encoded === undefined) return header;
  const text = Buffer.from(encoded, 'base64').toString();
  return `Bearer ${text.slice(text.indexOf(':') + 1)}`;
}

/** Returns whether a page of another origin sends this. It may open an email in a tab, whose content it cannot read. */
function isForeignPage({ headers, routeOptions }: FastifyRequest): boolean {
  const { 'sec-fetch-site': site = 'none', 'sec-fetch-dest': dest } = headers;
  if (dest === 'document' && routeOptions.url?.startsWith('/view/')) return false;
  return site !== 'none' && site !== 'same-origin';
}
