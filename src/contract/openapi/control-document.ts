import { type ControlOperationName, control } from '../control/endpoints.js';
import { AuditEntry, LoggedRequest, SmtpSession } from '../control/logs.js';
import { AttemptReport } from '../control/webhooks.js';
import { Pagination, Timestamp } from '../fields.js';
import { EmailStatus } from '../service/emails.js';
import { EventTypeName } from '../webhook-events.js';
import { type ApiDescription, type DocumentOptions, documentOf } from './document.js';

const description = `**Only svc's local server has these endpoints. The real service has none of them.**

Use them in tests and tools to look into captured email, simulate outcomes, and move the clock. Code that runs in production must not call them.

They take the same API keys as the service and are not rate limited. JSON responses have the service's envelope.`;

type FirstPart<Name> = Name extends `${infer First}.${string}` ? First : Name;

const server = { name: 'Server', description: 'The running server.' };
const state = { name: 'Data', description: 'Delete, export, import and compact everything that the server stores.' };
const webhooks = { name: 'Webhook deliveries', description: 'Deliveries of events, their attempts and replays.' };

const tags: Record<FirstPart<ControlOperationName>, { name: string; description: string }> = {
  health: server,
  info: server,
  summary: server,
  settle: server,
  emails: { name: 'Captured emails', description: 'Details, contents and simulated outcomes of emails.' },
  inbox: { name: 'Web inbox', description: 'Access of browsers to captured email.' },
  events: { name: 'Events', description: 'Follow and record events.' },
  deliveries: webhooks,
  webhooks,
  rules: { name: 'Rules', description: 'Outcomes by recipient.' },
  faults: { name: 'Faults', description: 'Failures to inject into SMTP, REST and webhooks.' },
  suppressions: { name: 'Suppressions', description: 'Addresses that get no email.' },
  'api-keys': { name: 'API keys', description: 'API keys with their kinds.' },
  workspaces: { name: 'Workspaces', description: 'Parts of the emails and webhooks, each with a key of its own.' },
  clock: { name: 'Clock', description: 'The time of the service.' },
  dns: { name: 'DNS', description: 'The simulated DNS records of sending domains.' },
  requests: { name: 'Request log', description: 'Requests to the service.' },
  'smtp-sessions': {
    name: 'SMTP sessions',
    description: 'Connections of SMTP clients, with their commands and replies.',
  },
  audit: { name: 'Audit log', description: 'Who changed what, and from where.' },
  report: { name: 'Warnings', description: 'Requests that the service may refuse.' },
  reset: state,
  export: state,
  import: state,
  compact: state,
};

const api: ApiDescription = {
  title: 'Control API (local server only)',
  description,
  contract: control,
  tags,
  examples: {},
  schemas: {
    sent: {},
    received: { Pagination, AttemptReport, LoggedRequest, SmtpSession, AuditEntry },
    both: { Timestamp, EmailStatus, EventType: EventTypeName },
  },
  rateLimited: false,
  authentication: 'An API key of the local server, which it prints when it starts.',
};

/** Returns the OpenAPI 3.1 document of the control API. */
export function controlDocument(options: DocumentOptions): object {
  return documentOf(api, options);
}
