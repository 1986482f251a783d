import { maxHeaderSize, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { REQUEST_ID_HEADER } from '../../contract/vocabulary/headers.js';
import { errorBody, JSON_TYPE } from '../response/envelope.js';
import { PRIVATE_HEADERS, SAFE_HEADERS } from '../response/safe-headers.js';

/** Answers what never became a request, in the envelope that requests get. Specification: Response envelope; decision 37. */

/** What an answer needs beyond the error: its id, the service's time, and headers of its own. */
export interface RawResponseContext {
  requestId: string;
  now: number;
  headers: Record<string, string | number>;
}

/** What node could not read as HTTP. The list of statuses has no 408, 417 or 431, so they are 400. */
export function asMalformed({ code, message }: NodeJS.ErrnoException): ServiceError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ServiceError(
      'bad_request',
      `The request line and the headers are larger than ${maxHeaderSize} bytes together.`,
    );
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ServiceError('bad_request', 'The request did not arrive in time.');
  return new ServiceError('bad_request', `The request is not HTTP: ${message}.`);
}

/** Answers on a connection that carries no request, and closes it. */
export function sendRawError(socket: Duplex, error: ServiceError, context: RawResponseContext): void {
  if (socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = Buffer.from(errorBody(error, context.requestId, context.now));
  const headers = {
    ...context.headers,
    ...SAFE_HEADERS,
    ...PRIVATE_HEADERS,
    [REQUEST_ID_HEADER]: context.requestId,
    'content-type': JSON_TYPE,
    'content-length': body.length,
    connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${head.join('')}\r\n`);
  socket.end(body, () => socket.destroy());
}

/**
 * Takes what node would answer by itself, without an envelope, or not at all: an expectation that it does not know, which a
 * server may ignore (RFC 9110 section 10.1.1), and the wish for a tunnel.
 */
export function handleUnusualRequests(server: Server, refuseTunnel: (socket: Duplex, target: string) => void): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (request, socket) => {
    // A caller that has gone is nobody's fault.
    socket.on('error', () => socket.destroy());
    refuseTunnel(socket, request.url ?? '');
  });
}
