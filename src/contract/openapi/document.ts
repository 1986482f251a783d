import type { Contract, Endpoint } from '../endpoint.js';
import { mapValues, portableSchema } from './portable.js';
import {
  contentSchema,
  type Envelopes,
  envelopeSchemas,
  failureResponse,
  failuresByStatus,
  headersOf,
  type ResponseForm,
  successResponse,
} from './responses.js';
import { inlineSchema, type JsonSchema, type SchemaNames, SchemaRegistry } from './schemas.js';

export interface DocumentOptions {
  /** svc's own version. */
  version: string;
  /** The base URL of the API: absolute, or relative to the document's URL. */
  server: { url: string; description: string };
}

/** Describes one API: the service's, or the control API. */
export interface ApiDescription extends ResponseForm {
  title: string;
  description: string;
  contract: Contract;
  /** The tag of each operation, by the first part of its name. */
  tags: Record<string, { name: string; description: string }>;
  /** Examples by the name of the operation. */
  examples: Record<string, Parts>;
  schemas: SchemaNames;
  authentication: string;
  /** Returns the requests that the API sends. */
  webhooks?(schemas: SchemaRegistry): Record<string, object>;
}

interface Parts {
  params?: Record<string, string>;
  body?: unknown;
  data?: unknown;
}

const BEARER = 'bearer';

/** Generates the OpenAPI 3.1 document of an API from its contract. */
export function documentOf(api: ApiDescription, { version, server }: DocumentOptions): object {
  const schemas = new SchemaRegistry(api.schemas);
  const responses: Record<string, object> = {};
  const envelopes: Envelopes = {};
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, endpoint] of Object.entries(api.contract)) {
    const methods = paths[endpoint.path] ?? {};
    methods[endpoint.method.toLowerCase()] = operation(name, endpoint, { api, schemas, responses, envelopes });
    paths[endpoint.path] = methods;
  }
  const webhooks = api.webhooks?.(schemas);
  const components = schemas.components();
  const { title, description } = api;
  return {
    openapi: '3.1.0',
    info: { title, version, description, contact: { name: 'svc' }, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [server],
    security: [{ [BEARER]: [] }],
    tags: [...new Set(Object.values(api.tags))],
    paths,
    ...(webhooks && { webhooks }),
    components: {
      securitySchemes: { [BEARER]: { type: 'http', scheme: 'bearer', description: api.authentication } },
      headers: headersOf(api),
      responses,
      schemas: {
        ...mapValues(components, (each) => portableSchema(each, components)),
        ...envelopes,
        ...envelopeSchemas,
      },
    },
  };
}

interface Parents {
  api: ApiDescription;
  schemas: SchemaRegistry;
  /** The document's responses, which operations share. */
  responses: Record<string, object>;
  envelopes: Envelopes;
}

function operation(name: string, endpoint: Endpoint, { api, schemas, responses, envelopes }: Parents): object {
  const example = api.examples[name] ?? {};
  const { response } = endpoint;
  const data = response && schemas.reference(response, 'output', `${pascalCase(name)}Result`);
  const parameters = [
    ...parametersOf(endpoint.params, 'path', example.params),
    ...parametersOf(endpoint.query, 'query'),
  ];
  return {
    operationId: name,
    tags: [api.tags[name.replace(/\..*/, '')]?.name],
    summary: endpoint.summary,
    description: descriptionOf(endpoint),
    ...(endpoint.public && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...requestBodyOf(name, endpoint, schemas, example),
    responses: {
      [endpoint.status]: successResponse(endpoint, data, example.data, { api, envelopes }),
      ...Object.fromEntries(
        [...failuresByStatus(endpoint, api)].map(([status, names]) => {
          const id = names.map(pascalCase).join('Or');
          responses[id] ??= failureResponse(names, api);
          return [status, { $ref: `#/components/responses/${id}` }];
        }),
      ),
    },
  };
}

function requestBodyOf(
  name: string,
  { body, accepts }: Endpoint,
  schemas: SchemaRegistry,
  { body: example }: Parts,
): { requestBody?: object } {
  if (accepts !== undefined) {
    return { requestBody: { required: true, content: { [accepts]: { schema: contentSchema(accepts) } } } };
  }
  if (!body) return {};
  const schema = schemas.reference(body, 'input', `${pascalCase(name)}Body`);
  const content = { 'application/json': { schema, ...(example !== undefined && { example }) } };
  return { requestBody: { required: true, content } };
}

function descriptionOf({ summary, description, emits }: Endpoint): string {
  const causes = emits && `Can cause these events: ${emits.map((event) => `\`${event}\``).join(', ')}.`;
  return [description ?? [], causes ?? []].flat().join(' ') || `${summary}.`;
}

function parametersOf(schema: Endpoint['query'], place: 'path' | 'query', examples?: Record<string, string>): object[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = inlineSchema(schema, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description: text, ...rest }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(text !== undefined && { description: text }),
    schema: portableSchema(rest, {}),
    ...(examples?.[name] !== undefined && { example: examples[name] }),
  }));
}

/** Converts `api-keys.create` to `ApiKeysCreate`. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|[._-])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
