import { commonFailures, type Endpoint } from '../endpoint.js';
import { type Failure, failures } from '../vocabulary/errors.js';
import {
  RATE_LIMIT_HEADER,
  RATE_LIMIT_REMAINING_HEADER,
  RATE_LIMIT_RESET_HEADER,
  REQUEST_ID_HEADER,
  RETRY_AFTER_HEADER,
  WARNING_HEADER,
} from '../vocabulary/headers.js';
import { exampleRequestId, exampleTime } from './examples.js';
import type { JsonSchema } from './schemas.js';

/** Describes the responses of an endpoint. Specification: Response envelope, Errors. */

export interface ResponseObject {
  description: string;
  headers: Record<string, { $ref: string }>;
  content?: Record<string, { schema: JsonSchema; example?: object; examples?: Record<string, object> }>;
}

const integer = (minimum: number, example: number) => ({ type: 'integer', minimum, examples: [example] });

const headerComponents = {
  [RATE_LIMIT_HEADER]: {
    description: 'Requests allowed per minute for the API key or, without a key, for the IP address.',
    required: true,
    schema: integer(1, 1_200),
  },
  [RATE_LIMIT_REMAINING_HEADER]: {
    description: 'Requests left in the current window.',
    required: true,
    schema: integer(0, 1_199),
  },
  [RATE_LIMIT_RESET_HEADER]: {
    description: 'Unix time, in seconds, at which the full limit is available again.',
    required: true,
    schema: integer(0, 1_772_443_860),
  },
  [RETRY_AFTER_HEADER]: {
    description: 'Seconds to wait before the next request.',
    required: true,
    schema: integer(1, 30),
  },
  [REQUEST_ID_HEADER]: {
    description: 'Same as `meta.request_id`.',
    required: true,
    schema: { type: 'string', examples: [exampleRequestId] },
  },
  [WARNING_HEADER]: {
    description:
      'Sent by the local server only, once for each problem that did not prevent the request: a code and a text. The service may refuse such a request.',
    schema: { type: 'string', examples: ['unknown_field; scheduledAt: is not a field (did you mean scheduled_at?)'] },
  },
};

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Schemas of responses that contain data, by name. */
export type Envelopes = Record<string, JsonSchema>;

/** The schemas that all envelopes share, and the envelope of errors. */
export const envelopeSchemas: Record<string, JsonSchema> = {
  Meta: {
    type: 'object',
    required: ['request_id', 'timestamp'],
    properties: {
      request_id: { type: 'string', pattern: '^req_[0-9A-Za-z]{1,64}$', description: 'Identifies the request.' },
      timestamp: { type: 'string', format: 'date-time', description: 'ISO 8601, UTC.' },
    },
  },
  ErrorDetail: {
    type: 'object',
    required: ['path', 'message'],
    properties: {
      path: { type: 'string', description: 'Field or parameter, such as `attachments.0.content`.' },
      message: { type: 'string' },
      minimum: { type: 'integer', description: 'The smallest number that the parameter may have now.' },
    },
  },
  ErrorCode: {
    type: 'string',
    enum: [...new Set(Object.values(failures).map(({ code }) => code))],
    description: 'The cause of the error.',
  },
  ApiError: {
    type: 'object',
    required: ['code', 'message', 'status'],
    properties: {
      code: refTo('ErrorCode'),
      message: { type: 'string' },
      status: { type: 'integer', description: 'Same as the status of the response.' },
      details: {
        type: 'array',
        items: refTo('ErrorDetail'),
        description: 'One entry per invalid field or parameter.',
      },
      hint: { type: 'string', description: 'Suggested next step.' },
    },
  },
  ErrorResponse: envelope('Always false.', { error: refTo('ApiError') }),
};

const rateLimitHeaders = [RATE_LIMIT_HEADER, RATE_LIMIT_REMAINING_HEADER, RATE_LIMIT_RESET_HEADER];

const exampleMeta = { request_id: exampleRequestId, timestamp: exampleTime };
const JSON_TYPE = 'application/json';

/** Describes the responses of one API. */
export interface ResponseForm {
  /** Whether calls count against the rate limit. */
  rateLimited: boolean;
}

/** Returns the headers that an API sends, for the document's `components`. */
export function headersOf({ rateLimited }: ResponseForm): Record<string, object> {
  if (rateLimited) return headerComponents;
  return {
    [REQUEST_ID_HEADER]: headerComponents[REQUEST_ID_HEADER],
    [WARNING_HEADER]: headerComponents[WARNING_HEADER],
  };
}

function commonHeaders({ rateLimited }: ResponseForm): string[] {
  return [...(rateLimited ? rateLimitHeaders : []), REQUEST_ID_HEADER];
}

/** Returns the response of a successful call, and adds its envelope to `envelopes`. `data` is a reference. */
export function successResponse(
  endpoint: Endpoint,
  data: { $ref: string } | undefined,
  example: unknown,
  { api, envelopes }: { api: ResponseForm; envelopes: Envelopes },
): ResponseObject {
  const headers = headerReferences([...commonHeaders(api), WARNING_HEADER]);
  if (endpoint.media !== undefined) {
    return {
      description: 'Successful.',
      headers,
      content: { [endpoint.media]: { schema: contentSchema(endpoint.media) } },
    };
  }
  if (!data) return { description: 'Success; no response body.', headers };
  const name = `${data.$ref.slice(data.$ref.lastIndexOf('/') + 1).replace(/Result$/, '')}Envelope`;
  envelopes[name] = envelope('Always true.', { data });
  const description = endpoint.status === 201 ? 'Created.' : 'Successful.';
  const answer = example === undefined ? {} : { example: { success: true, data: example, meta: exampleMeta } };
  return { description, headers, content: { [JSON_TYPE]: { schema: refTo(name), ...answer } } };
}

/** Returns the schema of content that is not JSON. */
export function contentSchema(media: string): JsonSchema {
  return media.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' };
}

/** Returns all failures of an endpoint, grouped by status in ascending order. */
export function failuresByStatus(
  { errors = [], public: isPublic }: Pick<Endpoint, 'errors' | 'public'>,
  { rateLimited }: ResponseForm,
): Map<number, Failure[]> {
  const byStatus = new Map<number, Failure[]>();
  const common = commonFailures
    .filter((failure) => !(isPublic && failure === 'unauthenticated'))
    .filter((failure) => rateLimited || failure !== 'rate_limited');
  const all = (Object.keys(failures) as Failure[]).filter((name) => [...common, ...errors].includes(name));
  for (const name of all) {
    const { status } = failures[name];
    byStatus.set(status, [...(byStatus.get(status) ?? []), name]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

/** Returns the response for one error status, which several failures can share. */
export function failureResponse(names: readonly Failure[], form: ResponseForm): ResponseObject {
  const reasons = names.map((name) => failures[name]);
  const status = reasons[0]?.status ?? 500;
  const examples = Object.fromEntries(
    names.map((name) => {
      const { code, meaning, hint } = failures[name];
      const error = { code, message: sentence(meaning), status, hint };
      return [name, { summary: meaning, value: { success: false, error, meta: exampleMeta } }];
    }),
  );
  const headers = headerReferences([...commonHeaders(form), ...(status === 429 ? [RETRY_AFTER_HEADER] : [])]);
  const description = reasons.map(({ code, meaning }) => `\`${code}\`: ${meaning}.`).join(' ');
  return { description, headers, content: { [JSON_TYPE]: { schema: refTo('ErrorResponse'), examples } } };
}

function envelope(success: string, content: Record<string, JsonSchema>): JsonSchema {
  return {
    type: 'object',
    required: ['success', ...Object.keys(content), 'meta'],
    properties: { success: { type: 'boolean', description: success }, ...content, meta: refTo('Meta') },
  };
}

function headerReferences(names: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function sentence(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}.`;
}
