import type { ServiceHandlers } from '../../context.js';
import { analyticsHandlers } from './analytics.js';
import { apiKeyHandlers } from './api-keys.js';
import { domainHandlers } from './domains.js';
import { emailHandlers } from './emails.js';
import { templateHandlers } from './templates.js';
import { webhookHandlers } from './webhooks.js';

/** The handler of every endpoint of the service. */
export const handlers: ServiceHandlers = {
  ...emailHandlers,
  ...templateHandlers,
  ...domainHandlers,
  ...apiKeyHandlers,
  ...webhookHandlers,
  ...analyticsHandlers,
};
