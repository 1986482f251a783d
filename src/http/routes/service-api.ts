import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { service } from '../../contract/service/endpoints.js';
import { SIMULATE_HEADER } from '../../contract/vocabulary/outcome.js';
import { SERVICE_PREFIX } from '../../contract/vocabulary/routes.js';
import type { CallContext, Core } from '../../core/context.js';
import { handlers } from '../../core/handlers.js';
import { storeFor } from '../../core/workspaces/scoped-store.js';
import { authorizationOf } from '../plugins/auth.js';
import { announce } from '../response/warning.js';
import { bindContract, isChange, type RequestChecks } from './contract-routes.js';

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
    simulate: simulateOf(request),
    warnings: () => request.warnings ?? [],
    warn: (...warnings) => announce(reply, core.strict, warnings),
  };
}

/** Returns the unparsed outcome that a call requests. */
function simulateOf({ headers }: FastifyRequest): string | undefined {
  return headers[SIMULATE_HEADER.toLowerCase()]?.toString();
}
