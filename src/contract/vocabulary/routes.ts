/**
 * Defines the method and path of every endpoint. Separate from the schemas, so that code that only calls the API starts
 * without zod.
 */

export const SERVICE_PREFIX = '/v1';
export const CONTROL_PREFIX = '/_svc';
/** Returns the URL of a server, with its base path and without a slash at its end. @param baseUrl the URL of its API */
export function siteOf(baseUrl: string): string {
  return baseUrl.replace(/\/v1\/?$/, '');
}

/** The server-sent event that ends a stream whose caller may no longer read it. Its data is an error. */
export const STREAM_ENDED = 'ended';
/** Default ports of the local server. */
export const DEFAULT_HTTP_PORT = 8025;
export const DEFAULT_SMTP_PORT = 1025;

/** Media type of a message as SMTP transmits it. */
const MESSAGE_TYPE = 'message/rfc822';

/** Media type of an archive with everything that a server stores. */
export const ARCHIVE_TYPE = 'application/gzip';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path in OpenAPI's form, such as `/emails/{id}`. */
  readonly path: string;
  /** The media type of a body that is read as a stream of bytes instead of JSON. */
  readonly accepts?: string;
}

/** Routes of the service. Specification: Endpoint list. */
export const routes = {
  'emails.send': { method: 'POST', path: '/emails' },
  'emails.list': { method: 'GET', path: '/emails' },
  'emails.get': { method: 'GET', path: '/emails/{id}' },
  'emails.cancel': { method: 'DELETE', path: '/emails/{id}' },
  'templates.create': { method: 'POST', path: '/templates' },
  'templates.list': { method: 'GET', path: '/templates' },
  'templates.get': { method: 'GET', path: '/templates/{id}' },
  'templates.update': { method: 'PATCH', path: '/templates/{id}' },
  'templates.delete': { method: 'DELETE', path: '/templates/{id}' },
  'templates.render': { method: 'POST', path: '/templates/{id}/render' },
  'domains.list': { method: 'GET', path: '/domains' },
  'domains.create': { method: 'POST', path: '/domains' },
  'domains.verify': { method: 'POST', path: '/domains/{domain}/verify' },
  'domains.get': { method: 'GET', path: '/domains/{domain}' },
  'domains.delete': { method: 'DELETE', path: '/domains/{domain}' },
  'api-keys.list': { method: 'GET', path: '/api-keys' },
  'api-keys.create': { method: 'POST', path: '/api-keys' },
  'api-keys.revoke': { method: 'DELETE', path: '/api-keys/{id}' },
  'webhooks.list': { method: 'GET', path: '/webhooks' },
  'webhooks.create': { method: 'POST', path: '/webhooks' },
  'webhooks.update': { method: 'PATCH', path: '/webhooks/{id}' },
  'webhooks.delete': { method: 'DELETE', path: '/webhooks/{id}' },
  'analytics.emails': { method: 'GET', path: '/analytics/emails' },
} as const satisfies Record<string, Route>;

/** Routes of the control API. */
export const controlRoutes = {
  health: { method: 'GET', path: '/health' },
  info: { method: 'GET', path: '/info' },
  summary: { method: 'GET', path: '/summary' },
  'events.stream': { method: 'GET', path: '/events' },
  'emails.wait': { method: 'POST', path: '/emails/wait' },
  'emails.search': { method: 'GET', path: '/emails' },
  'emails.counts': { method: 'GET', path: '/emails/counts' },
  'emails.capture': { method: 'POST', path: '/emails', accepts: MESSAGE_TYPE },
  'emails.inspect': { method: 'GET', path: '/emails/{id}' },
  'emails.delete': { method: 'DELETE', path: '/emails/{id}' },
  'emails.delete_selected': { method: 'POST', path: '/emails/delete' },
  'emails.restore': { method: 'POST', path: '/emails/restore' },
  'emails.update': { method: 'PATCH', path: '/emails/{id}' },
  'emails.mark': { method: 'POST', path: '/emails/mark' },
  'emails.resend': { method: 'POST', path: '/emails/{id}/resend' },
  'emails.release': { method: 'POST', path: '/emails/{id}/release' },
  'emails.captured': { method: 'GET', path: '/emails/{id}/captured' },
  'emails.text': { method: 'GET', path: '/emails/{id}/text' },
  'emails.check': { method: 'GET', path: '/emails/{id}/checks' },
  'emails.check_links': { method: 'POST', path: '/emails/{id}/checks/links' },
  'emails.view': { method: 'GET', path: '/emails/{id}/view' },
  'emails.raw': { method: 'GET', path: '/emails/{id}/raw' },
  'emails.delivered_html': { method: 'GET', path: '/emails/{id}/delivered' },
  'emails.attachment': { method: 'GET', path: '/emails/{id}/attachments/{index}' },
  'inbox.code': { method: 'POST', path: '/inbox/codes' },
  'inbox.urls': { method: 'GET', path: '/inbox/emails/{id}/urls' },
  'inbox.preview': { method: 'POST', path: '/inbox/previews' },
  'events.trigger': { method: 'POST', path: '/events/trigger' },
  'deliveries.list': { method: 'GET', path: '/deliveries' },
  'deliveries.stream': { method: 'GET', path: '/deliveries/stream' },
  'deliveries.get': { method: 'GET', path: '/deliveries/{id}' },
  'deliveries.replay': { method: 'POST', path: '/deliveries/replay' },
  'webhooks.inspect': { method: 'GET', path: '/webhooks' },
  'webhooks.listen': { method: 'GET', path: '/listen' },
  'emails.simulate': { method: 'POST', path: '/emails/{id}/simulate' },
  'rules.list': { method: 'GET', path: '/rules' },
  'rules.create': { method: 'POST', path: '/rules' },
  'rules.delete': { method: 'DELETE', path: '/rules/{id}' },
  'faults.list': { method: 'GET', path: '/faults' },
  'faults.create': { method: 'POST', path: '/faults' },
  'faults.delete': { method: 'DELETE', path: '/faults/{id}' },
  'faults.clear': { method: 'DELETE', path: '/faults' },
  'suppressions.list': { method: 'GET', path: '/suppressions' },
  'suppressions.create': { method: 'POST', path: '/suppressions' },
  'suppressions.delete': { method: 'DELETE', path: '/suppressions/{address}' },
  'api-keys.inspect': { method: 'GET', path: '/api-keys' },
  'api-keys.issue': { method: 'POST', path: '/api-keys' },
  'workspaces.list': { method: 'GET', path: '/workspaces' },
  'workspaces.create': { method: 'POST', path: '/workspaces' },
  'workspaces.update': { method: 'PATCH', path: '/workspaces/{name}' },
  'workspaces.delete': { method: 'DELETE', path: '/workspaces/{name}' },
  'clock.get': { method: 'GET', path: '/clock' },
  'clock.advance': { method: 'POST', path: '/clock/advance' },
  'clock.update': { method: 'PATCH', path: '/clock' },
  'dns.list': { method: 'GET', path: '/dns' },
  'dns.update': { method: 'PATCH', path: '/dns/{name}' },
  'requests.list': { method: 'GET', path: '/requests' },
  'requests.stream': { method: 'GET', path: '/requests/stream' },
  'smtp-sessions.list': { method: 'GET', path: '/smtp-sessions' },
  'smtp-sessions.stream': { method: 'GET', path: '/smtp-sessions/stream' },
  'smtp-sessions.get': { method: 'GET', path: '/smtp-sessions/{id}' },
  'audit.list': { method: 'GET', path: '/audit' },
  report: { method: 'GET', path: '/report' },
  settle: { method: 'POST', path: '/settle' },
  reset: { method: 'POST', path: '/reset' },
  export: { method: 'GET', path: '/export' },
  import: { method: 'POST', path: '/import', accepts: ARCHIVE_TYPE },
  compact: { method: 'POST', path: '/compact' },
} as const satisfies Record<string, Route>;
