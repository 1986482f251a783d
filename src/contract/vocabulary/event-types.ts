/** The names of all events, apart from their payloads' schemas. Specification: Event types. */
export const eventTypes = [
  'email.sent',
  'email.delivered',
  'email.opened',
  'email.clicked',
  'email.bounced',
  'email.complained',
  'email.dropped',
  'template.created',
  'template.updated',
  'template.deleted',
  'domain.verified',
  'api_key.created',
  'api_key.revoked',
] as const;
export type EventType = (typeof eventTypes)[number];
