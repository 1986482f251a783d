import { ServiceError } from '../../../contract/vocabulary/errors.js';
import { USER_AGENT_CHARACTERS } from '../../../contract/vocabulary/limits.js';
import type { EventDeps } from '../../context.js';
import type { ItemKind } from '../../jobs/job-kinds.js';
import type { Engagement, Recipient } from '../../model/emails.js';
import type { Job } from '../../model/jobs.js';
import type { Transaction } from '../../transaction.js';
import { recordEngagement } from '../states/outcomes.js';
import { deliverEarly } from '../states/send-and-deliver.js';
import { htmlLinks, PIXEL_SUFFIX, type Tracking, type TrackingReads } from './tracking.js';
import { readToken, trackingSecret } from './tracking-token.js';

/** The client that requested a pixel or a link, as the event describes it. */
export interface Visitor {
  ip: string;
  userAgent: string;
}

/**
 * Handles the request for a pixel. Records nothing without a visitor.
 * @param file the last part of the path
 * @throws ServiceError `not_found` unless this server signed the token, for an email that still exists.
 */
export async function openTracked(file: string, visitor: Visitor | null, tracking: Tracking): Promise<void> {
  const token = file.endsWith(PIXEL_SUFFIX) ? file.slice(0, -PIXEL_SUFFIX.length) : '';
  const { emailId, mailbox, link } = await findTarget(token, tracking);
  if (link !== null) throw unknownToken();
  await recordVisit(tracking, visitor, { emailId, mailbox, url: null });
}

/**
 * Handles the request for a tracked link and returns the original URL.
 * @throws ServiceError `not_found` unless this server signed the token, for a link of an email that still exists.
 */
export async function clickTracked(token: string, visitor: Visitor | null, tracking: Tracking): Promise<string> {
  const { emailId, mailbox, link } = await findTarget(token, tracking);
  const url = await urlOf(emailId, link, tracking);
  await recordVisit(tracking, visitor, { emailId, mailbox, url });
  return url;
}

async function recordVisit(
  tracking: Tracking,
  visitor: Visitor | null,
  visited: Pick<Engagement, 'emailId' | 'mailbox' | 'url'>,
): Promise<void> {
  if (!visitor) return;
  const ip = visitor.ip.replace(/^::ffff:(?=\d+\.)/i, '');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
  const userAgent = visitor.userAgent.replace(/[\u0000-\u001f\u007f-\u009f]/g, '').slice(0, USER_AGENT_CHARACTERS);
  await tracking.store.write((tx) => handleEngagement(tx, tracking, { ...visited, ip, userAgent }));
}

/**
 * Returns the original URL of a tracked link, by its token. Records nothing.
 * @throws ServiceError `not_found` as `clickTracked` does.
 */
export async function linkTarget(token: string, tracking: TrackingReads): Promise<string> {
  const { emailId, link } = await findTarget(token, tracking);
  return urlOf(emailId, link, tracking);
}

async function urlOf(emailId: string, link: number | null, tracking: TrackingReads): Promise<string> {
  if (link === null) throw unknownToken();
  const email = await tracking.store.read.emails.find(emailId);
  const target = email && (await htmlLinks(tracking, email.html))?.links[link];
  if (!target) throw unknownToken();
  return target.url;
}

async function findTarget(token: string, tracking: TrackingReads) {
  const target = readToken(token, await trackingSecret(tracking));
  const email = target && (await tracking.store.read.emails.findWithoutBodies(target.emailId));
  if (!email) throw unknownToken();
  const recipients = await tracking.store.read.emails.recipients(email.id);
  const recipient = recipients.find(({ position }) => position === target.recipient);
  if (!recipient) throw unknownToken();
  return { emailId: email.id, mailbox: recipient.mailbox, link: target.link };
}

function unknownToken(): ServiceError {
  return new ServiceError('not_found', 'This link does not belong to an email on this server.');
}

/** Statuses after a delivery. A complaint follows a delivery (gap 3); all other statuses do not. */
const deliveredStatuses: readonly Recipient['status'][] = ['delivered', 'complained'];

/**
 * Handles a request for a pixel or a tracked link. It counts if the email was delivered to the recipient. A delivery
 * that only waits for the delivery delay happens first. If the delivery has a job that is due, a job records the request
 * afterwards. Otherwise only a developer or a scanner can have seen the email, and the request is ignored.
 */
async function handleEngagement(tx: Transaction, deps: EventDeps, engagement: Engagement): Promise<void> {
  const recipient = await tx.emails.recipient(engagement.emailId, engagement.mailbox);
  if (!recipient) return;
  if (deliveredStatuses.includes(recipient.status) || (await deliverEarly(tx, deps, engagement.emailId, recipient))) {
    return recordEngagement(tx, deps, recipient, engagement);
  }
  if (recipient.status !== 'sent') return;
  // Runs after the delivery's job, which is already due unless the email is deferred.
  await tx.jobs.add({ kind: 'email.engage', runAt: deps.clock.now(), payload: engagement });
}

/** Returns the kind of job that records an open or a click that was requested before the delivery. */
export function engagementKind(deps: EventDeps): ItemKind<'email.engage'> {
  return { type: 'item', run: async (job) => (tx) => runEngagementJob(tx, deps, job) };
}

async function runEngagementJob(tx: Transaction, deps: EventDeps, job: Job<'email.engage'>): Promise<void> {
  const engagement = job.payload;
  const recipient = await tx.emails.recipient(engagement.emailId, engagement.mailbox);
  if (!recipient) return tx.emails.keepJob(engagement.emailId, job);
  if (deliveredStatuses.includes(recipient.status)) {
    await recordEngagement(tx, deps, recipient, engagement);
  }
}
