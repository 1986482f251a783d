import { service } from '../service/endpoints.js';
import { filterStatuses } from '../vocabulary/emails/statuses.js';
import { STRICT_WEBHOOK_URL_PATTERN } from '../vocabulary/parsers/webhook-url.js';
import { type ApiDescription, type DocumentOptions, documentOf } from './document.js';
import { operationExamples } from './examples.js';
import { portablePattern } from './portable-pattern.js';
import { serviceSchemas } from './schemas.js';
import { WEBHOOK_TAG, webhooks } from './webhooks.js';

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
