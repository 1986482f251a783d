import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Answer } from './servers/app.js';

/** Reads an OpenAPI document without the contract that it was generated from. */

type Schema = Record<string, unknown>;

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
}

interface Response {
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }>;
}

export interface Operation {
  operationId: string;
  method: string;
  /** The path of the document, with `{parameters}`. */
  path: string;
  parameters: Parameter[];
  body: Schema | undefined;
  /** The media type of a body that is not JSON. */
  accepts: string | undefined;
  bodyExample: object | undefined;
  responses: Record<string, Response | { $ref: string }>;
}

// biome-ignore lint/suspicious/noExplicitAny: the document is read as the JSON that it is
export type Document = any;

export function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths as Record<string, Record<string, Document>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      operationId: operation.operationId,
      method: method.toUpperCase(),
      path,
      parameters: operation.parameters ?? [],
      body: operation.requestBody?.content['application/json']?.schema,
      accepts: Object.keys(operation.requestBody?.content ?? {}).find((type) => type !== 'application/json'),
      bodyExample: operation.requestBody?.content['application/json']?.example,
      responses: operation.responses,
    })),
  );
}

export function resolve<T>(document: Document, value: T | { $ref: string }): T {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value as T;
  return (value.$ref as string)
    .slice('#/'.length)
    .split('/')
    .reduce((node, key) => node[key], document) as T;
}

/** Checks responses against a document with a JSON Schema validator that svc itself does not use. */
export class ResponseOracle {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #document: Document;

  constructor(document: Document) {
    formats.default(this.#ajv);
    this.#document = closed(document);
    this.#ajv.addSchema({ $id: 'openapi.json', ...this.#document });
  }

  /** Returns the violations in a response; empty when it matches the document. */
  problems(operation: Operation, answer: Answer): string[] {
    const declared = operation.responses[answer.status];
    if (!declared) return [`status ${answer.status} is not declared`];
    const response = resolve<Response>(this.#document, declared);
    return [...this.#headerProblems(response, answer), ...this.#bodyProblems(operation, response, answer)];
  }

  /** Returns the violations in a value; empty when it matches the schema. */
  schemaProblems(key: string, schema: Schema, value: unknown): string[] {
    let validate = this.#validators.get(key);
    if (!validate) {
      validate = this.#ajv.compile(rebased(closed(schema)) as Schema);
      this.#validators.set(key, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      `${instancePath || '/'} ${message} ${JSON.stringify(params)}`.trim(),
    );
  }

  #headerProblems(response: Response, { headers }: Answer): string[] {
    return Object.entries(response.headers ?? {}).flatMap(([name, reference]) => {
      const header = resolve<{ required?: boolean; schema: Schema }>(this.#document, reference);
      const value = headers[name.toLowerCase()];
      if (value === undefined) return header.required ? [`header ${name} is missing`] : [];
      const read = header.schema.type === 'integer' ? Number(value) : value;
      return this.schemaProblems(`header ${name}`, header.schema, read).map((problem) => `header ${name}: ${problem}`);
    });
  }

  #bodyProblems({ operationId }: Operation, response: Response, { status, headers, json }: Answer): string[] {
    if (!response.content) return json === undefined ? [] : ['a body where none is declared'];
    const [type, media] = Object.entries(response.content)[0] ?? [];
    if (!headers['content-type']?.startsWith(`${type}`)) return [`content type ${headers['content-type']}`];
    const problems = this.schemaProblems(`${operationId} ${status}`, media?.schema ?? {}, json);
    // All failures have one schema. The examples of a response name those that it can have.
    const failures = Object.values(media?.examples ?? {}).map(({ value }) => (value as Answer['json']).error);
    const isDeclared = failures.some(({ code }) => code === json?.error?.code) && json.error.status === status;
    if (failures.length > 0 && !isDeclared) problems.push(`code ${json?.error?.code} is not declared for ${status}`);
    if (json?.meta?.request_id !== headers['x-request-id']) problems.push('meta.request_id is not X-Request-Id');
    return problems;
  }
}

/**
 * Forbids additional fields in objects. The document allows them for other services, but svc must not return undeclared
 * ones.
 */
function closed<T>(node: T): T {
  if (Array.isArray(node)) return node.map(closed) as T;
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  const isObjectSchema = copy.type === 'object' && copy.properties !== undefined;
  return (isObjectSchema ? { additionalProperties: false, ...copy } : copy) as T;
}

/** Rewrites the references in a part of the document to be valid in the whole document. */
function rebased(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(rebased);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) =>
      key === '$ref' && typeof value === 'string' ? [key, `openapi.json${value}`] : [key, rebased(value)],
    ),
  );
}
