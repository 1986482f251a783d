import type { Core } from '../../context.js';
import type { Email } from '../../model/emails.js';
import { type HtmlLinks, UnprocessableError } from '../../ports.js';
import { signToken, trackingSecret } from './tracking-token.js';

/** Tracks opens and clicks. Changes only the HTML that is delivered, not the stored email. */

/** The public paths. They need no API key, because email clients request them. */
export const OPEN_PATH = '/t/o/';
export const CLICK_PATH = '/t/c/';
export type TrackingReads = Pick<Core, 'store' | 'ids' | 'findHtmlLinks'>;
export type Tracking = Pick<Core, 'store' | 'clock' | 'ids' | 'findHtmlLinks' | 'publicUrl'>;

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

export const PIXEL_SUFFIX = '.gif';
