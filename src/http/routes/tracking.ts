import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Core } from '../../core/context.js';
import { CLICK_PATH, clickTracked, OPEN_PATH, openTracked, type Visitor } from '../../core/mail/tracking.js';
import { PRIVATE_HEADERS } from '../response/safe-headers.js';

/** The routes that delivered mail leads to: the pixel and the links. A mail program has no key and may have any origin. */

/** A GIF of one transparent dot. GIF89a: logical screen, two colours, the control extension that makes the first one clear. */
const PIXEL = Buffer.from(
  '47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b',
  'hex',
);

/** What a URL may hold as it is (RFC 3986 section 2); anything else has to be escaped before it can stand in a header. */
const PLAIN_URL = /^[\w.~:/?#[\]@!$&'()*+,;=%-]+$/;

export function serveTracking(server: FastifyInstance, core: Core): void {
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
  // The link's target must not learn the token, nor where the mail was read.
  reply.header('referrer-policy', 'no-referrer');
}

/** Nobody for HEAD: a scanner that only looks has not opened anything. */
function visitorOf(request: FastifyRequest): Visitor | null {
  if (request.method === 'HEAD') return null;
  return { ip: request.ip, userAgent: request.headers['user-agent'] ?? '' };
}
