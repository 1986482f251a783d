import type { Endpoint } from '../../contract/endpoint.js';
import { domainOf } from '../../contract/vocabulary/addresses.js';
import { type Access, ANY_KIND, type KeyKind } from '../../contract/vocabulary/api-keys.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { plans } from '../../contract/vocabulary/limits.js';
import type { ServiceWarning } from '../../contract/vocabulary/warnings.js';
import { type CallContext, type Core, timestamp } from '../context.js';
import type { ApiKeyRecord } from '../model/resources.js';
import type { Reads } from '../reads.js';

/** Checks the domain that an email is sent from. Gaps 18 and 40. */

/** Maximum number of unverified domains to remember. Others are announced each time. */
const ANNOUNCED_DOMAINS_MAX = 10_000;

type Domains = Pick<Reads['domains'], 'find'>;

/**
 * Rejects a sender at an unverified domain if the key is live, else announces each such domain once. Returns the domain
 * if it was announced now. The caller remembers it when the request has succeeded.
 */
export async function checkSendingDomain(mailbox: string, context: CallContext): Promise<string | undefined> {
  const { key, store, warn } = context;
  if (key.environment === 'test') {
    const found = await unannouncedDomain(mailbox, context.announcedDomains, store.read.domains);
    if (found) warn(found);
    return found && domainOf(mailbox);
  }
  const found = await unverifiedDomain(mailbox, store.read.domains);
  if (!found) return undefined;
  const { path, message } = found;
  throw new ServiceError('domain_not_verified', `${message[0]?.toUpperCase()}${message.slice(1)}.`, [
    { path, message },
  ]);
}

/** Returns the finding about a sender at an unverified domain, unless the domain was announced. */
export async function unannouncedDomain(
  mailbox: string,
  announced: Pick<ReadonlySet<string>, 'has'>,
  domains: Domains,
): Promise<ServiceWarning | undefined> {
  return announced.has(domainOf(mailbox)) ? undefined : unverifiedDomain(mailbox, domains);
}

/** Remembers that a domain was announced. A strict server refuses the next request too, so it remembers none. */
export function rememberDomain(
  domain: string,
  { announcedDomains, strict }: Pick<Core, 'announcedDomains' | 'strict'>,
): void {
  if (!strict && announcedDomains.size < ANNOUNCED_DOMAINS_MAX) announcedDomains.add(domain);
}

/** Returns the finding about a sender at an unverified domain; undefined for a verified one. */
export async function unverifiedDomain(mailbox: string, domains: Domains): Promise<ServiceWarning | undefined> {
  const domain = domainOf(mailbox);
  const record = await domains.find(domain);
  if (record?.status === 'verified') return undefined;
  const why = record ? 'is not verified' : 'has not been added';
  return { code: 'unverified_domain', path: 'from', message: `sending domain ${domain} ${why}` };
}

/** Decides what a kind of API key may do on a server for a team. The contract declares it for each endpoint. */

type Key = Pick<ApiKeyRecord, 'workspace' | 'admin' | 'createsWorkspaces'>;

export function kindOf({ workspace, admin, createsWorkspaces }: Key): KeyKind {
  if (createsWorkspaces) return 'creator';
  if (workspace !== null) return 'workspace';
  return admin ? 'admin' : 'ordinary';
}

/** @throws ServiceError `forbidden` if an endpoint is for other kinds of keys. */
export function refuseKind(
  { summary, keyKinds: allowed = ANY_KIND }: Pick<Endpoint, 'summary' | 'keyKinds'>,
  key: Key,
  access: Access,
): void {
  if (allowed.includes(kindOf(key))) return;
  refuseCreator(key);
  if (access === 'local') return;
  throw needsKind(`“${summary}”`, key, allowed.includes('ordinary') ? 'ordinary' : 'admin');
}

/** @throws ServiceError `forbidden` for a key that only creates workspaces. */
export function refuseCreator(key: Pick<ApiKeyRecord, 'createsWorkspaces'>): void {
  if (!key.createsWorkspaces) return;
  const hint = 'Create a workspace with "svc dev workspaces create --ttl 2h", and use the key that it prints.';
  throw new ServiceError('forbidden', 'This key creates workspaces, and can do nothing else.', undefined, hint);
}

/** @throws ServiceError `forbidden` if another key would change an admin key. */
export function requireAdminFor(caller: Key, target: Key, access: Access): void {
  if (access === 'local' || kindOf(caller) === 'admin' || kindOf(target) !== 'admin') return;
  throw needsKind('A change of an admin key', caller, 'admin');
}

const NEEDED = {
  admin: 'an admin key',
  ordinary: 'a key without a workspace',
};

const HINTS = {
  admin: 'Use the key of SVC_API_KEY that the server was started with, or an admin key that was created with it.',
  ordinary: 'Use an ordinary or an admin key of the server.',
};

function needsKind(action: string, key: Key, needed: keyof typeof NEEDED): ServiceError {
  const own = key.workspace === null ? 'an ordinary one' : `that of workspace ${key.workspace}`;
  return new ServiceError(
    'forbidden',
    `${action} needs ${NEEDED[needed]}; this key is ${own}.`,
    undefined,
    HINTS[needed],
  );
}

/** Limits the recipients of a calendar month (UTC) by plan. Specification: Rate limits by plan; gap 33. */

/** The monthly quota is used up. The headers of this error describe the month instead of the minute. */
export class QuotaExceededError extends ServiceError {
  constructor(
    message: string,
    readonly quota: number,
    /** Number of recipients that can still be sent to. */
    readonly left: number,
    /** The instant at which the next month begins. */
    readonly resetsAt: number,
  ) {
    super('rate_limited', `${message}; it resets at ${timestamp(resetsAt)}.`);
  }
}

/**
 * Rejects an email if the plan's quota is used up, or if the recipients that it was sent to exceed it. Recipients count
 * when they are sent to, over REST and SMTP; dropped and cancelled ones do not. Once the quota is used up, every email is
 * rejected, also one whose every recipient is dropped. Recipients of unparsed messages count, whose events are recorded
 * later. Call this in the transaction that stores the email, so that concurrent calls cannot exceed the quota together.
 * @param sentTo Number of recipients that the email was sent to; 0 for a scheduled one
 * @param recorded Number of those whose events are recorded already (default: all)
 * @throws QuotaExceededError
 */
export async function assertWithinQuota(
  reads: Pick<Reads, 'events' | 'received'>,
  { plan }: Pick<Core, 'plan'>,
  { now, sentTo, recorded = sentTo }: { now: number; sentTo: number; recorded?: number },
): Promise<void> {
  const quota = plans[plan].emailsPerMonth;
  if (quota === null) return;
  const { start, next } = monthOf(now);
  const { sent } = await reads.events.count(start, next - 1);
  const left = Math.max(0, quota - (sent - recorded + (await reads.received.unparsedRecipients())));
  if (left > 0 && sentTo <= left) return;
  const name = `The ${plan} plan's monthly quota of ${quota} emails`;
  const message = left === 0 ? `${name} is used up` : `${name} has ${left} left, fewer than the ${sentTo} recipients`;
  throw new QuotaExceededError(message, quota, left, next);
}

function monthOf(instant: number): { start: number; next: number } {
  const date = new Date(instant);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { start: Date.UTC(year, month), next: Date.UTC(year, month + 1) };
}
