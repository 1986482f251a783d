import type { ServiceHandlers } from '../../context.js';
import { afterParsing } from '../../mail/inbound/message-reader.js';
import { emailAnalytics } from './analytics.js';
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.js';
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

/** The handler of every endpoint of the service. */
export const handlers: ServiceHandlers = {
  'emails.send': sendEmail,
  'emails.list': listEmails,
  'emails.get': afterParsing(getEmail),
  'emails.cancel': afterParsing(cancelEmail),
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
