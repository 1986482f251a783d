import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceError } from '../../contract/vocabulary/errors.js';
import { asServiceError, isFault, isTooLarge } from '../response/envelope.js';
import { SAFE_HEADERS } from '../response/headers.js';

/** Converts errors to the form of Mailpit: a line of text, and `{"Error": "…"}` for a message that is sent. */

export const SEND_PATH = '/api/v1/send';

/** What svc does not have. */
export class NotMappedError extends Error {}

/** @throws Error for a fault of the server, which the server's own handler reports. */
export function sendMailpitError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  stopping: AbortSignal,
): FastifyReply {
  reply.headers(SAFE_HEADERS);
  if (error instanceof NotMappedError) return sendText(reply, 501, error.message);
  const refusal = asServiceError(error, request);
  if (isFault(refusal, stopping)) throw error;
  request.refusal = refusal;
  const { failure, message } = refusal;
  if (failure === 'unauthenticated') {
    reply.header('www-authenticate', 'Basic realm="Login"');
    return sendText(reply, 401, 'Unauthorized.\n');
  }
  if (failure === 'not_found') return sendText(reply, 404, '404 page not found');
  const text = [message, refusal.hint].filter(Boolean).join(' ');
  const isSend = request.routeOptions.url === SEND_PATH;
  const status = isSend && isTooLarge(error) ? 413 : statusOf(refusal);
  return isSend && status !== 403
    ? reply
        .code(status)
        .type('application/json')
        .send(JSON.stringify({ Error: text }))
    : sendText(reply, status, text);
}

function statusOf({ failure, status }: ServiceError): number {
  return failure === 'forbidden' || failure === 'rate_limited' ? status : 400;
}

function sendText(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).type('text/plain; charset=utf-8').send(text);
}
