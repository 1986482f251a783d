import { analyticsEndpoints } from './analytics.js';
import { apiKeyEndpoints } from './api-keys.js';
import { domainEndpoints } from './domains.js';
import { emailEndpoints } from './emails.js';
import { templateEndpoints } from './templates.js';
import { webhookEndpoints } from './webhooks.js';

/** The service's public API, served under `/v1`. Specification: Endpoints. */
export const service = {
  ...emailEndpoints,
  ...templateEndpoints,
  ...domainEndpoints,
  ...apiKeyEndpoints,
  ...webhookEndpoints,
  ...analyticsEndpoints,
} as const;
export type Service = typeof service;
export type OperationName = keyof Service;
