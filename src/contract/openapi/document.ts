import type { Endpoint } from '../endpoint.js';
import { type OperationName, service } from '../service/endpoints.js';
import { operationExamples } from './examples.js';
import { pascalCase } from './pascal-case.js';
import { envelopeSchemas, failureResponse, failuresByStatus, headerComponents, successResponse } from './responses.js';
import { inlineSchema, type JsonSchema, SchemaRegistry } from './schemas.js';
import { WEBHOOK_TAG, webhooks } from './webhooks.js';

/** Generates the OpenAPI 3.1 document of the service from the contract. */

export interface DocumentOptions {
  /** svc's own version. */
  version: string;
  /** The base URL of the service, which ends with the version segment: absolute, or relative to the document's URL. */
  server: { url: string; description: string };
}

const tags = {
  emails: { name: 'Emails', description: 'Send, list, retrieve and cancel emails.' },
  templates: { name: 'Templates', description: 'Store templates and render them with variables.' },
  domains: { name: 'Domains', description: 'Sending domains and the DNS records that verify them.' },
  'api-keys': { name: 'API keys', description: 'Keys for this API.' },
  webhooks: { name: 'Webhooks', description: 'URLs that receive events.' },
  analytics: { name: 'Analytics', description: 'Email outcomes, counted by period.' },
} as const;

const description = `Send and track transactional email. Every request needs an API key, and every response is JSON in the same envelope.

Paths that are not listed here return 404 with the code \`not_found\`.
\`meta.request_id\` is also sent as the \`X-Request-Id\` header; include it in bug reports.`;

const BEARER = 'bearer';

interface Parts {
  params?: Record<string, string>;
  body?: unknown;
  data?: unknown;
}

export function openApiDocument({ version, server }: DocumentOptions): object {
  const schemas = new SchemaRegistry();
  const responses: Record<string, object> = {};
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, endpoint] of Object.entries(service) as [OperationName, Endpoint][]) {
    const methods = paths[endpoint.path] ?? {};
    methods[endpoint.method.toLowerCase()] = operation(name, endpoint, schemas, responses);
    paths[endpoint.path] = methods;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Transactional email service',
      version,
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [server],
    security: [{ [BEARER]: [] }],
    tags: [
      ...Object.values(tags),
      { name: WEBHOOK_TAG, description: 'Requests that the service posts to the URL of a webhook.' },
    ],
    paths,
    webhooks: webhooks(schemas),
    components: {
      securitySchemes: {
        [BEARER]: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `svc_test_…` for development, `svc_live_…` for production.',
        },
      },
      headers: headerComponents,
      responses,
      schemas: { ...schemas.components(), ...envelopeSchemas },
    },
  };
}

function operation(
  name: OperationName,
  endpoint: Endpoint,
  schemas: SchemaRegistry,
  responses: Record<string, object>,
): object {
  const example: Parts = operationExamples[name];
  const { body, response } = endpoint;
  const description = descriptionOf(endpoint);
  const data = response && schemas.reference(response, 'output', `${pascalCase(name)}Data`);
  const parameters = [
    ...parametersOf(endpoint.params, 'path', example.params),
    ...parametersOf(endpoint.query, 'query'),
  ];
  return {
    operationId: name,
    tags: [tags[name.slice(0, name.indexOf('.')) as keyof typeof tags].name],
    summary: endpoint.summary,
    ...(description && { description }),
    ...(endpoint.public && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: schemas.reference(body, 'input', `${pascalCase(name)}Body`),
            example: example.body,
          },
        },
      },
    }),
    responses: {
      [endpoint.status]: successResponse(endpoint, data, example.data),
      ...Object.fromEntries(
        [...failuresByStatus(endpoint)].map(([status, names]) => {
          const id = names.map(pascalCase).join('Or');
          responses[id] ??= failureResponse(names);
          return [status, { $ref: `#/components/responses/${id}` }];
        }),
      ),
    },
  };
}

function descriptionOf({ description, emits }: Endpoint): string {
  const causes = emits && `Can cause these events: ${emits.map((event) => `\`${event}\``).join(', ')}.`;
  return [description ?? [], causes ?? []].flat().join(' ');
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
    schema: rest,
    ...(examples?.[name] !== undefined && { example: examples[name] }),
  }));
}
