import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import { PRIVATE_HEADERS } from '../response/headers.js';
import { contextOf } from '../routes/control-api.js';
import { authorizeRequests, type MailpitAccess } from './access.js';
import type { MailpitDeps, MailpitHandler, MailpitRequest } from './calls.js';
import { SEND_PATH, sendMailpitError } from './errors.js';
import { acceptWebSockets, EVENTS_PATH, reportChanges } from './events.js';
import { getHeaders, getMessage, getPart, getRaw, viewMessage } from './message.js';
import {
  deleteMessages,
  deleteSearch,
  deleteTag,
  listMessages,
  listTags,
  renameTag,
  searchMessages,
  setReadStatus,
  setTags,
} from './messages.js';
import { sendMessage } from './send.js';
import {
  checkHtml,
  checkLinks,
  getChaos,
  getConfiguration,
  getInfo,
  notMapped,
  releaseMessage,
  setChaos,
} from './server-routes.js';

/** Serves the API of Mailpit, so that its clients work unchanged. docs/mailpit.md lists the differences. */

const MESSAGE = '/api/v1/message/:id';

const routes: [method: HTTPMethods, path: string, handler: MailpitHandler][] = [
  ['GET', '/api/v1/messages', listMessages],
  ['PUT', '/api/v1/messages', setReadStatus],
  ['DELETE', '/api/v1/messages', deleteMessages],
  ['GET', '/api/v1/search', searchMessages],
  ['DELETE', '/api/v1/search', deleteSearch],
  ['POST', SEND_PATH, sendMessage],
  ['GET', '/api/v1/tags', listTags],
  ['PUT', '/api/v1/tags', setTags],
  ['PUT', '/api/v1/tags/:tag', renameTag],
  ['DELETE', '/api/v1/tags/:tag', deleteTag],
  ['GET', MESSAGE, getMessage],
  ['GET', `${MESSAGE}/headers`, getHeaders],
  ['GET', `${MESSAGE}/raw`, getRaw],
  ['GET', `${MESSAGE}/part/:part`, getPart],
  ['GET', `${MESSAGE}/part/:part/thumb`, notMapped('it makes no thumbnails; request the part itself.')],
  ['GET', `${MESSAGE}/html-check`, checkHtml],
  ['GET', `${MESSAGE}/link-check`, checkLinks],
  ['GET', `${MESSAGE}/sa-check`, notMapped('it runs no SpamAssassin; "svc emails check" checks emails.')],
  ['GET', `${MESSAGE}/rspamd-check`, notMapped('it runs no Rspamd; "svc emails check" checks emails.')],
  ['POST', `${MESSAGE}/release`, releaseMessage],
  ['GET', '/api/v1/info', getInfo],
  ['GET', '/api/v1/webui', getConfiguration],
  ['GET', '/api/v1/chaos', getChaos],
  ['PUT', '/api/v1/chaos', setChaos],
  ['GET', '/api/v1/swagger.json', notMapped('see docs/mailpit.md.')],
  ['GET', '/view/:file', viewMessage],
  // As cypress-mailpit writes it.
  ['GET', '//view/:file', viewMessage],
];

export interface MailpitOptions extends MailpitDeps {
  access: MailpitAccess;
  basePath: string;
  onInternalError(error: unknown, requestId: string): void;
}

/** Registers the routes in a scope of their own: their access, bodies and errors are not those of svc. */
export async function mailpit(server: FastifyInstance, options: MailpitOptions): Promise<void> {
  const { core, control, access, basePath } = options;
  const shared = { ...core, ...control };
  // The hook of this scope authorizes. These routes do not belong to the service, so the request log omits them.
  const config = { public: true, unlogged: true };
  for (const path of ['/livez', '/readyz']) {
    if (!server.hasRoute({ method: 'GET', url: path })) server.get(path, { config }, async (_, reply) => reply.send());
  }
  await server.register(async (scope) => {
    authorizeRequests(scope, { core, inbox: control.inbox, access });
    scope.setErrorHandler((error, request, reply) => sendMailpitError(error, request, reply, control.stopping));
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) => body);
    const webSockets = acceptWebSockets(server);
    scope.get(EVENTS_PATH, { config }, async (request, reply) => {
      await request.authorization?.check();
      const context = contextOf(shared, request, reply, LENIENT);
      const newAfter = await context.store.read.emails.lastSeq();
      return webSockets.open(request, reply, async (socket, closed) => {
        const ended = request.authorization?.until(closed) ?? closed;
        const signal = AbortSignal.any([control.stopping, closed, ended]);
        await reportChanges(socket, context, { newAfter, signal }).catch((error: unknown) => {
          if (!signal.aborted) options.onInternalError(error, request.id);
        });
      });
    });
    for (const [method, url, handler] of routes) {
      scope.route({
        ...{ method, url, config },
        handler: async (request, reply) => {
          await request.authorization?.check();
          reply.headers(PRIVATE_HEADERS);
          const context = Object.assign(contextOf(shared, request, reply, LENIENT), { basePath });
          return handler(request as MailpitRequest, reply, context);
        },
      });
    }
  });
}

const LENIENT = { strict: false, checkResponses: false };
