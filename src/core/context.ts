import type { Handlers } from '../contract/endpoint.js';
import type { OperationName, Service } from '../contract/service/endpoints.js';
import { INSTANT_MAX } from '../contract/vocabulary/instant-bounds.js';
import type { Plan } from '../contract/vocabulary/limits.js';
import type { ApiKeyRecord } from './model.js';
import type { Clock, Dns, FindHtmlLinks, FindTextLinks, Ids, MakeDkimKey } from './ports.js';
import type { Store } from './store.js';

/** What every function of the core works with. */
export interface Core {
  store: Store;
  clock: Clock;
  ids: Ids;
  dns: Dns;
  makeDkimKey: MakeDkimKey;
  findHtmlLinks: FindHtmlLinks;
  findTextLinks: FindTextLinks;
  /** Where this server is reached from outside, without a slash at the end: what tracking links begin with. */
  publicUrl(): string;
  plan: Plan;
  /** Resolves when every message accepted so far is listed, so that a reader finds what was acknowledged before. */
  parsePending(): Promise<void>;
}

/** What records events: their time and their ids. */
export type EventDeps = Pick<Core, 'clock' | 'ids'>;

/** A call's context: the core, and the key it came with. */
export interface CallContext extends Core {
  key: ApiKeyRecord;
  /** The value of the header `X-Service-Simulate`, unread. */
  simulate: string | undefined;
  /** Says with the response what of the call may not be as it was meant. */
  warn(text: string): void;
}

export type ServiceHandlers = Handlers<Service, CallContext>;
export type Handler<Name extends OperationName> = ServiceHandlers[Name];

/** A timestamp as responses and payloads carry it. What is due after the year 9999 is shown as due at its end. */
export function timestamp(instant: number): string {
  return new Date(Math.min(instant, INSTANT_MAX)).toISOString();
}

export function timestampOrNull(instant: number | null): string | null {
  return instant === null ? null : timestamp(instant);
}
