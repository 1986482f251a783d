import { maxHeaderSize, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { REQUEST_ID_HEADER } from '../../contract/vocabulary/headers.js';
import type { Core } from '../../core/context.js';
import { errorBody, JSON_TYPE } from '../response/envelope.js';
import { PRIVATE_HEADERS, SAFE_HEADERS } from '../response/headers.js';
import { UNKNOWN_PATH_HINT } from '../response/unknown-path.js';
import type { CallCounter } from './call-counter.js';

/**
 * Responds to connections without a valid request, in the envelope of all responses. Specification: Response envelope;
 * gap 37.
 */

/** A connection with its address, which is undefined after it is closed. */
type Connection = Duplex & { remoteAddress?: string | undefined; bytesRead?: number };

/** Responds to a connection with an error, and closes it. */
export interface ConnectionRefuser {
  /** Rejects a request that Node.js cannot parse as HTTP. */
  malformed(socket: Connection, error: NodeJS.ErrnoException): void;
  /** Rejects a request for a tunnel. */
  tunnel(socket: Connection, target: string): void;
}

/** Creates the refuser. Such connections have no API key, so they are counted by address. */
export function connectionRefuser(
  { clock, ids }: Pick<Core, 'clock' | 'ids'>,
  counter: CallCounter,
): ConnectionRefuser {
  const refuse = (socket: Connection, error: ServiceError) => {
    const headers = counter.countConnection(socket.remoteAddress ?? '');
    const now = clock.now();
    sendRawError(socket, error, { requestId: ids.next('req', now), now, headers });
  };
  return {
    malformed(socket, error) {
      if (error.code === TOO_LATE && socket.bytesRead === 0) socket.end(GREETING, () => socket.destroy());
      else if (error.code !== 'ECONNRESET') refuse(socket, asMalformed(error));
    },
    tunnel: (socket, target) => refuse(socket, new ServiceError('not_found', `No route matches CONNECT ${target}.`)),
  };
}

const TOO_LATE = 'ERR_HTTP_REQUEST_TIMEOUT';
/** For a client that has sent nothing: one of SMTP waits for a greeting. RFC 5321 section 3.8. */
const GREETING = '421 4.3.2 This is the HTTP port of svc. Its SMTP port is another one, 1025 by default.\r\n';

/** A request line with a method that Node.js does not know (gap 37). */
const REQUEST_LINE = /^([!#$%&'*+.^_`|~\dA-Za-z-]{1,32}) \S+ HTTP\/1\.[01]\r?\n/;

/** Describes a request that Node.js could not parse. The specification has no status 408, 417 or 431, so these become 400. */
function asMalformed({ code, message, rawPacket }: NodeJS.ErrnoException & { rawPacket?: Buffer }): ServiceError {
  const [, method] = REQUEST_LINE.exec(rawPacket?.toString('latin1') ?? '') ?? [];
  if (code === 'HPE_INVALID_METHOD' && method !== undefined) {
    return new ServiceError('not_found', `No route accepts the method ${method}.`, undefined, UNKNOWN_PATH_HINT);
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ServiceError(
      'bad_request',
      `The request line and the headers are larger than ${maxHeaderSize} bytes together.`,
    );
  }
  if (code === TOO_LATE) return new ServiceError('bad_request', 'The request did not arrive in time.');
  return new ServiceError('bad_request', `The request is not HTTP: ${message}.`);
}

/** The parts of a response besides the error. */
interface RawResponseContext {
  requestId: string;
  now: number;
  headers: Record<string, string | number>;
}

function sendRawError(socket: Duplex, error: ServiceError, context: RawResponseContext): void {
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
 * Handles requests that Node.js would answer without an envelope or not at all: an unknown expectation, which a server
 * may ignore (RFC 9110 section 10.1.1), and a request for a tunnel.
 */
export function handleUnusualRequests(server: Server, refuseTunnel: ConnectionRefuser['tunnel']): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (request, socket) => {
    // A client that disconnects is not an error of the server.
    socket.on('error', () => socket.destroy());
    refuseTunnel(socket, request.url ?? '');
  });
}
