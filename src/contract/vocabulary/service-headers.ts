import { SIMULATE_HEADER } from './outcomes.js';
import { shortened } from './text.js';

/** The headers of an SMTP message that do what fields do over REST. The delivered copy has none of them. */
export const serviceHeaders = {
  simulate: SIMULATE_HEADER,
  tags: 'X-Service-Tags',
  schedule: 'X-Service-Schedule',
  template: 'X-Service-Template',
  variables: 'X-Service-Variables',
  track: 'X-Service-Track',
} as const;

/** The beginning of their names, in lower case. */
export const SERVICE_HEADER_PREFIX = 'x-service-';

export type ServiceHeader = keyof typeof serviceHeaders;

/** The values of a message, unfolded; null without the header. */
export type ServiceHeaderValues = Record<ServiceHeader, string | null>;

/** Returns the values by header. `value` gets the name in lower case. */
export function readServiceHeaders(value: (name: string) => string | null): ServiceHeaderValues {
  const entries = Object.entries(serviceHeaders).map(([key, name]) => [key, value(name.toLowerCase())]);
  return Object.fromEntries(entries) as ServiceHeaderValues;
}

/** Unknown headers of a message that are named. */
const UNKNOWN_MAX = 10;
const KNOWN: ReadonlySet<string> = new Set(Object.values(serviceHeaders).map((name) => name.toLowerCase()));

/** Returns the names that begin like these headers but are unknown, each once. `names` are in lower case. */
export function unknownServiceHeaders(names: readonly string[]): string[] {
  const unknown = names.filter((name) => name.startsWith(SERVICE_HEADER_PREFIX) && !KNOWN.has(name));
  return [...new Set(unknown)].slice(0, UNKNOWN_MAX).map((name) => shortened(name));
}

export const NO_SERVICE_HEADERS: ServiceHeaderValues = readServiceHeaders(() => null);

/** Values of X-Service-Track: what is tracked, or nothing. */
export const trackedKinds = ['opens', 'clicks'] as const;
export const TRACK_NONE = 'none';
