import type { FastifyRequest } from 'fastify';
import { type Failure, ServiceError } from '../../contract/vocabulary/errors.js';
import { INBOX_PATH } from '../../contract/vocabulary/inbox.js';
import { nearestName } from '../../contract/vocabulary/nearest-name.js';
import { CONTROL_PREFIX, controlRoutes, type Route, routes, SERVICE_PREFIX } from '../../contract/vocabulary/routes.js';
import { shortened } from '../../contract/vocabulary/text.js';

/** Answers requests that no route matches, and names a similar route. Gap 37. */

export const UNKNOWN_PATH_HINT = 'Check the method and the path. GET /v1/openapi.json lists all routes.';
/** The hint for a program that asks for the web inbox. */
const INBOX_HINT = 'The API is at /v1, its reference at /docs. "svc inbox" opens the web inbox in a browser.';
/** Maximum number of edits between a path and the one that was probably meant. */
const EDITS_MAX = 2;

/** `failure` is how the endpoint of a path without its ID declares that something was not found. */
export function unknownPath(request: FastifyRequest, failure: Failure = 'not_found'): ServiceError {
  const path = pathOf(request);
  const message = `No route matches ${request.method} ${shortened(path)}.`;
  return new ServiceError(failure, message, undefined, hintFor(path));
}

function hintFor(path: string): string {
  if (path === '/' || path === INBOX_PATH || path.startsWith(`${INBOX_PATH}/`)) return INBOX_HINT;
  const suggestion = suggestionFor(path);
  return suggestion ? `${suggestion} ${UNKNOWN_PATH_HINT}` : UNKNOWN_PATH_HINT;
}

export function pathOf({ url }: Pick<FastifyRequest, 'url'>): string {
  return url.split('?', 1)[0] ?? '';
}

const known = [...withPrefix(SERVICE_PREFIX, routes), ...withPrefix(CONTROL_PREFIX, controlRoutes)];

function withPrefix(prefix: string, of: Record<string, Route>): Route[] {
  return Object.values(of).map((route) => ({ ...route, path: prefix + route.path }));
}

function suggestionFor(path: string): string | undefined {
  if (path.endsWith('/') && methodsOf(path.slice(0, -1)).length > 0) {
    return `Remove the slash at the end: ${shortened(path.slice(0, -1))}.`;
  }
  const methods = methodsOf(path);
  if (methods.length > 0) return `This path accepts ${methods.join(', ')}.`;
  const meant = methodsOf(SERVICE_PREFIX + path).length > 0 ? SERVICE_PREFIX + path : nearestPath(path);
  return meant && `Did you mean ${shortened(meant)}?`;
}

function methodsOf(path: string): string[] {
  const found = known.filter((route) => isPathOf(route, path));
  return [...new Set(found.map(({ method }) => method))];
}

function isPathOf(route: Route, path: string): boolean {
  const segments = path.split('/');
  const wanted = route.path.split('/');
  return (
    segments.length === wanted.length &&
    wanted.every((each, index) => (each.startsWith('{') ? segments[index] !== '' : segments[index] === each))
  );
}

function nearestPath(path: string): string | undefined {
  const paths = known.map((route) => route.path).filter((one) => !one.includes('{'));
  return nearestName(path, paths, EDITS_MAX);
}
