import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { control } from '../../contract/control/endpoints.js';
import { CONTROL_PREFIX } from '../../contract/vocabulary/routes.js';
import type { Core } from '../../core/context.js';
import type { ControlCall, ControlContext, ControlDeps } from '../../core/handlers/control/context.js';
import { controlHandlers } from '../../core/handlers/control/handlers.js';
import { storeFor } from '../../core/workspaces/scoped-store.js';
import { authorizationOf } from '../plugins/auth.js';
import { callerOf } from '../request/loggable.js';
import { announce } from '../response/headers.js';
import { actorIn, bindContract, isChange, isStream, type RequestChecks } from './contract-routes.js';

/** Milliseconds that a client has to read the end of a stream whose right has ended. */
const END_MS = 1_000;

export interface ControlApiOptions extends RequestChecks {
  core: Core;
  control: ControlDeps;
}

/** Registers the control API under `/_svc`. If it is disabled, registers only `health`. */
export async function controlApi(server: FastifyInstance, options: ControlApiOptions): Promise<void> {
  const { core, control: deps, ...checks } = options;
  const shared = { ...core, ...deps };
  bindContract<ControlContext>(server, {
    ...checks,
    // A test must not pass because a misspelled condition was ignored.
    refuseUnknown: true,
    prefix: CONTROL_PREFIX,
    contract: deps.controlEnabled ? control : { health: control.health },
    handlers: controlHandlers,
    now: () => core.clock.now(),
    contextOf: (request, reply) => contextOf(shared, request, reply, checks),
  });
}

/**
 * Returns the context of a call. Its prototype is what all calls share, because a copy would take a tenth of a
 * millisecond for each call.
 */
export function contextOf<Deps extends Pick<ControlDeps, 'stopping'>>(
  shared: Core & Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { strict }: RequestChecks,
): ControlCall & Deps {
  let signal: AbortSignal | undefined;
  const own: Omit<ControlCall, Exclude<keyof Core, 'store'>> = {
    store: storeFor(shared, request.apiKey, isChange(request)),
    get key() {
      return authorizationOf(request).key;
    },
    actor: () => actorIn(request),
    simulate: undefined,
    caller: () => callerOf(request),
    isHead: request.method === 'HEAD',
    warnings: () => request.warnings ?? [],
    warn: (...warnings) => announce(reply, strict, warnings),
    // Most handlers do not use it. Each signal listens to the response, so a call has only one.
    get signal() {
      signal ??= signalOf(shared, request, reply);
      return signal;
    },
    get right() {
      return authorizationOf(request).right;
    },
    recheck: () => authorizationOf(request).recheck(),
  };
  return Object.setPrototypeOf(own, shared);
}

/** Returns a signal that aborts when a call ends early: the server stops, the client disconnects, or its right ends. */
function signalOf(
  { stopping, clock }: Core & Pick<ControlDeps, 'stopping'>,
  { authorization, routeOptions }: FastifyRequest,
  reply: FastifyReply,
): AbortSignal {
  const closed = closeSignal(reply);
  if (!authorization) return AbortSignal.any([stopping, closed]);
  const ended = authorization.until(closed);
  const endpoint = routeOptions.config.operation?.endpoint;
  if (endpoint && isStream(endpoint)) {
    // Otherwise a client that does not read would keep its stream, and the temporary webhook of its stream.
    ended.addEventListener('abort', () => clock.after(END_MS, () => reply.raw.destroy()), { once: true });
  }
  return AbortSignal.any([stopping, closed, ended]);
}

/** Returns a signal that aborts when the connection of a response is closed. */
function closeSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (raw.destroyed) controller.abort();
  else raw.once('close', () => controller.abort());
  return controller.signal;
}
