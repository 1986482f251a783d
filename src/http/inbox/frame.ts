import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ClientViewName, clientViewNamed, shownClients } from '../../contract/vocabulary/client-views.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { INBOX_CONTENT_PATH, INBOX_LEAVE_PATH } from '../../contract/vocabulary/inbox.js';
import { escapeHtml } from '../../contract/vocabulary/text.js';
import type { Core } from '../../core/context.js';
import type { ControlDeps } from '../../core/handlers/control/context.js';
import { contentUrls, type FrameParameters, imageType } from '../../core/inbox/content-urls.js';
import { deliveredHtml } from '../../core/mail/tracking/tracking.js';
import type { Email, StoredRecipient } from '../../core/model/emails.js';
import type { FrameHtml } from '../../core/ports.js';
import { originOf } from './session.js';

/** Sends HTML for a sandboxed frame. */

type FrameRequest = FastifyRequest<{ Querystring: FrameParameters }>;

/**
 * Sends the HTML of an email, or of one recipient's copy.
 * @throws UnprocessableError or ProcessorUnavailableError if the HTML cannot be rewritten.
 */
export async function sendEmailFrame(
  email: Email,
  request: FrameRequest,
  reply: FastifyReply,
  deps: ContentDeps,
): Promise<FastifyReply> {
  const { recipient, print } = request.query;
  const html = recipient === undefined ? email.html : await deliveredHtml(email, Number(recipient), deps.core);
  const head = print === 'yes' ? await printedHead(email, deps.core) : '';
  return sendFrame({ html, images: await imageUrls(email.id, deps), head }, request, reply, deps);
}

/**
 * Sends HTML with the URLs of its inline images by content ID. `head` is HTML of this server to show above it.
 * @throws UnprocessableError or ProcessorUnavailableError if the HTML cannot be rewritten.
 */
export async function sendFrame(
  { html, images, head }: { html: string; images: Map<string, string>; head: string },
  request: FrameRequest,
  reply: FastifyReply,
  { core, control, basePath }: ContentDeps,
): Promise<FastifyReply> {
  const { query, socket, host } = request;
  const remote = query.remote === 'yes';
  const frame = await control.rewriteForFrame(await htmlForClient(html, query, control), {
    remote,
    contentUrls: images,
    ownHosts: [host, new URL(core.publicUrl()).host, `localhost:${socket.localPort ?? ''}`],
    colorScheme: query.color_scheme,
  });
  const policy = framePolicy({
    contentUrl: originOf(request, core.publicUrl()) + basePath + INBOX_CONTENT_PATH,
    hosts: remote ? frame.hosts : undefined,
  });
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .send(
      withHead(
        head,
        withLinks(frame, (to) => control.inbox.urls.sign(INBOX_LEAVE_PATH, { to })),
      ),
    );
}

/**
 * Returns HTML as a mail client keeps it, if one is named; otherwise the same.
 * @throws ServiceError for a client that is unknown, or whose view cannot be shown.
 */
export async function htmlForClient(
  html: string,
  { client, images, color_scheme }: FrameParameters,
  { showAsClient }: Pick<ContentDeps['control'], 'showAsClient'>,
): Promise<string> {
  if (client === undefined) return html;
  const { name, title, hasPicture } = requireClient(client, shownClients);
  const input = { html, subject: '', client: name, isDark: color_scheme === 'dark', hasImages: images !== 'off' };
  const shown = hasPicture ? (await showAsClient(input)).html : null;
  if (shown !== null) return shown;
  throw new ServiceError(
    'bad_request',
    `${title} has a list of changes and no view.`,
    undefined,
    choiceOf(shownClients),
  );
}

/** Returns a mail client by its name. @throws ServiceError, with the names to choose from, if it is unknown. */
export function requireClient(client: string, names: readonly string[]): ClientViewName {
  const view = clientViewNamed(client);
  if (view) return view;
  throw new ServiceError('bad_request', `Mail client ${JSON.stringify(client)} not found.`, undefined, choiceOf(names));
}

const choiceOf = (names: readonly string[]) => `Choose from: ${names.join(', ')}.`;

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

/** Returns the HTML of a frame with the addresses of its links. */
export function withLinks({ parts, links }: FrameHtml, urlOf: (link: string) => string): string {
  return parts.map((part, index) => part + escapeHtml(index < links.length ? urlOf(links[index] ?? '') : '')).join('');
}

/** The document type of the email stays first: it decides in which mode a browser lays out the page. */
function withHead(head: string, html: string): string {
  return head === '' ? html : html.replace(DOCTYPE, (doctype) => doctype + head);
}

const DOCTYPE = /^(?:\s*<!doctype [^>]*>)?/;

/** Each of them, so that no style sheet of the email changes it. */
const STYLE =
  'all:initial;display:block;padding:0 0 12px;border-bottom:1px solid #999;margin:0 0 12px;background:#fff;color:#000;' +
  'font:14px/1.5 sans-serif;overflow-wrap:anywhere';
const LABELS = { to: 'To', cc: 'Cc', bcc: 'Bcc' } as const;
/** An email may have a thousand recipients. */
const RECIPIENTS_SHOWN = 50;

/** Returns the subject, the addresses and the time of an email as HTML, for the top of its first printed page. */
async function printedHead(email: Email, { store }: Pick<Core, 'store'>): Promise<string> {
  const recipients = await store.read.emails.recipients(email.id);
  const fields = [
    ['From', email.from],
    ...(['to', 'cc', 'bcc'] as const).map((kind) => [LABELS[kind], addressesOf(recipients, kind)] as const),
    ['Date', new Date(email.createdAt).toUTCString()],
  ] as const;
  const subject = escapeHtml(email.subject || '(no subject)');
  const lines = fields
    .filter(([, value]) => value !== '')
    .map(([label, value]) => `<br>${label}: <bdi>${escapeHtml(value)}</bdi>`);
  return `<title>${subject}</title><div style="${STYLE}"><b><bdi>${subject}</bdi></b>${lines.join('')}</div>`;
}

function addressesOf(recipients: readonly StoredRecipient[], kind: StoredRecipient['kind']): string {
  const addresses = recipients.filter((each) => each.kind === kind).map(({ address }) => address);
  const more = addresses.length - RECIPIENTS_SHOWN;
  return addresses.slice(0, RECIPIENTS_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Defines what browsers may do with content of emails. */

/** Scripts do not run, and the page has an origin of its own. A link opens in a tab without these limits. */
const SANDBOX = 'sandbox allow-popups allow-popups-to-escape-sandbox';

/** The policy of a file of an email: it loads and runs nothing. */
export const FILE_POLICY = "default-src 'none'; frame-ancestors 'self'; sandbox";

export interface FramePolicy {
  /** Where the attachments of the email come from. */
  contentUrl: string;
  /** The origins without TLS that the frame may load from; undefined if it loads from no other server. */
  hosts: readonly string[] | undefined;
}

/** Returns the Content-Security-Policy of an email's HTML. */
export function framePolicy({ contentUrl, hosts }: FramePolicy): string {
  // Not `http:`: that would include this server, whose tracking pixels must not be requested.
  const remote = hosts === undefined ? '' : ` https: ${hosts.join(' ')}`.trimEnd();
  return [
    "default-src 'none'",
    `style-src 'unsafe-inline'${remote}`,
    `img-src data: ${contentUrl}${remote}`,
    `font-src data:${remote}`,
    ...(hosts === undefined ? [] : [`media-src${remote}`]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    SANDBOX,
  ].join('; ');
}

/** What the routes of content need. */
export interface ContentDeps {
  core: Core;
  control: Pick<ControlDeps, 'compose' | 'deliveredCopy' | 'inbox' | 'previews' | 'rewriteForFrame' | 'showAsClient'>;
  basePath: string;
}
