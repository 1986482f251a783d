import type * as z from 'zod';
import type { Endpoint } from '../contract/endpoint.js';
import { type OperationName, service } from '../contract/service/endpoints.js';
import type { ErrorDetail } from '../contract/vocabulary/error-detail.js';
import { isJsonObject, parsedJson } from '../contract/vocabulary/json.js';
import { ForeignAnswerError } from './client.js';
import { ApiFailure, hintFor } from './failures.js';
import type { RequestParts } from './wire-request.js';
import { IncompleteAnswerError } from './writes.js';

/**
 * Reads the answers of a service that differs from svc's where the specification shows no response. What an answer
 * should contain follows from the contract.
 */

/** The answer of a successful call. */
export interface Answer {
  /**
   * The response's `data`. Its own properties are those of the answer. Properties that the answer lacks are inherited:
   * the values in the request of a write, else empty text, lists and objects; unknown numbers and booleans are undefined.
   */
  data: unknown;
  /** The answer of a write, in words, if it is not the one that the specification shows. */
  deviation?: string;
  /** The service's time. */
  timestamp?: string;
}

type Fields = Record<string, unknown>;

/**
 * Reads the body of a response with a status of 2xx.
 * @throws ForeignAnswerError for a read without the envelope; ApiFailure if the envelope reports a failure;
 * IncompleteAnswerError as described there.
 */
export function readAnswer(name: OperationName, request: RequestParts, text: string): Answer {
  const endpoint: Endpoint = service[name];
  const isRead = endpoint.method === 'GET';
  const body = parsedJson(text);
  if (isJsonObject(body) && (body.success === false || (body.data === undefined && isError(body)))) {
    throw failureOf(200, body, undefined);
  }
  if (body === undefined && text.trimStart().startsWith('<')) {
    if (isRead) throw new ForeignAnswerError(`the response is not from this API: ${excerptOf(text)}`);
    throw new ApiFailure(
      'internal_error',
      `The server responded with a page: ${excerptOf(text)}`,
      200,
      [],
      PAGE,
      undefined,
    );
  }
  const { response } = endpoint;
  // A deletion has no data, whatever the service answers.
  if (response === undefined) return { data: undefined };
  const data = isJsonObject(body) && 'data' in body ? body.data : undefined;
  if (isRead && (data === undefined || data === null)) {
    throw new ForeignAnswerError(`the response is not from this API: ${excerptOf(text)}`);
  }
  const { timestamp } = (isJsonObject(body) && isJsonObject(body.meta) ? body.meta : {}) as { timestamp?: string };
  const list = listField(response);
  const answer =
    list === undefined
      ? readResource(endpoint, data ?? body ?? text, request, { isRead, isEnveloped: hasValue(data), text })
      : { data: readList(response, list, data, request, text) };
  return { ...answer, ...(hasText(timestamp) && { timestamp }) };
}

const NOTHING_KNOWN = 'The answer of the service does not contain what was asked for.';
const PAGE = 'The request may have been carried out. Check the base URL, and whether a proxy answered instead.';

function readResource(
  { response, onlyHere = [] }: Endpoint,
  value: unknown,
  request: RequestParts,
  { isRead, isEnveloped, text }: { isRead: boolean; isEnveloped: boolean; text: string },
): Answer {
  const schema = response as z.ZodType;
  const found = unwrapped(schema, value);
  const known = isJsonObject(found) ? Object.keys(shapeOf(schema) ?? {}).filter((key) => hasValue(found[key])) : [];
  const given = isJsonObject(found) ? found : hasText(found) ? { answer: found } : {};
  // An answer without data leaves the caller what the request itself names, such as the ID of the email to cancel.
  const answered = isRead || known.length > 0 ? given : { ...(request.params as Fields), ...given };
  const data = fitted(schema, answered, isRead ? {} : { ...(request.params as Fields), ...(request.body as Fields) });
  const lacking = onlyHere.filter((key) => !known.includes(key));
  if (lacking.length > 0) {
    throw new IncompleteAnswerError(
      `The answer of the service does not contain ${lacking.map((key) => JSON.stringify(key)).join(' and ')}.`,
      text,
    );
  }
  if (isRead && known.length === 0) throw new IncompleteAnswerError(NOTHING_KNOWN, text);
  if (isRead || (isEnveloped && known.length > 0)) return { data };
  return { data, deviation: text.trim() === '' ? 'an empty answer' : `an answer in another form: ${excerptOf(text)}` };
}

/** Returns the resource of an answer: the value itself, a single element, or what one of its fields contains. */
export function unwrapped(schema: z.ZodType, value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 1 ? unwrapped(schema, value[0]) : undefined;
  const shape = shapeOf(schema);
  if (!isJsonObject(value) || shape === undefined) return value;
  const known = (each: Fields) => Object.keys(shape).filter((key) => hasValue(each[key])).length;
  // A domain may be in a field of its name, `domain`, which is also one of its fields.
  return Object.values(value)
    .filter(isJsonObject)
    .reduce((best, each) => (known(each) > known(best) ? each : best), value);
}

/** Returns the field of a response that is a list of resources; undefined if it is not a list. */
export function listField(schema: z.ZodType): string | undefined {
  const others = Object.entries(shapeOf(schema) ?? {}).filter(([key]) => key !== 'pagination');
  const [[field, items] = []] = others;
  return others.length === 1 && field !== undefined && kindOf(items as z.ZodType) === 'array' ? field : undefined;
}

function readList(schema: z.ZodType, field: string, data: unknown, { query }: RequestParts, text: string): unknown {
  const items = listIn(data, field);
  if (items === undefined) {
    throw new IncompleteAnswerError(
      `The answer of the service does not contain a list of ${field.replace('_', ' ')}.`,
      text,
    );
  }
  const given: Fields = { ...besides(data, items), [field]: items };
  const shape = shapeOf(schema);
  if (shape?.pagination) given.pagination = pageOf(given.pagination, items.length, (query ?? {}) as Fields);
  return fitted(schema, given);
}

/** Returns what an answer has besides its list, and besides an object around the list. */
export function besides(data: unknown, items: unknown[]): Fields {
  if (!isJsonObject(data)) return {};
  const others = (fields: Fields) => Object.entries(fields).filter(([, value]) => value !== items);
  const around = Object.values(data).find(
    (value): value is Fields => isJsonObject(value) && Object.values(value).includes(items),
  );
  return Object.fromEntries([
    ...(around ? others(around) : []),
    ...others(data).filter(([, value]) => value !== around),
  ]);
}

/** Returns the list under its name, under another, or one level deeper. */
export function listIn(data: unknown, field: string): unknown[] | undefined {
  if (Array.isArray(data)) return data;
  if (!isJsonObject(data)) return undefined;
  if (Array.isArray(data[field])) return data[field];
  const values = Object.values(data);
  const deeper = values.filter(isJsonObject).flatMap((each) => Object.values(each));
  return [...values, ...deeper].find((each): each is unknown[] => Array.isArray(each) && each.every(isJsonObject));
}

/**
 * Returns the position of a page. Without one in the answer, whether another follows is not known, also after a short
 * page: the service may return fewer items than it was asked for.
 */
function pageOf(given: unknown, count: number, { limit, offset = 0 }: Fields): Fields {
  const page = isJsonObject(given) ? given : {};
  const start = numberOf(page.offset) ?? Number(offset);
  const size = numberOf(page.limit) ?? (limit === undefined ? undefined : Number(limit));
  const total = numberOf(page.total);
  const declared = booleanOf(page.has_more) ?? (total === undefined ? undefined : start + count < total);
  const has_more = declared ?? (count === 0 ? false : undefined);
  return {
    ...page,
    total: total ?? (has_more === false ? start + count : undefined),
    limit: size,
    offset: start,
    has_more,
  };
}

/**
 * Returns the value in the type of the schema, as far as it can be converted. `known` are values for fields that an
 * object lacks.
 */
function fitted(schema: z.ZodType, value: unknown, known: Fields = {}): unknown {
  const inner = innerOf(schema);
  if (value === undefined || value === null) return emptyOf(schema);
  switch (kindOf(inner)) {
    case 'object':
      return fittedObject(inner, isJsonObject(value) ? value : {}, known);
    case 'array': {
      const items = Array.isArray(value)
        ? value
        : typeof value === 'string'
          ? value.split(',').map((item) => item.trim())
          : [value];
      return items.map((item) => fitted(elementOf(inner), item));
    }
    case 'string':
    case 'enum':
    case 'literal':
      return textOf(value);
    case 'number':
      return numberOf(value);
    case 'boolean':
      return booleanOf(value);
    default:
      return value;
  }
}

/** An answer's fields are own properties, so that JSON contains nothing else. */
function fittedObject(schema: z.ZodType, given: Fields, known: Fields): object {
  const shape = shapeOf(schema) ?? {};
  const missing: Fields = {};
  const fields: Fields = {};
  for (const [key, field] of Object.entries(shape)) {
    const value = hasValue(given[key]) ? fitted(field, given[key]) : undefined;
    if (value !== undefined) fields[key] = value;
    else missing[key] = hasValue(known[key]) ? fitted(field, known[key]) : emptyOf(field);
  }
  for (const [key, value] of Object.entries(given)) if (!Object.hasOwn(shape, key)) fields[key] = value;
  for (const [key, field] of Object.entries(shape))
    if (given[key] === null && kindOf(field) === 'nullable') fields[key] = null;
  return Object.keys(missing).length === 0 ? fields : Object.assign(Object.create(missing) as object, fields);
}

/** Returns what a field without a value is. A number or a boolean would be a statement. */
function emptyOf(schema: z.ZodType): unknown {
  const kind = kindOf(schema);
  if (kind === 'nullable') return null;
  if (kind === 'optional' || kind === 'number' || kind === 'boolean') return undefined;
  if (kind === 'object') return fittedObject(schema, {}, {});
  if (kind === 'array') return [];
  return kind === 'string' || kind === 'enum' || kind === 'literal' ? '' : undefined;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (!isJsonObject(value)) return String(value);
  const address = value.email ?? value.address;
  if (typeof address !== 'string') return JSON.stringify(value);
  return hasText(value.name) ? `${value.name} <${address}>` : address;
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function booleanOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 1 || value === 'true') return true;
  return value === 0 || value === 'false' ? false : undefined;
}

/** Reads an error response in any form. */
export function readFailure(status: number, text: string, headers: { get(name: string): string | null }): ApiFailure {
  const body = parsedJson(text);
  const { code, message, details, hint, requestId } = failureOf(
    status,
    body,
    headers.get('x-request-id') ?? undefined,
    text,
  );
  return new ApiFailure(code, message, status, details, hint ?? hintFor(status, text, headers), requestId);
}

function failureOf(status: number, body: unknown, requestId: string | undefined, text = ''): ApiFailure {
  const given = isJsonObject(body) ? body : {};
  const error = errorOf(given);
  const fields = isJsonObject(error) ? error : given;
  const listed = detailsOf(fields.details ?? fields.errors ?? given.details ?? given.errors ?? fields.fields);
  const message =
    [
      fields.message,
      fields.error_description,
      hasText(error) ? error : undefined,
      fields.detail,
      fields.title,
      fields.description,
    ].find(hasText) ??
    listed[0]?.message ??
    (hasText(body) ? body : pageOrLine(status, text)) ??
    `The server responded ${status} without an error message.`;
  const code = [fields.code, fields.name, fields.type].find((each) => hasText(each) && /^\w{1,60}$/.test(each));
  const hint = hasText(fields.hint) ? fields.hint : undefined;
  return new ApiFailure((code as string) ?? codeOf(status), message, status, listed, hint, requestId);
}

/** Returns an error's details in any form as a list. */
function detailsOf(given: unknown): ErrorDetail[] {
  if (hasText(given)) return [{ path: '', message: given }];
  if (Array.isArray(given)) return given.flatMap((each) => (isJsonObject(each) ? [detailOf(each)] : detailsOf(each)));
  if (!isJsonObject(given)) return [];
  if (hasText(given.message)) return [detailOf(given)];
  return Object.entries(given).map(([path, value]) => ({ path, message: textOf(value) }));
}

function detailOf(given: Fields): ErrorDetail {
  const path = given.path ?? given.field ?? given.param ?? given.pointer ?? given.loc ?? '';
  const message = given.message ?? given.msg ?? given.detail ?? given.reason ?? given.code;
  return {
    path: Array.isArray(path) ? path.join('.') : textOf(path),
    message: message === undefined ? JSON.stringify(given) : textOf(message),
    ...(typeof given.minimum === 'number' && { minimum: given.minimum }),
  };
}

/** Returns whether an answer without data reports a failure, whatever its status is. */
function isError({ error, errors }: Fields): boolean {
  return isJsonObject(error) || hasText(error) || (Array.isArray(errors) && errors.length > 0);
}

function errorOf({ error, errors, message }: Fields): unknown {
  if (isJsonObject(error) || hasText(error)) return error;
  const [first] = Array.isArray(errors) ? errors : [];
  return isJsonObject(first) || hasText(first) ? first : message;
}

const CODES: Record<number, string> = {
  400: 'validation_error',
  401: 'authentication_error',
  403: 'authorization_error',
  404: 'not_found',
  409: 'validation_error',
  422: 'validation_error',
  429: 'rate_limit_exceeded',
};

function codeOf(status: number): string {
  return CODES[status] ?? 'internal_error';
}

const EXCERPT_CHARACTERS = 120;

/** Returns the first line of an answer, for a message. */
function excerptOf(text: string): string {
  const line = firstLineOf(text);
  return line === undefined ? 'it is empty' : JSON.stringify(line);
}

/** Returns what an answer other than JSON says: its first line, or what a page has as its title or first text. */
function pageOrLine(status: number, text: string): string | undefined {
  const line = firstLineOf(text);
  if (!line?.startsWith('<') && !text.trimStart().startsWith('<')) return line;
  const shown = line?.replace(/<[^<>]{0,200}>/g, ' ').trim();
  return `The server responded ${status} with a page${shown ? `: ${shown}` : ''}`;
}

function firstLineOf(text: string): string | undefined {
  const page = /<title[^<>]{0,100}>([^<]{1,200})<\/title>/i.exec(text.slice(0, 10_000))?.[1];
  const line = page ?? text.split('\n').find((each) => each.trim() !== '');
  if (line === undefined) return undefined;
  const trimmed = line.trim();
  return trimmed.length > EXCERPT_CHARACTERS ? `${trimmed.slice(0, EXCERPT_CHARACTERS)}…` : trimmed;
}

function hasText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function hasValue(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Returns the name of zod's class of a schema, such as `object`. */
function kindOf(schema: z.ZodType): string {
  return schema.def.type;
}

/** Returns the schema of a value that exists. */
function innerOf(schema: z.ZodType): z.ZodType {
  const { innerType } = schema.def as { innerType?: z.ZodType };
  return innerType === undefined ? schema : innerOf(innerType);
}

function shapeOf(schema: z.ZodType): Record<string, z.ZodType> | undefined {
  return (schema as Partial<z.ZodObject>).shape as Record<string, z.ZodType> | undefined;
}

function elementOf(schema: z.ZodType): z.ZodType {
  return (schema as z.ZodArray<z.ZodType>).element;
}
