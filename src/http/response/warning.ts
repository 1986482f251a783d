import type { FastifyReply } from 'fastify';
import { WARNING_HEADER } from '../../contract/vocabulary/headers.js';

const WARNING_CHARACTERS = 1_000;

/** Adds a warning to the response header, after earlier ones. */
export function addWarning(reply: FastifyReply, text: string): void {
  const before = reply.getHeader(WARNING_HEADER);
  reply.header(WARNING_HEADER, headerText(before === undefined ? text : `${before}; ${text}`));
}

/** Returns a text that is valid in a header: printable ASCII of limited length. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, WARNING_CHARACTERS);
}
