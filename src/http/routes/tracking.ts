import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Core } from '../../core/context.js';
import { CLICK_PATH, clickTracked, OPEN_PATH, openTracked, type Visitor } from '../../core/mail/tracking/tracking.js';
import { PRIVATE_HEADERS } from '../response/safe-headers.js';

/** Serves the pixel and the tracked links in delivered emails. Email clients have no API key and may use any origin. */

/**
 * A transparent GIF of one pixel. GIF89a: a logical screen, two colours, and the control extension that makes the first
 * colour transparent.
 */
const PIXEL = Buffer.from(
  '47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b',
  'hex',
);

/** Characters that a URL may contain (RFC 3986 section 2). Others must be escaped in a header. */
const PLAIN_URL = /^[\w.~:/?#[\]@!$&'()*+,;=%-]+$/;

/** Registers the routes of the pixel and the tracked links. */
export async function tracking(server: FastifyInstance, { core }: { core: Core }): Promise<void> {
  const config = { public: true, anyOrigin: true };
  const method = ['GET', 'HEAD'];
  server.route<{ Params: { file: string } }>({
    method,
    url: `${OPEN_PATH}:file`,
    config,
    async handler(request, reply) {
      forbidCaching(reply);
      await openTracked(request.params.file, visitorOf(request), core);
      return reply.header('content-type', 'image/gif').send(PIXEL);
    },
  });
  server.route<{ Params: { token: string } }>({
    method,
    url: `${CLICK_PATH}:token`,
    config,
    async handler(request, reply) {
      forbidCaching(reply);
      const url = await clickTracked(request.params.token, visitorOf(request), core);
      return reply
        .code(302)
        .header('location', PLAIN_URL.test(url) ? url : new URL(url).href)
        .send();
    },
  });
}

function forbidCaching(reply: FastifyReply): void {
  reply.headers(PRIVATE_HEADERS);
  // Prevents the link's target from receiving the token, and the URL of the page that shows the email.
  reply.header('referrer-policy', 'no-referrer');
}

/** Returns the client that sent the request; null for HEAD, because a scanner that only checks a link has not opened it. */
function visitorOf(request: FastifyRequest): Visitor | null {
  if (request.method === 'HEAD') return null;
  return { ip: request.ip, userAgent: request.headers['user-agent'] ?? '' };
}
