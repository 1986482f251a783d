import type { FastifyReply } from 'fastify';
import type { Content } from '../../contract/endpoint.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { inboxUrl } from '../../contract/vocabulary/inbox.js';
import type { Attachment } from '../../core/model/contents.js';
import type { SearchDocument } from '../../core/model/search.js';
import { FILE_POLICY, framePolicy } from '../inbox/frame.js';
import { type MailpitCall, type MailpitHandler, type MailpitRequest, parameter, run } from './calls.js';
import { attachmentPosition, headersOf, messageOf, textOf, withWholeBreaks } from './forms.js';
import { latestId } from './messages.js';

/** Returns one email: its content, header, source, attachments, and its HTML and text as pages. */

export const getMessage: MailpitHandler = async (request, _reply, context) => {
  const email = await findEmail(request, context);
  const envelope = await context.store.read.received.envelopeOf(email.id);
  const message = messageOf(
    email,
    await htmlOf(email, context),
    envelope?.mailFrom,
    await attachmentsOf(email, context),
  );
  await markAsRead(email, context);
  return message;
};

export const getHeaders: MailpitHandler = async (request, _reply, context) =>
  headersOf(await findEmail(request, context));

export const getRaw: MailpitHandler = async (request, reply, context) => {
  const { id } = await findEmail(request, context);
  const { body } = (await run('emails.raw', { params: { id }, query: {} }, context)) as Content;
  reply.type('text/plain; charset=utf-8').header('content-security-policy', FILE_POLICY);
  if (parameter(request, 'dl') === '1') reply.header('content-disposition', `attachment; filename="${id}.eml"`);
  return Buffer.from(body as Uint8Array);
};

/** Types that a browser would run with the origin of this server. */
const ACTIVE_TYPE = /^(?:text\/(?:html|xml|xsl)|application\/(?:xhtml\+)?xml|image\/svg\+xml)\s*(?:;|$)/i;
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;

export const getPart: MailpitHandler = async (request, reply, context) => {
  const { id } = await findEmail(request, context);
  const position = attachmentPosition(request.params.part ?? '');
  const found = position === undefined ? undefined : await context.store.read.emails.attachment(id, position);
  if (!found) throw notFound();
  const { contentType, filename, contentId, content } = found;
  const isShown = !ACTIVE_TYPE.test(contentType) && MEDIA_TYPE.test(contentType);
  const name = encodeURIComponent((filename || (contentId ?? '')).toWellFormed());
  reply.type(isShown ? contentType : 'application/octet-stream').header('content-security-policy', FILE_POLICY);
  reply.header('content-disposition', `${isShown ? 'inline' : 'attachment'}; filename="${name}"`);
  return Buffer.from(content);
};

/** Shows `ID.html` and `ID.txt`. Another name is an email in the inbox, and `latest` is the newest one. */
export const viewMessage: MailpitHandler = async (request, reply, context) => {
  const [, name = '', extension] = /^(.*?)(\.html|\.txt)?$/s.exec(request.params.file ?? '') ?? [];
  request.params.id = name;
  if (extension === undefined) {
    const id = name === 'latest' ? await latestId(request, context) : name;
    return reply.redirect(inboxUrl(context.basePath, id === undefined ? '' : `/emails/${encodeURIComponent(id)}`));
  }
  const email = await findEmail(request, context);
  if (extension === '.html' && !email.hasHtml) throw notFound();
  await markAsRead(email, context);
  if (extension === '.txt') return sendPage(reply, 'text/plain', FILE_POLICY, textOf(email));
  // Images are part of the page: a page without an origin could not request them.
  const html = withImages(withWholeBreaks(await htmlOf(email, context)), await attachmentsOf(email, context));
  return sendPage(reply, 'text/html', framePolicy({ contentUrl: '', hosts: undefined }), html);
};

function sendPage(reply: FastifyReply, type: string, policy: string, text: string): string {
  reply.type(`${type}; charset=utf-8`).headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer' });
  return text;
}

/** Replaces the URLs of inline images with their content. */
function withImages(html: string, attachments: readonly Attachment[]): string {
  const images = new Map(attachments.map((attachment) => [attachment.contentId ?? '', attachment]));
  return html.replace(/\bcid:([^\s"'<>);]+)/gi, (url, id: string) => {
    const { contentType, content } = images.get(id) ?? {};
    if (!content || !contentType || !MEDIA_TYPE.test(contentType)) return url;
    return `data:${contentType};base64,${Buffer.from(content).toString('base64')}`;
  });
}

/** @throws ServiceError `not_found`. */
export async function findEmail(request: MailpitRequest, context: MailpitCall): Promise<SearchDocument> {
  const { id: given = '' } = request.params;
  const id = given === 'latest' ? await latestId(request, context) : given;
  if (id === undefined) throw notFound();
  await context.parsed(id);
  await context.extractPending('shown', [id]);
  const [email] = await context.store.read.emails.documents([id]);
  if (!email) throw notFound();
  return email;
}

async function htmlOf({ id }: SearchDocument, { store }: MailpitCall): Promise<string> {
  return (await store.read.emails.find(id))?.html ?? '';
}

async function attachmentsOf({ id, attachments }: SearchDocument, { store }: MailpitCall) {
  if (attachments.length === 0) return [];
  const infos = await store.read.emails.attachments(id);
  const read = infos.map(async ({ position }) => {
    const attachment = await store.read.emails.attachment(id, position);
    return attachment && { ...attachment, position };
  });
  return (await Promise.all(read)).filter((attachment) => attachment !== undefined);
}

export async function markAsRead({ id, read }: SearchDocument, { store, clock }: MailpitCall): Promise<void> {
  if (!read) await store.write((tx) => tx.emails.setRead(id, clock.now()));
}

function notFound(): ServiceError {
  return new ServiceError('not_found', 'The message does not exist.');
}
