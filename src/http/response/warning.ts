import type { FastifyReply } from 'fastify';
import { WARNING_HEADER } from '../../contract/vocabulary/headers.js';

const WARNING_CHARACTERS = 1_000;

/** Says in a header of the response what of the call may not be as it was meant, after what was said before. */
export function addWarning(reply: FastifyReply, text: string): void {
  const before = reply.getHeader(WARNING_HEADER);
  reply.header(WARNING_HEADER, headerText(before === undefined ? text : `${before}; ${text}`));
}

/** What a header may carry: printable ASCII, and not too much of it. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, WARNING_CHARACTERS);
}
