import type { Handlers } from '../contract/endpoint.js';
import { matchesRecipient } from '../contract/recipient-pattern.js';
import type { OperationName, Service } from '../contract/service/endpoints.js';
import type { Access } from '../contract/vocabulary/access.js';
import { INSTANT_MAX } from '../contract/vocabulary/instants.js';
import type { Plan } from '../contract/vocabulary/limits.js';
import type { ServiceWarning } from '../contract/vocabulary/warnings.js';
import type { OutboundHosts } from './account/outbound-hosts.js';
import type { Caller } from './model/emails.js';
import type { Actor } from './model/logs.js';
import type { ApiKeyRecord } from './model/resources.js';
import type { Extent, Extracts } from './model/search.js';
import type { Clock, Dns, FindHtmlLinks, Ids, MakeDkimKey, ShowContent } from './ports.js';
import type { Reads } from './reads.js';
import type { Store } from './store.js';
import type { WarningTally } from './streams/warning-tally.js';

/** Limits of sending over REST that services set differently. */
export interface SendingLimits {
  /** Recipients of an email: to, cc and bcc together. */
  recipients: number;
  /** Days ahead that an email may be scheduled. */
  scheduleDays: number;
}

/** The dependencies of the core's functions. */
export interface Core {
  store: Store;
  clock: Clock;
  ids: Ids;
  dns: Dns;
  makeDkimKey: MakeDkimKey;
  findHtmlLinks: FindHtmlLinks;
  showContent: ShowContent;
  /** Returns the base URL of tracking links, without a slash at the end. */
  publicUrl(): string;
  plan: Plan;
  sendingLimits: SendingLimits;
  /** Decides whether the kind of an API key matters. */
  access: Access;
  /** The warnings since the server's start. */
  warningTally: WarningTally;
  /** Milliseconds from sending to the first step of an outcome without a delay of its own (gap 42). */
  deliveryDelayMs: number;
  /** Refuses what the service may refuse, instead of announcing it. Gap 40. */
  strict: boolean;
  /** Unverified domains whose use was announced. Each is announced once. Gap 40. */
  announcedDomains: Set<string>;
  /** Patterns of recipients whose emails are released automatically. */
  autoRelease: readonly string[];
  /** Reports bounces of messages received over SMTP to their senders. */
  bounceNotices: boolean;
  /** Hosts that webhooks may use plain http for, and at loopback or private addresses. Gap 47. */
  outboundHosts: OutboundHosts;
  /** Resolves when the message of an email is parsed, or after two seconds. Handlers of one email use `afterParsing`. */
  parsed(id: string): Promise<void>;
  /** Resolves when every message accepted so far is parsed, or no worker can be started. */
  parsePending(): Promise<void>;
  /**
   * Resolves when so much is found in the content of emails, or the time limit has passed, by default that of a read.
   * Without IDs, in every email accepted so far.
   */
  extractPending(extent: Extent, ids?: readonly string[], limitMs?: number): Promise<void>;
  /**
   * Returns what is found in the content of an email, and finds it now if it is not yet. Undefined if the email does not
   * exist or is not parsed.
   * @throws ProcessorUnavailableError if nothing can be processed now.
   */
  extractsOf(id: string): Promise<Extracts | undefined>;
}

/** The dependencies of code that records events: their time and their IDs. */
export type EventDeps = Pick<Core, 'clock' | 'ids'> & Partial<Pick<Core, 'bounceNotices'>>;

/** The context of a call: the core and the caller's key. */
export interface CallContext extends Core {
  key: ApiKeyRecord;
  /** Returns who sends the call, for the audit log. */
  actor(): Actor;
  /** The unparsed value of the header `X-Service-Simulate`. */
  simulate: string | undefined;
  /** Returns what the call says about its caller. */
  caller(): Caller;
  /** Returns the warnings about the call so far. */
  warnings(): readonly ServiceWarning[];
  /**
   * Announces warnings about the call, if there are any.
   * @throws ServiceError if the server is strict.
   */
  warn(...warnings: ServiceWarning[]): void;
}

export type ServiceHandlers = Handlers<Service, CallContext>;
export type Handler<Name extends OperationName> = ServiceHandlers[Name];

/** Formats a timestamp for responses and payloads. Times after the year 9999 are shown as the last instant of 9999. */
export function timestamp(instant: number): string {
  return new Date(Math.min(instant, INSTANT_MAX)).toISOString();
}

export function timestampOrNull(instant: number | null): string | null {
  return instant === null ? null : timestamp(instant);
}

/** Returns the workspace that owns one of these addresses, the oldest one first; null if none does. */
export async function ownerOf(reads: Pick<Reads, 'workspaces'>, addresses: readonly string[]): Promise<string | null> {
  for (const { name, addresses: patterns } of await reads.workspaces.list()) {
    if (patterns.some((pattern) => addresses.some((address) => matchesRecipient(pattern, address)))) return name;
  }
  return null;
}

/** Returns a workspace's name; null if it no longer exists. Must be called in the transaction that uses the name. */
export async function ifExists(reads: Pick<Reads, 'workspaces'>, name: string | null): Promise<string | null> {
  return name !== null && (await reads.workspaces.find(name)) ? name : null;
}
