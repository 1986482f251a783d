import { analyticsEndpoints } from './analytics.js';
import { apiKeyEndpoints } from './api-key.js';
import { domainEndpoints } from './domain.js';
import { emailEndpoints } from './email.js';
import { templateEndpoints } from './template.js';
import { webhookEndpoints } from './webhook.js';

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
