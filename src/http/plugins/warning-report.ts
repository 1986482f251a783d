import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { maskSecrets } from '../../contract/vocabulary/helpers/mask-secrets.js';
import { shortened } from '../../contract/vocabulary/helpers/shorten.js';
import { SERVICE_PREFIX } from '../../contract/vocabulary/routes.js';
import type { Clock } from '../../core/ports.js';
import type { ExampleRequest, WarningTally } from '../../core/streams/warning-tally.js';
import { isOwnCall } from '../in-process.js';

/** Counts the warnings about requests to the service. */

const USER_AGENT_CHARACTERS = 200;
const PATH_CHARACTERS = 2_000;
/** A longer body is shortened: each text in it to TEXT_CHARACTERS, and each list to LIST_ITEMS. */
const BODY_CHARACTERS = 16 * 1024;
const TEXT_CHARACTERS = 200;
const LIST_ITEMS = 60;

const plugin: FastifyPluginAsync<{ tally: WarningTally; clock: Clock }> = async (server, { tally, clock }) => {
  server.addHook('onResponse', async (request) => {
    const { warnings, routeOptions, method, id, headers } = request;
    const url = routeOptions.url ?? '';
    if (warnings === null || isOwnCall(request) || !url.startsWith(`${SERVICE_PREFIX}/`)) return;
    const userAgent = headers['user-agent'];
    const occurrence = {
      route: `${method} ${url.replace(/:(\w+)/g, '{$1}')}`,
      userAgent: userAgent === undefined ? null : maskSecrets(shortened(userAgent, USER_AGENT_CHARACTERS)),
      at: clock.now(),
      requestId: id,
      emailId: null,
    };
    for (const { code, path, message } of warnings) {
      const masked = { code, path: maskSecrets(path), message: maskSecrets(message) };
      tally.record(masked, occurrence, () => exampleOf(request));
    }
  });
};

export const warningReport = fp(plugin);

function exampleOf({ method, url, body }: FastifyRequest): ExampleRequest {
  const json = body === undefined || body === null ? undefined : JSON.stringify(body, hideSecret);
  const text =
    json === undefined || json.length <= BODY_CHARACTERS
      ? json
      : JSON.stringify(body, shortenValue)?.slice(0, BODY_CHARACTERS);
  return {
    method,
    path: maskSecrets(url.slice(0, PATH_CHARACTERS)),
    body: text === undefined ? null : maskSecrets(text),
  };
}

function hideSecret(name: string, value: unknown): unknown {
  return name === 'secret' && typeof value === 'string' ? 'SECRET' : value;
}

function shortenValue(name: string, value: unknown): unknown {
  if (typeof value === 'string') return hideSecret(name, shortened(value, TEXT_CHARACTERS));
  return Array.isArray(value) ? value.slice(0, LIST_ITEMS) : value;
}
