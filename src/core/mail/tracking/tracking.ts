import { ServiceError } from '../../../contract/vocabulary/errors.js';
import { USER_AGENT_CHARACTERS } from '../../../contract/vocabulary/limits.js';
import type { Core } from '../../context.js';
import type { Email } from '../../model/emails.js';
import { type HtmlLinks, UnprocessableError } from '../../ports.js';
import { handleEngagement } from '../delivery-delay.js';
import type { Engagement } from '../engagement.js';
import { readToken, signToken, trackingSecret } from './tracking-token.js';

/** Tracks opens and clicks. Changes only the HTML that is delivered, not the stored email. */

/** The public paths. They need no API key, because email clients request them. */
export const OPEN_PATH = '/t/o/';
export const CLICK_PATH = '/t/c/';
const PIXEL_SUFFIX = '.gif';

/** The client that requested a pixel or a link, as the event describes it. */
export interface Visitor {
  ip: string;
  userAgent: string;
}

type TrackingReads = Pick<Core, 'store' | 'ids' | 'findHtmlLinks'>;
type Tracking = Pick<Core, 'store' | 'clock' | 'ids' | 'findHtmlLinks' | 'publicUrl'>;

/** Returns whether recipients get HTML with tracking. Over SMTP, only the header X-Service-Track requests it. */
export function isTracked({ html, trackOpens, trackClicks }: Email): boolean {
  return html !== '' && (trackOpens || trackClicks);
}

/**
 * Returns the HTML for one recipient, with tracked links and a pixel if the email requests them. All other bytes stay
 * the same.
 * @param recipient the recipient's position in the email's list, from 0
 */
export async function deliveredHtml(email: Email, recipient: number, tracking: Tracking): Promise<string> {
  const { html, trackOpens, trackClicks, id: emailId } = email;
  if (!isTracked(email)) return html;
  const found = await htmlLinks(tracking, html);
  if (!found) return html;
  const { links, pixelAt } = found;
  const secret = await trackingSecret(tracking);
  const base = tracking.publicUrl();
  const token = (link: number | null) => signToken({ emailId, recipient, link }, secret);
  const insertions = trackClicks
    ? links.map(({ start, end }, place) => ({ start, end, text: `${base}${CLICK_PATH}${token(place)}` }))
    : [];
  if (trackOpens) {
    const text = pixel(`${base}${OPEN_PATH}${token(null)}${PIXEL_SUFFIX}`);
    insertions.push({ start: pixelAt, end: pixelAt, text });
  }
  return splice(html, insertions);
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

/** Returns an invisible image that screen readers skip. */
function pixel(url: string): string {
  return `<img src="${url}" width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0">`;
}

/** Replaces ranges of a text. The ranges must not overlap. */
function splice(text: string, replacements: { start: number; end: number; text: string }[]): string {
  const sorted = replacements.toSorted((a, b) => a.start - b.start);
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text: replacement } of sorted) {
    parts.push(text.slice(at, start), replacement);
    at = end;
  }
  return [...parts, text.slice(at)].join('');
}

/**
 * Returns the first web link of an email, from its HTML or else its text; null if it has none, or if finding it exceeds
 * the limits of one message.
 * @throws ProcessorUnavailableError if links cannot be found now. The result is recorded, so a guess is not acceptable.
 */
export async function firstLink({ extractsOf }: Pick<Core, 'extractsOf'>, emailId: string): Promise<string | null> {
  return (await extractsOf(emailId))?.links.find(({ href }) => /^https?:/i.test(href))?.href ?? null;
}

/**
 * Returns the links of the HTML and the position for a pixel; undefined if finding them exceeds the limits of one
 * message.
 * @throws ProcessorUnavailableError if links cannot be found now.
 */
export async function htmlLinks(
  { findHtmlLinks }: Pick<Core, 'findHtmlLinks'>,
  html: string,
): Promise<HtmlLinks | undefined> {
  try {
    return await findHtmlLinks(html);
  } catch (error) {
    if (error instanceof UnprocessableError) return undefined;
    throw error;
  }
}
