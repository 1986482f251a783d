import * as z from 'zod';
import { prefixedId, Timestamp } from '../fields.js';
import { service } from '../service/endpoints.js';
import { filterStatuses } from '../vocabulary/emails.js';
import { type EventType, eventTypes } from '../vocabulary/event-types.js';
import { ATTEMPT_HEADER, PAYLOAD_VERSION, SIGNATURE_HEADER } from '../vocabulary/headers.js';
import { WEBHOOK_RETRY_MS, WEBHOOK_TIMEOUT_MS } from '../vocabulary/limits.js';
import { STRICT_WEBHOOK_URL_PATTERN } from '../vocabulary/webhooks/url.js';
import { events } from '../webhook-events.js';
import { type ApiDescription, type DocumentOptions, documentOf, pascalCase } from './document.js';
import { eventExamples, exampleTime, operationExamples } from './examples.js';
import { portablePattern } from './portable-pattern.js';
import { type SchemaRegistry, serviceSchemas } from './schemas.js';

/** Describes the requests that the service sends: the `webhooks` of OpenAPI. Specification: Events. */

const WEBHOOK_TAG = 'Events';

const meanings: Record<EventType, string> = {
  'email.sent': 'An email was queued for delivery',
  'email.delivered': 'The recipient’s server accepted an email',
  'email.opened': 'A recipient opened an email',
  'email.clicked': 'A recipient clicked a tracked link',
  'email.bounced': 'An email bounced, permanently or temporarily',
  'email.complained': 'A recipient marked an email as spam',
  'email.dropped': 'An email was not sent: the address is suppressed or invalid',
  'template.created': 'A template was created',
  'template.updated': 'A template was updated',
  'template.deleted': 'A template was deleted',
  'domain.verified': 'A sending domain was verified',
  'api_key.created': 'An API key was created',
  'api_key.revoked': 'An API key was revoked',
};

function webhooks(schemas: SchemaRegistry): Record<string, object> {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: request(type, schemas) }]));
}

function request(type: EventType, schemas: SchemaRegistry): object {
  const id = `${pascalCase(type)}Event`;
  const schema = schemas.reference(envelopeOf(type), 'output', id);
  return {
    operationId: `on.${type}`,
    tags: [WEBHOOK_TAG],
    summary: meanings[type],
    security: [],
    parameters: [
      {
        name: SIGNATURE_HEADER,
        in: 'header',
        description:
          'HMAC-SHA256 of the raw body, keyed with the webhook’s secret, in lower-case hexadecimal. Sent if the webhook has a secret.',
        schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
      },
      {
        name: ATTEMPT_HEADER,
        in: 'header',
        description: `Number of this attempt, from 1 to ${WEBHOOK_RETRY_MS.length + 1}.`,
        schema: { type: 'integer', minimum: 1 },
      },
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema, example: example(type) } },
    },
    responses: {
      '2XX': {
        description: `Received. Any other status, or no response within ${WEBHOOK_TIMEOUT_MS / 1000} s, causes a retry.`,
      },
    },
  };
}

function envelopeOf(type: EventType) {
  return z.object({
    id: prefixedId('evt').meta({ description: 'The same on every attempt; use it to detect duplicates.' }),
    type: z.literal(type),
    created_at: Timestamp,
    version: z.literal(PAYLOAD_VERSION),
    data: events[type],
  });
}

function example(type: EventType): object {
  return {
    id: 'evt_01kjpm8v5c7n4x2h9r6t3w1y0f',
    type,
    created_at: exampleTime,
    version: PAYLOAD_VERSION,
    data: eventExamples[type],
  };
}

const description = `Send and track transactional email. Every request needs an API key, and every response is JSON in the same envelope.

Paths that are not listed here return 404 with the code \`not_found\`.
\`meta.request_id\` is also sent as the \`X-Request-Id\` header; include it in bug reports.`;

const api: ApiDescription = {
  title: 'Transactional email service',
  description,
  contract: service,
  tags: {
    emails: { name: 'Emails', description: 'Send, list, retrieve and cancel emails.' },
    templates: { name: 'Templates', description: 'Store templates and render them with variables.' },
    domains: { name: 'Domains', description: 'Sending domains and the DNS records that verify them.' },
    'api-keys': { name: 'API keys', description: 'Keys for this API.' },
    webhooks: { name: 'Webhooks', description: 'URLs that receive events.' },
    analytics: { name: 'Analytics', description: 'Email outcomes, counted by period.' },
    on: { name: WEBHOOK_TAG, description: 'Requests that the service posts to the URL of a webhook.' },
  },
  examples: operationExamples,
  schemas: serviceSchemas,
  rateLimited: true,
  authentication: 'An API key: `svc_test_…` for development, `svc_live_…` for production.',
  webhooks,
};

/** Returns the OpenAPI 3.1 document of the service. */
export function serviceDocument(options: DocumentOptions): object {
  return documentOf(api, options);
}

type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; required?: string[] };
interface Described {
  components: { schemas: Record<string, Schema> };
  paths: Record<string, Record<string, { parameters?: { name: string; schema: Schema }[] }>>;
}

/** The schemas of request bodies, and of objects in them. */
const BODIES = /^(?:Send|Create|Update)[A-Z]|^AttachmentInput$|Body$/;

/** Returns the document of a strict server, which refuses what the service may refuse (gaps 40, 47 and 54). */
export function strictDocument(document: object): object {
  const strict = structuredClone(document) as Described;
  const { schemas } = strict.components;
  for (const [name, schema] of Object.entries(schemas)) {
    if (BODIES.test(name) && schema.properties) schema.additionalProperties = false;
  }
  const { SendEmail, ApiKeysCreateBody, CreateWebhook, UpdateWebhook } = schemas;
  if (SendEmail) SendEmail.dependentRequired = { variables: ['template_id'] };
  if (ApiKeysCreateBody) ApiKeysCreateBody.required = [...(ApiKeysCreateBody.required ?? []), 'rate_limit'];
  for (const webhook of [CreateWebhook, UpdateWebhook]) {
    if (webhook?.properties?.url) webhook.properties.url.pattern = portablePattern(STRICT_WEBHOOK_URL_PATTERN);
  }
  const status = strict.paths['/emails']?.get?.parameters?.find(({ name }) => name === 'status');
  if (status) status.schema = { type: 'string', enum: filterStatuses };
  return strict;
}
