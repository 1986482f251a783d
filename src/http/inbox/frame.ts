import type { FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml } from '../../contract/service/render-template.js';
import { INBOX_CONTENT_PATH, INBOX_LEAVE_PATH } from '../../contract/vocabulary/inbox.js';
import { contentUrls, type FrameParameters, imageType } from '../../core/inbox/content-urls.js';
import { deliveredHtml } from '../../core/mail/tracking/tracking.js';
import type { Email } from '../../core/model/emails.js';
import type { FrameHtml } from '../../core/ports.js';
import type { ContentDeps } from './content.js';
import { framePolicy } from './content-policy.js';

/** Sends the HTML of an email for a sandboxed frame. */

/** @throws UnprocessableError or ProcessorUnavailableError if the HTML cannot be rewritten. */
export async function sendFrame(
  email: Email,
  { query, socket, headers: { host = '' } }: FastifyRequest<{ Querystring: FrameParameters }>,
  reply: FastifyReply,
  deps: ContentDeps,
): Promise<FastifyReply> {
  const { core, control } = deps;
  const remote = query.remote === 'yes';
  const html = query.recipient === undefined ? email.html : await deliveredHtml(email, Number(query.recipient), core);
  const frame = await control.rewriteForFrame(html, {
    remote,
    contentUrls: await imageUrls(email.id, deps),
    ownHosts: [host, new URL(core.publicUrl()).host, `localhost:${socket.localPort ?? ''}`],
    colorScheme: query.color_scheme,
  });
  const policy = framePolicy({
    contentUrl: `${originFor(host, core.publicUrl())}${INBOX_CONTENT_PATH}`,
    hosts: remote ? frame.hosts : undefined,
  });
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .send(withLinks(frame, (to) => control.inbox.urls.sign(INBOX_LEAVE_PATH, { to })));
}

/** Returns the URLs of inline images by content ID. */
async function imageUrls(id: string, { core, control: { inbox } }: ContentDeps): Promise<Map<string, string>> {
  const attachments = await core.store.read.emails.attachments(id);
  const sign = contentUrls(inbox.urls, id, inbox.urls.expiry());
  return new Map(
    attachments.flatMap(({ contentId, contentType, position }) =>
      contentId === null || imageType(contentType) === undefined
        ? []
        : [[contentId, sign(`attachments/${position}`, { display: 'yes' })] as const],
    ),
  );
}

function withLinks({ parts, links }: FrameHtml, urlOf: (link: string) => string): string {
  return parts.map((part, index) => part + escapeHtml(index < links.length ? urlOf(links[index] ?? '') : '')).join('');
}

/** Returns the origin that a browser uses. Only a proxy at the public URL uses https. */
function originFor(host: string, publicUrl: string): string {
  const { origin, host: publicHost } = new URL(publicUrl);
  return host === publicHost ? origin : `http://${host}`;
}
