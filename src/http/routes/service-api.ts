import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { service } from '../../contract/service/endpoints.js';
import { SIMULATE_HEADER } from '../../contract/vocabulary/outcomes.js';
import { SERVICE_PREFIX } from '../../contract/vocabulary/routes.js';
import type { CallContext, Core } from '../../core/context.js';
import { handlers } from '../../core/handlers/service/handlers.js';
import { CLICK_PATH, OPEN_PATH } from '../../core/mail/tracking/tracking.js';
import { clickTracked, openTracked, type Visitor } from '../../core/mail/tracking/visits.js';
import { storeFor } from '../../core/workspaces/scoped-store.js';
import { authorizationOf } from '../plugins/auth.js';
import { callerOf } from '../request/loggable.js';
import { announce, PRIVATE_HEADERS } from '../response/headers.js';
import { actorIn, bindContract, isChange, type RequestChecks } from './contract-routes.js';

export interface ServiceApiOptions extends RequestChecks {
  core: Core;
}

/** Registers the service's public API under `/v1`. */
export async function serviceApi(server: FastifyInstance, { core, ...checks }: ServiceApiOptions): Promise<void> {
  bindContract<CallContext>(server, {
    ...checks,
    prefix: SERVICE_PREFIX,
    contract: service,
    handlers,
    now: () => core.clock.now(),
    contextOf: (request, reply) => contextOf(core, request, reply),
  });
}

/** Returns the context of a call. It names every field, because a spread of the core would take ten times as long. */
function contextOf(core: Core, request: FastifyRequest, reply: FastifyReply): CallContext {
  return {
    store: storeFor(core, request.apiKey, isChange(request)),
    clock: core.clock,
    ids: core.ids,
    dns: core.dns,
    makeDkimKey: core.makeDkimKey,
    findHtmlLinks: core.findHtmlLinks,
    showContent: core.showContent,
    publicUrl: core.publicUrl,
    plan: core.plan,
    sendingLimits: core.sendingLimits,
    access: core.access,
    warningTally: core.warningTally,
    deliveryDelayMs: core.deliveryDelayMs,
    bounceNotices: core.bounceNotices,
    strict: core.strict,
    announcedDomains: core.announcedDomains,
    autoRelease: core.autoRelease,
    outboundHosts: core.outboundHosts,
    parsed: core.parsed,
    parsePending: core.parsePending,
    extractPending: core.extractPending,
    extractsOf: core.extractsOf,
    key: authorizationOf(request).key,
    actor: () => actorIn(request),
    simulate: simulateOf(request),
    caller: () => callerOf(request),
    warnings: () => request.warnings ?? [],
    warn: (...warnings) => announce(reply, core.strict, warnings),
  };
}

/** Returns the unparsed outcome that a call requests. */
function simulateOf({ headers }: FastifyRequest): string | undefined {
  return headers[SIMULATE_HEADER.toLowerCase()]?.toString();
}

/** Serves the pixel and the tracked links in delivered emails. Email clients have no API key and may use any origin. */

/**
 * A transparent GIF of one pixel. GIF89a: a logical screen, two colours, and the control extension that makes the first
 * colour transparent.
 */
const PIXEL = Buffer.from(
  '47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b',
  'hex',
);

/** Characters that a URL may contain (RFC 3986 section 2). Others must be escaped in a header. */
const PLAIN_URL = /^[\w.~:/?#[\]@!$&'()*+,;=%-]+$/;

/** Registers the routes of the pixel and the tracked links. */
export async function tracking(server: FastifyInstance, { core }: { core: Core }): Promise<void> {
  const config = { public: true, anyOrigin: true };
  const method = ['GET', 'HEAD'];
  server.route<{ Params: { file: string } }>({
    method,
    url: `${OPEN_PATH}:file`,
    config,
    async handler(request, reply) {
      forbidCaching(reply);
      await openTracked(request.params.file, visitorOf(request), core);
      return reply.header('content-type', 'image/gif').send(PIXEL);
    },
  });
  server.route<{ Params: { token: string } }>({
    method,
    url: `${CLICK_PATH}:token`,
    config,
    async handler(request, reply) {
      forbidCaching(reply);
      const url = await clickTracked(request.params.token, visitorOf(request), core);
      return reply
        .code(302)
        .header('location', PLAIN_URL.test(url) ? url : new URL(url).href)
        .send();
    },
  });
}

function forbidCaching(reply: FastifyReply): void {
  reply.headers(PRIVATE_HEADERS);
  // Prevents the link's target from receiving the token, and the URL of the page that shows the email.
  reply.header('referrer-policy', 'no-referrer');
}

/** Returns the client that sent the request; null for HEAD, because a scanner that only checks a link has not opened it. */
function visitorOf(request: FastifyRequest): Visitor | null {
  if (request.method === 'HEAD') return null;
  return { ip: request.ip, userAgent: request.headers['user-agent'] ?? '' };
}
