/** Every event type with the fields of its `data`, in the order in which they are serialized. Specification: Event types. */
export const eventFields = {
  'email.sent': ['email_id', 'to', 'from', 'subject', 'template_id', 'tags'],
  'email.delivered': ['email_id', 'to', 'delivered_at', 'smtp_response'],
  'email.opened': ['email_id', 'to', 'opened_at', 'ip_address', 'user_agent', 'location'],
  'email.clicked': ['email_id', 'to', 'clicked_at', 'url', 'ip_address', 'user_agent', 'location'],
  'email.bounced': ['email_id', 'to', 'bounced_at', 'bounce_type', 'reason', 'smtp_response'],
  'email.complained': ['email_id', 'to', 'complained_at', 'complaint_type', 'feedback_id'],
  'email.dropped': ['email_id', 'to', 'dropped_at', 'reason'],
  'template.created': ['template_id', 'name', 'created_at'],
  'template.updated': ['template_id', 'name', 'updated_at'],
  'template.deleted': ['template_id', 'name', 'deleted_at'],
  'domain.verified': ['domain', 'verified_at'],
  'api_key.created': ['api_key_id', 'name', 'environment', 'created_at'],
  'api_key.revoked': ['api_key_id', 'name', 'revoked_at'],
} as const;
export type EventType = keyof typeof eventFields;
export const eventTypes = Object.keys(eventFields) as EventType[];

/**
 * The fields of an event besides those of `data`, and the fields of a location, in the order in which they are
 * serialized.
 */
export const envelopeFields = ['id', 'type', 'created_at', 'version', 'data'] as const;
export const locationFields = ['country', 'city'] as const;

/** The counters of analytics. Each is the number of events of its type. Specification: Analytics. */
export const counterNames = ['sent', 'delivered', 'bounced', 'complained', 'opened', 'clicked'] as const;
export type CounterName = (typeof counterNames)[number];

export const groupings = ['day', 'week', 'month'] as const;
export type Grouping = (typeof groupings)[number];
