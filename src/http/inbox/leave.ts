import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { escapeHtml } from '../../contract/vocabulary/helpers/escape-html.js';
import { INBOX_LEAVE_PATH } from '../../contract/vocabulary/inbox.js';
import type { Core } from '../../core/context.js';
import type { InboxAccess } from '../../core/inbox/inbox-access.js';
import { CLICK_PATH, linkTarget } from '../../core/mail/tracking/tracking.js';
import { sendMessagePage } from './message-page.js';

/**
 * Shows where a link of an email leads, and opens it without a referrer. Tracked links lead to their target at once, so
 * that no click is recorded.
 */
export async function inboxLeave(
  server: FastifyInstance,
  { core, inbox }: { core: Core; inbox: InboxAccess },
): Promise<void> {
  const config = { public: true, anyOrigin: true, unlogged: true };
  server.get<{ Querystring: { to?: string } }>(INBOX_LEAVE_PATH, { config }, async (request, reply) => {
    reply.header('cross-origin-opener-policy', 'same-origin');
    if (inbox.urls.check(request.raw.url ?? '') !== 'valid') {
      return sendMessagePage(reply, 403, { title: 'This link is not valid', content: NOT_VALID }, core);
    }
    const to = request.query.to ?? '';
    const target = await trackedTarget(to, core);
    const page = { title: 'Open this link?', content: contentFor(target ?? to, target !== undefined) };
    return sendMessagePage(reply, 200, page, core);
  });
}

const NOT_VALID =
  '<p>Links of emails are valid until the server stops. Reload the email in the inbox, and click the link again.</p>';

/** Returns the target of a link that this server tracks. */
async function trackedTarget(to: string, core: Core): Promise<string | undefined> {
  const { pathname } = new URL(to);
  if (!pathname.startsWith(CLICK_PATH)) return undefined;
  // A link of another server, or of an email that was deleted.
  return linkTarget(pathname.slice(CLICK_PATH.length), core).catch((error: unknown) => {
    if (error instanceof ServiceError && error.failure === 'not_found') return undefined;
    throw error;
  });
}

function contentFor(to: string, isTracked: boolean): string {
  // The parsed URL has no invisible characters, and none that change the direction of the text.
  const { href, host, protocol, username, password } = new URL(to);
  const notes = [
    ...(isTracked ? ['The email has a tracked link to this address. Opening it here records no click.'] : []),
    ...(protocol === 'http:' ? ['The connection is not encrypted.'] : []),
    ...(username + password === '' ? [] : [`The part before @ is not the address. The link leads to ${host}.`]),
    ...(host.includes('xn--') ? [`The name of the server has characters beyond ASCII: ${host}`] : []),
  ];
  const lead = host === '' ? '' : `<p>It leads to <strong>${escapeHtml(host)}</strong>.</p>\n`;
  return `${lead}<p class="address">${escapeHtml(href)}</p>
${notes.map((note) => `<p class="note">${escapeHtml(note)}</p>\n`).join('')}<p><a class="open" href="${escapeHtml(href)}" rel="noopener noreferrer">Open the link</a></p>`;
}
