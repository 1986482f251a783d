import { routes, SERVICE_PREFIX } from '../routes.js';
import { matchesParts } from '../text.js';

/** Reads and matches the requests that a fault applies to, such as `POST /v1/emails` or `* /v1/templates/{id}`. */

export interface HttpTarget {
  /** A method; null for any. */
  method: string | null;
  /** A path in which `{name}` is any segment, and `*` any text of a segment, or at the end any rest. */
  path: string;
}

export const HTTP_TARGET_FORM = 'a method and a path of the service, such as "POST /v1/emails" or "* /v1/*"';

/** Reads a target. Returns undefined if its form is invalid. */
export function readHttpTarget(text: string): HttpTarget | undefined {
  const [method = '', path = '', ...others] = text.trim().split(' ').filter(Boolean);
  if (others.length > 0 || !path.startsWith('/') || !/^(?:\*|[a-z]{1,16})$/i.test(method)) return undefined;
  return { method: method === '*' ? null : method.toUpperCase(), path };
}

/** Returns whether a target applies to a request. `path` has no query. */
export function matchesRequest(target: HttpTarget, method: string, path: string): boolean {
  return (target.method === null || target.method === method) && matchesPath(target.path, path);
}

/** Returns whether a target applies to any operation of the service, or to one in particular. */
export function matchesOperation(target: HttpTarget, name?: keyof typeof routes): boolean {
  const wanted = name === undefined ? Object.values(routes) : [routes[name]];
  return wanted.some(({ method, path }) => {
    const whole = SERVICE_PREFIX + path;
    // Either may have a placeholder where the other has a value.
    return matchesRequest(target, method, whole) || (target.method === method && matchesPath(whole, target.path));
  });
}

function matchesPath(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const segments = path.split('/');
  const hasRest = wanted.at(-1) === '*';
  if (hasRest ? segments.length < wanted.length : segments.length !== wanted.length) return false;
  return wanted.every((part, index) => {
    if (part === '*') return true;
    const segment = segments[index] ?? '';
    if (part.startsWith('{') && part.endsWith('}')) return segment !== '';
    return part.includes('*') ? matchesParts(part.split('*'), segment) : part === segment;
  });
}
