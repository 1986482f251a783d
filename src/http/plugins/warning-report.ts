import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { OWN_USER_AGENT } from '../../contract/vocabulary/headers.js';
import { SERVICE_PREFIX } from '../../contract/vocabulary/routes.js';
import { maskSecrets } from '../../contract/vocabulary/secrets.js';
import { shortened } from '../../contract/vocabulary/text.js';
import { warningForms } from '../../contract/vocabulary/warnings.js';
import type { Clock } from '../../core/ports.js';
import type { ExampleRequest, WarningTally } from '../../core/streams/warning-tally.js';
import { isOwnCall } from '../in-process.js';
import {
  loggablePath,
  loggableUserAgent,
  loggableWarning,
  PATH_CHARACTERS,
  routePattern,
} from '../request/loggable.js';

/** Collects the warnings about requests, and counts those about requests to the service. */

/** A longer body is shortened: each text in it to TEXT_CHARACTERS, and each list to LIST_ITEMS. */
const BODY_CHARACTERS = 16 * 1024;
const TEXT_CHARACTERS = 200;
const LIST_ITEMS = 60;

export interface WarningReportOptions {
  tally: WarningTally;
  clock: Clock;
  /** Whether the server refuses requests with warnings. */
  strict: boolean;
}

const plugin: FastifyPluginAsync<WarningReportOptions> = async (server, { tally, clock, strict }) => {
  server.decorateRequest('warnings', null);
  server.addHook('onResponse', async (request) => {
    const { warnings, routeOptions, method, id, headers } = request;
    const url = routeOptions.url ?? '';
    if (warnings === null || isOwnCall(request) || isOwnRead(request) || !url.startsWith(`${SERVICE_PREFIX}/`)) return;
    const occurrence = {
      route: `${method} ${routePattern(request)}`,
      userAgent: loggableUserAgent(headers['user-agent']),
      at: clock.now(),
      requestId: id,
      emailId: null,
    };
    let found: ExampleRequest | undefined;
    const example = () => {
      found ??= exampleOf(request);
      return found;
    };
    for (const warning of warnings) {
      // The service would not refuse it.
      if (warning.code === 'injected_fault') continue;
      const refused = strict && warningForms[warning.code].strict !== null;
      tally.record(loggableWarning(warning), { ...occurrence, refused }, example);
    }
  });
};

/** Returns whether a command of svc reads something, which says nothing about the application. */
function isOwnRead({ method, headers }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && headers['user-agent']?.startsWith(OWN_USER_AGENT) === true;
}

export const warningReport = fp(plugin);

function exampleOf({ method, url, body }: FastifyRequest): ExampleRequest {
  const { text, isShortened } = jsonOf(body);
  return {
    method,
    path: loggablePath(url),
    body: text === '' || text.length > BODY_CHARACTERS ? null : maskSecrets(text),
    shortened: isShortened || url.length > PATH_CHARACTERS,
  };
}

/** Returns the JSON of a body. Large texts are left out before they are converted, because that would take long. */
function jsonOf(body: unknown): { text: string; isShortened: boolean } {
  if (body === undefined || body === null) return { text: '', isShortened: false };
  let left = BODY_CHARACTERS;
  const whole = JSON.stringify(body, (name, value) => {
    left -= name.length + (typeof value === 'string' ? value.length : 0);
    return left < 0 ? undefined : hideSecret(name, value);
  });
  const isShortened = left < 0 || whole.length > BODY_CHARACTERS;
  return { text: isShortened ? JSON.stringify(body, shortenValue) : whole, isShortened };
}

function hideSecret(name: string, value: unknown): unknown {
  return name === 'secret' && typeof value === 'string' ? 'SECRET' : value;
}

function shortenValue(name: string, value: unknown): unknown {
  if (typeof value === 'string') return hideSecret(name, shortened(value, TEXT_CHARACTERS));
  return Array.isArray(value) ? value.slice(0, LIST_ITEMS) : value;
}
