import type * as z from 'zod';
import type { Endpoint } from '../contract/endpoint.js';
import { type OperationName, service } from '../contract/service/endpoints.js';
import { errorCodes } from '../contract/vocabulary/errors.js';
import { parsedJson } from '../contract/vocabulary/json.js';
import type { Exchange } from './retry.js';
import { besides, listField, listIn, unwrapped } from './tolerant-reader.js';

/** Compares the answers of a service with the specification, and with svc where the specification shows none. */

export interface Difference {
  /** The method and the path, such as `GET /emails`. */
  endpoint: string;
  /** A path in the body such as `data.emails[].to`, a header, or `status`. */
  field: string;
  /** The difference in words. */
  found: string;
  /** Whether the specification shows this part; otherwise svc decided it. */
  specified: boolean;
}

/** Parts of answers that the specification does not show. */
const NOT_SHOWN: Partial<Record<OperationName, RegExp>> = {
  'templates.list': /^data\b/,
  'templates.get': /^data\b/,
  'domains.get': /^data\b/,
  'api-keys.list': /^data\b/,
  'webhooks.list': /^data\b/,
  'analytics.emails': /^data\.by_date\[\]\.(?:complained|opened|clicked)$/,
};
const LIMIT_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/** Returns the differences of an answer with a status of 2xx. */
export function differencesOf(operation: OperationName, answer: Exchange): Difference[] {
  const { method, path, status, response }: Endpoint = service[operation];
  const body = parsedJson(answer.text);
  const found: [field: string, found: string, specified?: boolean][] = [
    ...(answer.status === status
      ? []
      : [['status', `${answer.status}, not ${status}`, false] as [string, string, boolean]]),
    ...headerDifferences(answer),
    ...envelopeDifferences(body, true),
  ];
  const data = (body as { data?: unknown } | undefined)?.data;
  if (data === undefined) found.push(['data', 'missing']);
  else if (response) {
    const [inner, around] = resourceIn(response, data);
    found.push(...around, ...schemaDifferences(response, inner));
  }
  return unique(found).map(([field, text, specified = !NOT_SHOWN[operation]?.test(field)]) => ({
    endpoint: `${method} ${path}`,
    field,
    found: text,
    specified,
  }));
}

/** Returns the differences of a refusal. */
export function refusalDifferencesOf(endpoint: string, answer: Exchange): Difference[] {
  const body = parsedJson(answer.text);
  const { error } = (body ?? {}) as { error?: { code?: unknown; message?: unknown; status?: unknown } };
  const found: [string, string][] = [...headerDifferences(answer), ...envelopeDifferences(body, false)];
  if (typeof error !== 'object' || error === null) found.push(['error', found.length > 0 ? inWords(error) : 'missing']);
  else {
    const isKnown = (errorCodes as readonly unknown[]).includes(error.code);
    if (!isKnown) found.push(['error.code', `${inWords(error.code)}, not a code of the specification`]);
    if (typeof error.message !== 'string') found.push(['error.message', `${inWords(error.message)}, not text`]);
    if (error.status !== answer.status) found.push(['error.status', `${inWords(error.status)}, not ${answer.status}`]);
  }
  return found.map(([field, text]) => ({ endpoint, field, found: text, specified: true }));
}

function headerDifferences({ headers }: Exchange): [string, string][] {
  const type = headers.get('content-type') ?? '';
  return [
    ...(/^application\/json\b/i.test(type) ? [] : [['content-type', type || 'missing'] as [string, string]]),
    ...LIMIT_HEADERS.flatMap((name): [string, string][] => {
      const value = headers.get(name);
      return /^\d+$/.test(value ?? '')
        ? []
        : [[name, value === null ? 'missing' : `${inWords(value)}, not an integer`]];
    }),
  ];
}

function envelopeDifferences(body: unknown, success: boolean): [string, string][] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [['body', 'no envelope']];
  const { success: given, meta } = body as { success?: unknown; meta?: { request_id?: unknown; timestamp?: unknown } };
  const { request_id, timestamp } = meta ?? {};
  return [
    ...(given === success ? [] : [['success', `${inWords(given)}, not ${success}`] as [string, string]]),
    ...Object.entries({ request_id, timestamp }).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [] : [[`meta.${name}`, inWords(value)]],
    ),
  ];
}

/** Returns the resource or list of an answer as the specification shows it, and the difference of what is around it. */
function resourceIn(response: z.ZodType, data: unknown): [unknown, [string, string][]] {
  const keyOf = (value: unknown) => Object.entries(data ?? {}).find(([, each]) => each === value)?.[0];
  const field = listField(response);
  if (field === undefined) {
    const resource = unwrapped(response, data);
    if (resource === data || resource === undefined) return [data, []];
    return [
      resource,
      [['data', Array.isArray(data) ? 'a list of one item' : `wrapped in ${inWords(keyOf(resource))}`]],
    ];
  }
  const items = listIn(data, field);
  const key = keyOf(items);
  if (items === undefined || key === field) return [data, []];
  const found =
    items === data ? 'an array' : key === undefined ? 'a list one level deeper' : `the list is ${inWords(key)}`;
  return [{ ...besides(data, items), [field]: items }, [['data', `${found}, not ${inWords(field)}`]]];
}

function schemaDifferences(schema: z.ZodType, data: unknown): [string, string][] {
  const issues = schema.safeParse(data).error?.issues ?? [];
  return [
    ...issues.map(({ path, message }): [string, string] => {
      const value = path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null)?.[key], data);
      const [problem = ''] = message.replace(/^Invalid (?:input|option|string): /, '').split(', received ');
      return [pathText(path), value === undefined ? 'missing' : `${inWords(value)}: ${problem}`];
    }),
    ...unknownFields(schema, data).map((path): [string, string] => [pathText(path), 'additional field']),
  ];
}

/** Returns the paths of fields that the schema does not have. */
function unknownFields(schema: z.ZodType, value: unknown, path: PropertyKey[] = []): PropertyKey[][] {
  const { innerType } = schema.def as { innerType?: z.ZodType };
  if (innerType) return unknownFields(innerType, value, path);
  const { shape, element } = schema as unknown as { shape?: Record<string, z.ZodType>; element?: z.ZodType };
  if (element) {
    return Array.isArray(value) ? value.flatMap((each, index) => unknownFields(element, each, [...path, index])) : [];
  }
  if (!shape || typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => {
    const field = Object.hasOwn(shape, key) ? shape[key] : undefined;
    return field ? unknownFields(field, each, [...path, key]) : [[...path, key]];
  });
}

function pathText(path: readonly PropertyKey[]): string {
  return ['data', ...path.map((key) => (typeof key === 'number' ? '[]' : `.${String(key)}`))].join('');
}

function unique<Row extends readonly [string, string, boolean?]>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row[0], row])).values()];
}

const SHOWN_CHARACTERS = 40;

function inWords(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
