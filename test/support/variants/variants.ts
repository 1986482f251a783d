import type * as z from 'zod';
import type { Endpoint } from '../../../src/contract/endpoint.js';
import { type OperationName, service } from '../../../src/contract/service/endpoints.js';
import type { Answer, Variant } from './variant-proxy.js';

/** Generates the forms that an answer of a service may have, from the contract. */

/** What a client should make of an answer. */
type Effect =
  /** It contains the same in another form. */
  | 'same'
  /** A value is missing. */
  | 'less'
  /** A value is another one than svc has. */
  | 'other value'
  /** It succeeded, without anything that the client can read. */
  | 'unreadable'
  /** It has the envelope, without what a read asks for. */
  | 'has nothing'
  /** Something else answered, with a status of 2xx. */
  | 'foreign'
  /** The service refused the request. */
  | 'refused'
  /** The service refused the first request, which it did not carry out. */
  | 'refused once'
  /** No answer arrived. */
  | 'lost';

export interface KnownVariant extends Variant {
  effect: Effect;
  /** Whether it differs only in what the client reads in one place for all operations. */
  isShared?: true;
  /** The path of the field that differs. */
  field?: string;
  /** The status of a refusal. */
  status?: number;
}

type Json = unknown;
type Fields = Record<string, Json>;
type Path = readonly string[];

/** The message of every refusal. */
export const REFUSAL = 'the reason 4711';
/** A detail of a refusal. */
export const DETAIL = 'the detail 4712';

/** Returns all variants of the answers to an operation. */
export function variantsOf(operation: OperationName): KnownVariant[] {
  const endpoint: Endpoint = service[operation];
  return [
    ...fieldVariants(endpoint),
    ...formVariants(operation, endpoint),
    ...emptyVariants(endpoint),
    ...foreignVariants(),
    ...refusals(),
    ...shared(passingRefusals()),
    { name: 'connection closed without an answer', effect: 'lost', answer: () => 'closed' },
    { name: 'answer broken off', effect: 'lost', answer: () => 'broken off' },
  ];
}

/** The variant of a service that does not answer in time. */
export const SILENT: KnownVariant = { name: 'no answer in time', effect: 'lost', answer: () => 'never sent' };

const shared = (variants: KnownVariant[]): KnownVariant[] => variants.map((each) => ({ ...each, isShared: true }));

function fieldVariants({ response }: Endpoint): KnownVariant[] {
  if (response === undefined) return [];
  return pathsOf(response).flatMap((path) => {
    const field = path.join('.');
    const edit = (name: string, effect: Effect, change: (value: Json) => Json): KnownVariant => ({
      name: `${field} ${name}`,
      effect,
      field,
      answer: (answer) => withData(answer, (data) => edited(data, path, change)),
    });
    const key = path.at(-1) ?? '';
    return [
      edit('missing', 'less', () => undefined),
      // The client leaves out null in one place.
      ...shared([edit('null', 'less', () => null)]),
      edit('in another type', /_at$|^date$/.test(key) ? 'other value' : 'same', (value) => retyped(key, value)),
      ...(key === 'status' ? [edit('unknown', 'other value', () => 'queued')] : []),
      ...(/_at$/.test(key) ? [edit('in Unix seconds', 'other value', () => 1_772_366_442)] : []),
    ];
  });
}

/** Returns the paths of all fields of a response. `*` is each item of a list. */
function pathsOf(schema: z.ZodType, path: Path = []): Path[] {
  const { innerType } = schema.def as { innerType?: z.ZodType };
  if (innerType) return pathsOf(innerType, path);
  const { shape, element } = schema as unknown as { shape?: Record<string, z.ZodType>; element?: z.ZodType };
  if (element) return pathsOf(element, [...path, '*']);
  if (!shape) return [];
  return Object.entries(shape).flatMap(([key, field]) => [[...path, key], ...pathsOf(field, [...path, key])]);
}

function edited(value: Json, [first, ...rest]: Path, change: (value: Json) => Json): Json {
  if (first === undefined) return change(value);
  if (first === '*') return Array.isArray(value) ? value.map((each) => edited(each, rest, change)) : value;
  if (typeof value !== 'object' || value === null || !(first in value)) return value;
  return { ...value, [first]: edited((value as Fields)[first], rest, change) };
}

function retyped(key: string, value: Json): Json {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value))
    return value.length > 0 && value.every((each) => typeof each === 'string') ? value.join(',') : value;
  if (typeof value !== 'string') return value;
  if (key === 'to') return value.split(', ');
  if (key === 'from') return { email: value };
  return /_at$/.test(key) ? value.replace(/\.\d+Z$/, '+00:00') : [value];
}

function formVariants(operation: OperationName, { response, status }: Endpoint): KnownVariant[] {
  const same = (name: string, change: (data: Json) => Json): KnownVariant => ({
    name,
    effect: 'same',
    answer: (answer) => withData(answer, change),
  });
  const others = [200, 201, 202].filter((each) => each !== status);
  const statuses = others.map(
    (other): KnownVariant => ({
      name: `status ${other}`,
      effect: 'same',
      answer: (answer) => (answer.status === status ? { ...answer, status: other, body: answer.body || DONE } : answer),
    }),
  );
  if (response === undefined) return shared(statuses);
  const [resource = ''] = operation.split('.');
  const list = Object.keys((response as unknown as z.ZodObject).shape).find(
    (key) => key === resource.replace('-', '_'),
  );
  const bare: KnownVariant[] = [
    {
      name: 'without meta',
      effect: 'same',
      answer: (answer) => withEnvelope(answer, ({ meta: _, ...rest }) => rest),
    },
    {
      name: 'as text/plain',
      effect: 'same',
      answer: (answer) => ({ ...answer, headers: { ...answer.headers, 'content-type': 'text/plain' } }),
    },
    same('with more fields', (data) => ({ ...(data as Fields), extra: { nested: ['x'] }, object: 'thing' })),
  ];
  if (list === undefined) {
    return [
      ...shared([...statuses, ...bare]),
      same('wrapped in its name', (data) => ({ [resource.replace(/s$/, '').replace('-', '_')]: data })),
      same('wrapped in data', (data) => ({ data })),
      same('as the only item of a list', (data) => [data]),
    ];
  }
  const { [list]: _, ...rest } = {} as Fields;
  return [
    ...shared([...statuses, ...bare]),
    same('as an array', (data) => (data as Fields)[list]),
    same('named items', (data) => ({
      ...rest,
      items: (data as Fields)[list],
      pagination: (data as Fields).pagination,
    })),
    same('one level deeper', (data) => ({ result: data })),
    same('without pagination', (data) => ({ [list]: (data as Fields)[list] })),
    same('with null pagination', (data) => ({ [list]: (data as Fields)[list], pagination: null })),
  ];
}

const DONE = '{"success":true}';
/** Answers without data that commands themselves may have to handle; the others are read as one of these. */
const READ_BY_COMMANDS: ReadonlySet<string> = new Set(['204', 'only success', 'data {}', 'data []']);

function emptyVariants({ method, response }: Endpoint): KnownVariant[] {
  const isList = response !== undefined && method === 'GET' && listNameOf(response) !== undefined;
  const answers: [string, Partial<Answer>, Effect][] = [
    ['empty', { status: 200, body: '' }, 'unreadable'],
    ['204', { status: 204, body: '' }, 'unreadable'],
    ['OK as text', { status: 200, body: 'OK', headers: { 'content-type': 'text/plain' } }, 'unreadable'],
    ['{}', { body: '{}' }, 'unreadable'],
    ['only success', { body: DONE }, 'unreadable'],
    ['data null', { body: '{"success":true,"data":null}' }, 'unreadable'],
    ['data {}', { body: '{"success":true,"data":{}}' }, 'has nothing'],
    ['data true', { body: '{"success":true,"data":true}' }, 'has nothing'],
    ['data a message', { body: '{"success":true,"data":{"message":"Accepted."}}' }, 'has nothing'],
    ...(isList
      ? []
      : ([['data []', { body: '{"success":true,"data":[]}' }, 'has nothing']] as [string, Partial<Answer>, Effect][])),
  ];
  return answers.map(([name, other, effect]) => ({
    name,
    effect,
    ...(!READ_BY_COMMANDS.has(name) && { isShared: true }),
    answer: (answer) =>
      isSuccess(answer) ? { ...answer, status: answer.status === 204 ? 200 : answer.status, ...other } : answer,
  }));
}

function listNameOf(response: z.ZodType): string | undefined {
  const shape = (response as unknown as z.ZodObject).shape as Record<string, z.ZodType>;
  const names = Object.keys(shape).filter((key) => key !== 'pagination');
  return names.length === 1 && shape[names[0] ?? '']?.def.type === 'array' ? names[0] : undefined;
}

const PAGE = '<!doctype html>\n<html><head><title>Welcome 4711</title></head><body>hello</body></html>\n';

function foreignVariants(): KnownVariant[] {
  return [
    {
      name: 'a page',
      effect: 'foreign',
      answer: () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: PAGE }),
    },
    {
      name: 'success: false',
      effect: 'refused',
      status: 200,
      isForwarded: () => false,
      answer: () => json(200, { success: false, error: { code: 'validation_error', message: REFUSAL } }),
    },
    {
      name: 'an error without success',
      effect: 'refused',
      status: 200,
      isShared: true,
      isForwarded: () => false,
      answer: () => json(200, { error: { message: REFUSAL } }),
    },
  ];
}

const error = (code: string, status: number) => ({ code, message: REFUSAL, status });
/** The forms of a refusal, each with the status that it is sent with. */
const FORMS: [string, number, Json][] = [
  ['error text', 403, { error: REFUSAL }],
  ['message', 401, { message: REFUSAL }],
  ['detail', 422, { detail: REFUSAL }],
  ['errors', 400, { errors: [{ message: REFUSAL }] }],
  ['errors as text', 409, { errors: [REFUSAL] }],
  ['problem+json', 403, { type: 'about:blank', title: 'Forbidden', status: 403, detail: REFUSAL }],
  ['OAuth', 401, { error: 'invalid_token', error_description: REFUSAL }],
  ['details text', 422, { error: { ...error('validation_error', 422), details: DETAIL } }],
  ['details object', 422, { error: { ...error('validation_error', 422), details: { to: DETAIL } } }],
  ['details of lists', 422, { error: { ...error('validation_error', 422), details: { to: [DETAIL] } } }],
  [
    'details with fields',
    422,
    { error: { ...error('validation_error', 422), details: [{ field: 'to', issue: DETAIL }] } },
  ],
  ['details list of text', 422, { error: { ...error('validation_error', 422), details: [DETAIL] } }],
  [
    'details of objects',
    422,
    { error: { ...error('validation_error', 422), details: { to: { code: 1, text: DETAIL } } } },
  ],
];

function refusals(): KnownVariant[] {
  const refusal = (name: string, status: number, answer: Answer): KnownVariant => ({
    name: `${status} ${name}`,
    effect: 'refused',
    status,
    isForwarded: () => false,
    answer: () => answer,
    // Commands themselves have to handle that something does not exist, and what the client reports about a field.
    ...(!['404 in the envelope', '422 details with fields'].includes(`${status} ${name}`) && { isShared: true }),
  });
  return [
    ...[400, 401, 403, 404, 409, 422, 429, 500, 503].map((status) =>
      refusal('in the envelope', status, json(status, { success: false, error: error('some_error', status) })),
    ),
    ...FORMS.map(([name, status, body]) => {
      const type = name === 'problem+json' ? { 'content-type': 'application/problem+json' } : {};
      return refusal(name, status, json(status, body, type));
    }),
    refusal('as text', 401, { status: 401, headers: { 'content-type': 'text/plain' }, body: REFUSAL }),
    refusal('as a page', 502, {
      status: 502,
      headers: { 'content-type': 'text/html' },
      body: `<html><head><title>${REFUSAL}</title></head></html>`,
    }),
    refusal('as a page', 403, {
      status: 403,
      headers: { 'content-type': 'text/html' },
      body: `<html><head><title>${REFUSAL}</title></head></html>`,
    }),
  ];
}

function passingRefusals(): KnownVariant[] {
  const once = (name: string, status: number, headers: Record<string, string>): KnownVariant => ({
    name: `${status} once, with ${name}`,
    effect: 'refused once',
    isForwarded: (attempt) => attempt > 1,
    answer: (answer, attempt) => (attempt > 1 ? answer : json(status, { error: error('busy', status) }, headers)),
  });
  return [
    once('Retry-After', 429, { 'retry-after': '0' }),
    once('X-RateLimit-Reset', 429, { 'x-ratelimit-reset': '0' }),
    once('Retry-After', 503, { 'retry-after': '0' }),
  ];
}

function json(status: number, body: Json, headers: Record<string, string> = {}): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status <= 299;
}

function withEnvelope(answer: Answer, change: (envelope: Fields) => Fields): Answer {
  if (!isSuccess(answer) || answer.body === '') return answer;
  return { ...answer, body: JSON.stringify(change(JSON.parse(answer.body) as Fields)) };
}

function withData(answer: Answer, change: (data: Json) => Json): Answer {
  return withEnvelope(answer, (envelope) => ({ ...envelope, data: change(envelope.data) }));
}
