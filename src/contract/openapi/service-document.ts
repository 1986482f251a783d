import { service } from '../service/endpoints.js';
import { type ApiDescription, type DocumentOptions, documentOf } from './document.js';
import { operationExamples } from './examples.js';
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
