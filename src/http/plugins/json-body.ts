import { isAscii, isUtf8 } from 'node:buffer';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { type ErrorDetail, ServiceError } from '../../contract/vocabulary/errors.js';
import { shortened } from '../../contract/vocabulary/helpers/shorten.js';
import { ERROR_DETAILS_MAX } from '../../contract/vocabulary/limits.js';
import { JsonScan } from '../request/json-scan.js';

/** Reads bodies as JSON in UTF-8. An empty body counts as none. */

/** Bodies above this size are read in steps, so that other requests are answered in between. */
const LARGE_BODY_BYTES = 1024 * 1024;

const plugin: FastifyPluginAsync = async (server) => {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer) =>
    readJsonBody(request, body),
  );
  server.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (body.length > 0) throw wrongContentType(request.headers['content-type']);
  });
};

export const jsonBody = fp(plugin);

/** @throws ServiceError when the body is not JSON in UTF-8, is nested too deep or holds too much, or text in it is not Unicode. */
async function readJsonBody({ headers }: FastifyRequest, body: Buffer): Promise<unknown> {
  if (body.length === 0) return undefined;
  if (!isUtf8Declared(headers['content-type'])) throw wrongContentType(headers['content-type']);
  const pause = body.length > LARGE_BODY_BYTES ? () => new Promise(setImmediate) : () => undefined;
  if (!isUtf8(body)) throw new ServiceError('bad_request', 'The request body is not valid UTF-8.');
  await pause();
  const scan = new JsonScan(body);
  while (scan.step()) await pause();
  const text = decode(body);
  await pause();
  const value = parse(text);
  // Without an escape there is no way to write half a surrogate pair in valid UTF-8.
  if (body.includes('\\u')) refuseLoneSurrogates(value);
  await pause();
  return value;
}

function wrongContentType(type = ''): ServiceError {
  return new ServiceError(
    'bad_request',
    `Content-Type must be application/json in UTF-8, not ${JSON.stringify(shortened(type))}.`,
  );
}

/** JSON is UTF-8 (RFC 8259 section 8.1); a `charset` has no meaning, but one that names another encoding is a mistake. */
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
  // Each byte is a character, so nothing needs decoding.
  if (isAscii(body)) return body.toString('latin1');
  const start = body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  return body.toString('utf8', start);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ServiceError('bad_request', `The request body is not JSON: ${(error as Error).message}.`);
  }
}

/** Rejects half a surrogate pair: neither a database nor a mail program could keep it (docs/decisions/061-request-limits.md). */
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
