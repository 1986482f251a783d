import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { maskSecrets } from '../../contract/vocabulary/helpers/mask-secrets.js';
import { shortened } from '../../contract/vocabulary/helpers/shorten.js';
import { SERVICE_PREFIX } from '../../contract/vocabulary/routes.js';
import type { Clock } from '../../core/ports.js';
import type { ExampleRequest, WarningTally } from '../../core/streams/warning-tally.js';
import { isOwnCall } from '../in-process.js';
import { PATH_CHARACTERS, readUserAgent, withoutSecrets } from './request-log.js';

/** Counts the warnings about requests to the service. */

/** A longer body is shortened: each text in it to TEXT_CHARACTERS, and each list to LIST_ITEMS. */
const BODY_CHARACTERS = 16 * 1024;
const TEXT_CHARACTERS = 200;
const LIST_ITEMS = 60;

const plugin: FastifyPluginAsync<{ tally: WarningTally; clock: Clock }> = async (server, { tally, clock }) => {
  server.addHook('onResponse', async (request) => {
    const { warnings, routeOptions, method, id, headers } = request;
    const url = routeOptions.url ?? '';
    if (warnings === null || isOwnCall(request) || !url.startsWith(`${SERVICE_PREFIX}/`)) return;
    const occurrence = {
      route: `${method} ${url.replace(/:(\w+)/g, '{$1}')}`,
      userAgent: readUserAgent(headers['user-agent']),
      at: clock.now(),
      requestId: id,
      emailId: null,
    };
    for (const warning of warnings) tally.record(withoutSecrets(warning), occurrence, () => exampleOf(request));
  });
};

export const warningReport = fp(plugin);

function exampleOf({ method, url, body }: FastifyRequest): ExampleRequest {
  const json = body === undefined || body === null ? '' : JSON.stringify(body, hideSecret);
  const isLong = json.length > BODY_CHARACTERS;
  const text = isLong ? JSON.stringify(body, shortenValue) : json;
  return {
    method,
    path: maskSecrets(url.slice(0, PATH_CHARACTERS)),
    body: text === '' || text.length > BODY_CHARACTERS ? null : maskSecrets(text),
    shortened: isLong || url.length > PATH_CHARACTERS,
  };
}

function hideSecret(name: string, value: unknown): unknown {
  return name === 'secret' && typeof value === 'string' ? 'SECRET' : value;
}

function shortenValue(name: string, value: unknown): unknown {
  if (typeof value === 'string') return hideSecret(name, shortened(value, TEXT_CHARACTERS));
  return Array.isArray(value) ? value.slice(0, LIST_ITEMS) : value;
}
