import { isAscii, isUtf8 } from 'node:buffer';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { ErrorDetail } from '../../contract/vocabulary/error-detail.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { ERROR_DETAILS_MAX } from '../../contract/vocabulary/limits.js';
import { shortened } from '../../contract/vocabulary/text.js';
import { JsonScan } from '../request/json-scan.js';

/** Parses bodies as JSON in UTF-8. An empty body is treated as no body. */

/** Bodies above this size are parsed in steps, so that other requests are handled in between. */
const LARGE_BODY_BYTES = 1024 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    /** A key that an object in the body has more than once; null without one. */
    repeatedKey: string | null;
  }
}

const plugin: FastifyPluginAsync = async (server) => {
  server.decorateRequest('repeatedKey', null);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer) =>
    readJsonBody(request, body),
  );
  server.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (body.length > 0) throw wrongContentType(request.headers['content-type']);
  });
};

export const jsonBody = fp(plugin);

/**
 * Parses a body.
 * @throws ServiceError if it is not JSON in UTF-8, exceeds the limits, or contains text that is not valid Unicode.
 */
async function readJsonBody(request: FastifyRequest, body: Buffer): Promise<unknown> {
  const { headers } = request;
  if (body.length === 0) return undefined;
  refuseEncoded(headers['content-encoding']);
  if (!isUtf8Declared(headers['content-type'])) throw wrongContentType(headers['content-type']);
  const pause = body.length > LARGE_BODY_BYTES ? () => new Promise(setImmediate) : () => undefined;
  if (!isUtf8(body)) throw new ServiceError('bad_request', 'The request body is not valid UTF-8.');
  await pause();
  const scan = new JsonScan(body);
  while (scan.step()) await pause();
  const text = decode(body);
  await pause();
  const value = parse(text);
  if (body.length <= LARGE_BODY_BYTES && memberCount(value) < scan.members) request.repeatedKey = repeatedKeyIn(text);
  // In valid UTF-8, only an escape can produce a lone surrogate.
  if (body.includes('\\u')) refuseLoneSurrogates(value);
  await pause();
  return value;
}

/** Refuses a compressed body by name: without this, its error would be that it is not UTF-8. */
function refuseEncoded(encoding = 'identity'): void {
  if (encoding.trim().toLowerCase() === 'identity') return;
  throw new ServiceError(
    'bad_request',
    `The request body has Content-Encoding ${JSON.stringify(shortened(encoding))}, which is not supported. Send it uncompressed.`,
  );
}

function wrongContentType(type = ''): ServiceError {
  return new ServiceError(
    'bad_request',
    `Content-Type must be application/json in UTF-8, not ${JSON.stringify(shortened(type))}.`,
  );
}

/**
 * Returns whether the content type allows UTF-8, which JSON requires (RFC 8259 section 8.1). A `charset` is
 * unnecessary, but one that names another encoding is an error.
 */
function isUtf8Declared(type = ''): boolean {
  return type
    .split(';')
    .slice(1)
    .every((parameter) => {
      const [name = '', value = ''] = parameter.split('=', 2);
      return name.trim().toLowerCase() !== 'charset' || /^\s*"?utf-?8"?\s*$/i.test(value);
    });
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

function decode(body: Buffer): string {
  // In ASCII each byte is one character, and latin1 is the fastest decoder.
  if (isAscii(body)) return body.toString('latin1');
  // RFC 8259 section 8.1: a byte order mark must not be sent, and many parsers refuse it.
  if (body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)) {
    throw new ServiceError('bad_request', 'The request body must not start with a byte order mark.');
  }
  return body.toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ServiceError('bad_request', `The request body is not JSON: ${(error as Error).message}.`);
  }
}

/** Returns the number of members of all objects in a value. */
function memberCount(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner: unknown[] = Object.values(value);
  return inner.reduce<number>((sum, each) => sum + memberCount(each), Array.isArray(value) ? 0 : inner.length);
}

/** Returns a key that an object in a JSON text has twice; null without one. */
function repeatedKeyIn(text: string): string | null {
  const open: Set<string>[] = [];
  let last = '';
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}:]/g)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (token !== ':') last = token;
    else {
      const key = JSON.parse(last) as string;
      if (open.at(-1)?.has(key)) return key;
      open.at(-1)?.add(key);
    }
  }
  return null;
}

/** Rejects lone surrogates, which databases and email clients cannot represent (docs/decisions/061-request-limits.md). */
function refuseLoneSurrogates(body: unknown): void {
  const details: ErrorDetail[] = [];
  const add = (path: string, text: string) => {
    if (text.isWellFormed() || details.length === ERROR_DETAILS_MAX) return;
    details.push({ path: shortened(path.toWellFormed()), message: 'must not contain a lone surrogate' });
  };
  const visit = (value: unknown, path: string) => {
    if (typeof value === 'string') add(path, value);
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      const at = path === '' ? name : `${path}.${name}`;
      if (!Array.isArray(value)) add(at, name);
      visit(inner, at);
    }
  };
  visit(body, '');
  if (details.length === 0) return;
  throw new ServiceError('invalid', `${details[0]?.path}: ${details[0]?.message}`, details);
}
