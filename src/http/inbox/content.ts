import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { safeExtension } from '../../contract/vocabulary/emails.js';
import { CONTENT_URL_MINUTES, INBOX_CONTENT_PATH } from '../../contract/vocabulary/inbox.js';
import { type ContentParameters, imageType, PREVIEWS } from '../../core/inbox/content-urls.js';
import { messageFor } from '../../core/mail/recipient-message.js';
import type { Email } from '../../core/model/emails.js';
import { ProcessorUnavailableError, UnprocessableError } from '../../core/ports.js';
import { PRIVATE_HEADERS } from '../response/headers.js';
import { type ContentDeps, FILE_POLICY, sendEmailFrame, sendFrame } from './frame.js';
import { sendMessagePage } from './message-page.js';

/**
 * Serves content of emails, and previews of templates, to frames and downloads of the inbox. Every URL is signed, and
 * valid for minutes.
 */

interface Route {
  Params: { id: string; index?: string };
  Querystring: ContentParameters;
}

type Send = (
  email: Email,
  request: FastifyRequest<Route>,
  reply: FastifyReply,
  deps: ContentDeps,
) => Promise<FastifyReply>;

/** Registers the routes of the content. */
export async function inboxContent(server: FastifyInstance, deps: ContentDeps): Promise<void> {
  // A sandboxed frame has an origin of its own, so these routes accept any. Their signature protects them.
  const config = { public: true, anyOrigin: true, unlogged: true };
  const serve = (path: string, send: Answer) =>
    server.get<Route>(INBOX_CONTENT_PATH + path, { config }, async (request, reply) => {
      reply.headers({ ...PRIVATE_HEADERS, 'referrer-policy': 'no-referrer', 'x-dns-prefetch-control': 'off' });
      const state = deps.control.inbox.urls.check(request.raw.url?.replace(UNSIGNED, '') ?? '');
      return state === 'valid' ? send(request, reply) : sendRefusal(reply, state, deps);
    });
  for (const [path, send] of Object.entries(routes)) {
    serve(`:id/${path}`, async (request, reply) => {
      const email = await deps.core.store.read.emails.find(request.params.id);
      return email ? send(email, request, reply, deps) : sendMissing(reply, deps);
    });
  }
  serve(`${PREVIEWS}/:id/html`, async (request, reply) => {
    const html = await deps.control.previews.find(request.params.id);
    if (html === undefined) return sendRefusal(reply, 'expired', deps);
    return sendHtml(reply, deps, () => sendFrame({ html, images: new Map(), head: '' }, request, reply, deps));
  });
}

type Answer = (request: FastifyRequest<Route>, reply: FastifyReply) => Promise<FastifyReply>;

/** What the page adds to the URL of HTML, without a signature. */
const UNSIGNED = /(?:&(?:client=[a-z.-]{1,40}|images=off|color_scheme=(?:light|dark)|print=yes)){1,4}$/;

const routes: Record<string, Send> = {
  html: async (email, request, reply, deps) => sendHtml(reply, deps, () => sendEmailFrame(email, request, reply, deps)),
  raw: async (email, _request, reply, deps) =>
    sendFile(reply, await rawBytes(email, deps), { type: 'text/plain; charset=utf-8' }),
  eml: async (email, _request, reply, deps) =>
    sendFile(reply, await rawBytes(email, deps), { type: 'message/rfc822', filename: `${email.id}.eml` }),
  'attachments/:index': async ({ id }, { params, query }, reply, deps) => {
    const index = Number(params.index);
    const attachment = await deps.core.store.read.emails.attachment(id, index);
    if (!attachment) return sendMissing(reply, deps);
    const { content, filename, contentType } = attachment;
    const shown = query.display === 'yes' ? imageType(contentType) : undefined;
    if (shown !== undefined) return sendFile(reply, content, { type: shown });
    const name = `${id}-${index + 1}${safeExtension(filename, contentType)}`;
    return sendFile(reply, content, { type: 'application/octet-stream', filename: name });
  },
};

/** Sends HTML, or why it cannot be shown. */
async function sendHtml(
  reply: FastifyReply,
  deps: ContentDeps,
  send: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof UnprocessableError) return sendUnprocessable(reply, 422, error.message, deps);
    if (error instanceof ProcessorUnavailableError) return sendUnprocessable(reply, 503, error.message, deps);
    throw error;
  }
}

function rawBytes(email: Email, { core, control }: ContentDeps): Promise<Uint8Array> {
  return messageFor(email, undefined, { ...core, compose: control.compose, deliveredCopy: control.deliveredCopy });
}

function sendFile(
  reply: FastifyReply,
  bytes: Uint8Array,
  { type, filename }: { type: string; filename?: string },
): FastifyReply {
  reply.header('content-type', type).header('content-security-policy', FILE_POLICY);
  if (filename !== undefined) reply.header('content-disposition', `attachment; filename="${filename}"`);
  return reply.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

function sendRefusal(reply: FastifyReply, state: 'expired' | 'forged', { core }: ContentDeps): FastifyReply {
  const title = state === 'expired' ? 'This address has expired' : 'This address is not valid';
  const validity = `Addresses of content are valid for ${CONTENT_URL_MINUTES} minutes.`;
  const content = `<p>${validity} Open the email or template in the inbox again.</p>`;
  return sendMessagePage(reply, 403, { title, content }, { ids: core.ids, isFramed: true });
}

function sendMissing(reply: FastifyReply, { core }: ContentDeps): FastifyReply {
  const page = { title: 'This email does not exist', content: '<p>It was probably deleted.</p>' };
  return sendMessagePage(reply, 404, page, { ids: core.ids, isFramed: true });
}

/** @param reason text of this server, without content of the email */
function sendUnprocessable(reply: FastifyReply, status: number, reason: string, { core }: ContentDeps): FastifyReply {
  const content = `<p>${reason}</p><p>The source and the text of the email are still available.</p>`;
  const page = { title: 'The HTML of this email cannot be shown', content };
  return sendMessagePage(reply, status, page, { ids: core.ids, isFramed: true });
}
