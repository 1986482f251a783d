import type * as z from 'zod';
import type { Endpoint } from '../endpoint.js';
import type { OperationName, Service } from '../service/endpoints.js';
import type { EventType } from '../vocabulary/event-types.js';
import type { EventData } from '../webhook-events.js';

/** Defines one example of each request, response and event. An ID refers to the same resource in all of them. */

type Has<Part extends string, S, Value> = S extends z.ZodType ? { [Key in Part]: Value } : object;
type ExampleOf<E extends Endpoint> = Has<'params', E['params'], Record<string, string>> &
  Has<'body', E['body'], z.input<NonNullable<E['body']>>> &
  Has<'data', E['response'], z.input<NonNullable<E['response']>>>;

export const exampleTime = '2026-03-02T09:30:00.000Z';
export const exampleRequestId = 'req_01kjpm8v5c7n4x2h9r6t3w1y0z';

const emailId = 'msg_01kjpm8v5c7n4x2h9r6t3w1y0a';
const templateId = 'tpl_01kjpm8v5c7n4x2h9r6t3w1y0b';
const keyId = 'key_01kjpm8v5c7n4x2h9r6t3w1y0c';
const webhookId = 'whk_01kjpm8v5c7n4x2h9r6t3w1y0d';

const recipient = 'ada@example.test';
const sender = 'Shop <orders@shop.example>';
const subject = 'Your order 1001';

const template = {
  id: templateId,
  name: 'order-shipped',
  subject: 'Your order {{order}} is on its way',
  html: '<p>Hello {{name}}, order {{order}} has left us.</p>',
  text: 'Hello {{name}}, order {{order}} has left us.',
  created_at: exampleTime,
  updated_at: exampleTime,
};

const domain = {
  domain: 'shop.example',
  status: 'verified' as const,
  dkim_verified: true,
  spf_verified: true,
  dmarc_verified: false,
  created_at: exampleTime,
};

const apiKey = { id: keyId, name: 'CI', environment: 'test' as const, rate_limit: 60, created_at: exampleTime };

const webhook = {
  id: webhookId,
  url: 'https://shop.example/hooks/email',
  events: ['email.delivered' as const, 'email.bounced' as const],
  active: true,
  created_at: exampleTime,
  updated_at: exampleTime,
};

const counters = { sent: 120, delivered: 117, bounced: 2, complained: 1, opened: 64, clicked: 18 };

export const operationExamples: { [Name in OperationName]: ExampleOf<Service[Name]> } = {
  'emails.send': {
    body: {
      to: recipient,
      from: sender,
      subject,
      html: '<p>Thank you for your order.</p>',
      text: 'Thank you for your order.',
      tags: ['orders'],
    },
    data: {
      id: emailId,
      to: recipient,
      from: sender,
      subject,
      status: 'sent',
      created_at: exampleTime,
      scheduled_at: null,
      tags: ['orders'],
    },
  },
  'emails.list': {
    data: {
      emails: [
        {
          id: emailId,
          to: recipient,
          from: sender,
          subject,
          status: 'delivered',
          created_at: exampleTime,
          delivered_at: exampleTime,
        },
      ],
      pagination: { total: 1, limit: 20, offset: 0, has_more: false },
    },
  },
  'emails.get': {
    params: { id: emailId },
    data: {
      id: emailId,
      to: recipient,
      from: sender,
      subject,
      html: '<p>Thank you for your order.</p>',
      text: 'Thank you for your order.',
      status: 'delivered',
      created_at: exampleTime,
      sent_at: exampleTime,
      delivered_at: exampleTime,
      opened_at: null,
      opens_count: 0,
      clicks_count: 0,
      tags: ['orders'],
      bounce_reason: null,
      template_id: null,
      variables: null,
    },
  },
  'emails.cancel': { params: { id: emailId }, data: { id: emailId, status: 'cancelled' } },
  'templates.create': {
    body: { name: template.name, subject: template.subject, html: template.html, text: template.text },
    data: template,
  },
  'templates.list': {
    data: { templates: [template], pagination: { total: 1, limit: 20, offset: 0, has_more: false } },
  },
  'templates.get': { params: { id: templateId }, data: template },
  'templates.update': {
    params: { id: templateId },
    body: { subject: 'Order {{order}} is on its way' },
    data: { ...template, subject: 'Order {{order}} is on its way' },
  },
  'templates.delete': { params: { id: templateId } },
  'templates.render': {
    params: { id: templateId },
    body: { variables: { name: 'Ada', order: 1001 } },
    data: {
      subject: 'Your order 1001 is on its way',
      html: '<p>Hello Ada, order 1001 has left us.</p>',
      text: 'Hello Ada, order 1001 has left us.',
    },
  },
  'domains.list': { data: { domains: [domain] } },
  'domains.create': {
    body: { domain: domain.domain },
    data: {
      domain: domain.domain,
      status: 'pending',
      dns_records: [
        {
          type: 'TXT',
          name: '_svc-verification.shop.example',
          value: 'svc-verification=Qk3rT8mZ',
          purpose: 'verification',
        },
        { type: 'TXT', name: 'shop.example', value: 'v=spf1 include:_spf.svc-mail.example ~all', purpose: 'spf' },
        { type: 'TXT', name: 'svc._domainkey.shop.example', value: 'v=DKIM1; k=rsa; p=MIIBIjAN…', purpose: 'dkim' },
      ],
    },
  },
  'domains.verify': { params: { domain: domain.domain }, data: domain },
  'domains.get': { params: { domain: domain.domain }, data: domain },
  'domains.delete': { params: { domain: domain.domain } },
  'api-keys.list': { data: { api_keys: [apiKey] } },
  'api-keys.create': {
    body: { name: apiKey.name, environment: apiKey.environment, rate_limit: apiKey.rate_limit },
    data: { ...apiKey, key: 'svc_test_example' },
  },
  'api-keys.revoke': { params: { id: keyId } },
  'webhooks.list': { data: { webhooks: [webhook] } },
  'webhooks.create': {
    body: { url: webhook.url, events: webhook.events, secret: 'whsec_example' },
    data: webhook,
  },
  'webhooks.update': { params: { id: webhookId }, body: { active: false }, data: { ...webhook, active: false } },
  'webhooks.delete': { params: { id: webhookId } },
  'analytics.emails': { data: { total: counters, by_date: [{ ...counters, date: '2026-03-02' }] } },
};

const email_id = emailId;
const to = recipient;
const location = { country: null, city: null };
const reader = { ip_address: '192.0.2.10', user_agent: 'Mozilla/5.0', location };

export const eventExamples: { [Type in EventType]: EventData<Type> } = {
  'email.sent': { email_id, to, from: sender, subject, template_id: null, tags: ['orders'] },
  'email.delivered': { email_id, to, delivered_at: exampleTime, smtp_response: '250 2.0.0 OK' },
  'email.opened': { email_id, to, opened_at: exampleTime, ...reader },
  'email.clicked': { email_id, to, clicked_at: exampleTime, url: 'https://shop.example/orders/1001', ...reader },
  'email.bounced': {
    email_id,
    to,
    bounced_at: exampleTime,
    bounce_type: 'hard',
    reason: 'The mailbox does not exist.',
    smtp_response: '550 5.1.1 User unknown',
  },
  'email.complained': {
    email_id,
    to,
    complained_at: exampleTime,
    complaint_type: 'abuse',
    feedback_id: 'fbl_01kjpm8v5c7n4x2h9r6t3w1y0e',
  },
  'email.dropped': { email_id, to, dropped_at: exampleTime, reason: 'suppressed' },
  'template.created': { template_id: templateId, name: template.name, created_at: exampleTime },
  'template.updated': { template_id: templateId, name: template.name, updated_at: exampleTime },
  'template.deleted': { template_id: templateId, name: template.name, deleted_at: exampleTime },
  'domain.verified': { domain: domain.domain, verified_at: exampleTime },
  'api_key.created': { api_key_id: keyId, name: apiKey.name, environment: 'test', created_at: exampleTime },
  'api_key.revoked': { api_key_id: keyId, name: apiKey.name, revoked_at: exampleTime },
};
