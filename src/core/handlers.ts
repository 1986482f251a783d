import { emailAnalytics } from './analytics.js';
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.js';
import type { ServiceHandlers } from './context.js';
import { createDomain, deleteDomain, getDomain, listDomains, verifyDomain } from './domains.js';
import { cancelEmail, getEmail, listEmails, sendEmail } from './emails.js';
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  renderTemplate,
  updateTemplate,
} from './templates.js';
import { createWebhook, deleteWebhook, listWebhooks, updateWebhook } from './webhooks.js';

/** Every endpoint of the service and the function that answers it. */
export const handlers: ServiceHandlers = {
  'emails.send': sendEmail,
  'emails.list': listEmails,
  'emails.get': getEmail,
  'emails.cancel': cancelEmail,
  'templates.create': createTemplate,
  'templates.list': listTemplates,
  'templates.get': getTemplate,
  'templates.update': updateTemplate,
  'templates.delete': deleteTemplate,
  'templates.render': renderTemplate,
  'domains.list': listDomains,
  'domains.create': createDomain,
  'domains.verify': verifyDomain,
  'domains.get': getDomain,
  'domains.delete': deleteDomain,
  'api-keys.list': listApiKeys,
  'api-keys.create': createApiKey,
  'api-keys.revoke': revokeApiKey,
  'webhooks.list': listWebhooks,
  'webhooks.create': createWebhook,
  'webhooks.update': updateWebhook,
  'webhooks.delete': deleteWebhook,
  'analytics.emails': emailAnalytics,
};
