import * as z from 'zod';
import { prefixedId, Timestamp } from './fields.js';
import { type EventType, type eventFields, eventTypes } from './vocabulary/event-types.js';
import type { PAYLOAD_VERSION } from './vocabulary/headers.js';
import { bounceTypes, complaintTypes, dropReasons } from './vocabulary/outcomes.js';

/** Defines webhook events. Specification: Events; gaps 24, 26, 27. */

const email_id = prefixedId('msg');
const to = z.string();
const location = z.object({ country: z.string().nullable(), city: z.string().nullable() });

/** The schema of each event's `data`. */
export const events = {
  'email.sent': z.object({
    email_id,
    to,
    from: z.string(),
    subject: z.string(),
    template_id: prefixedId('tpl').nullable(),
    tags: z.array(z.string()),
  }),
  'email.delivered': z.object({ email_id, to, delivered_at: Timestamp, smtp_response: z.string() }),
  'email.opened': z.object({
    email_id,
    to,
    opened_at: Timestamp,
    ip_address: z.string(),
    user_agent: z.string(),
    location,
  }),
  'email.clicked': z.object({
    email_id,
    to,
    clicked_at: Timestamp,
    url: z.string(),
    ip_address: z.string(),
    user_agent: z.string(),
    location,
  }),
  'email.bounced': z.object({
    email_id,
    to,
    bounced_at: Timestamp,
    bounce_type: z.enum(bounceTypes),
    reason: z.string(),
    smtp_response: z.string(),
  }),
  'email.complained': z.object({
    email_id,
    to,
    complained_at: Timestamp,
    complaint_type: z.enum(complaintTypes),
    feedback_id: z.string(),
  }),
  'email.dropped': z.object({ email_id, to, dropped_at: Timestamp, reason: z.enum(dropReasons) }),
  'template.created': z.object({ template_id: prefixedId('tpl'), name: z.string(), created_at: Timestamp }),
  'template.updated': z.object({ template_id: prefixedId('tpl'), name: z.string(), updated_at: Timestamp }),
  'template.deleted': z.object({ template_id: prefixedId('tpl'), name: z.string(), deleted_at: Timestamp }),
  'domain.verified': z.object({ domain: z.string(), verified_at: Timestamp }),
  'api_key.created': z.object({
    api_key_id: prefixedId('key'),
    name: z.string(),
    environment: z.enum(['live', 'test']),
    created_at: Timestamp,
  }),
  'api_key.revoked': z.object({ api_key_id: prefixedId('key'), name: z.string(), revoked_at: Timestamp }),
} as const satisfies { [T in EventType]: z.ZodObject<Record<(typeof eventFields)[T][number], z.ZodType>> };

export type EventData<T extends EventType> = z.infer<(typeof events)[T]>;
export const EventTypeName = z.enum(eventTypes);

/** A query parameter that names event types. */
export const EventTypeList = z
  .string()
  .transform((value) => value.split(',').map((name) => name.trim()))
  .pipe(z.array(EventTypeName).min(1))
  .meta({ override: { type: 'string' }, description: 'Event types, comma-separated. Default: all.' });

/** The body of a webhook request. It is serialized once, so that all attempts send the same bytes (gap 25). */
export interface EventEnvelope<T extends EventType = EventType> {
  id: string;
  type: T;
  created_at: string;
  version: typeof PAYLOAD_VERSION;
  data: EventData<T>;
}
