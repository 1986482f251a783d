import * as z from 'zod';
import { prefixedId, Timestamp } from '../fields.js';
import { type EventType, eventTypes } from '../vocabulary/event-types.js';
import { WEBHOOK_TIMEOUT_MS } from '../vocabulary/limits.js';
import { ATTEMPT_HEADER, PAYLOAD_VERSION, SIGNATURE_HEADER } from '../vocabulary/webhooks/headers.js';
import { WEBHOOK_RETRY_MS } from '../vocabulary/webhooks/retries.js';
import { events } from '../webhook-events.js';
import { eventExamples, exampleTime } from './examples.js';
import { pascalCase } from './pascal-case.js';
import type { SchemaRegistry } from './schemas.js';

/** Describes the requests that the service sends: the `webhooks` of OpenAPI. Specification: Events. */

export const WEBHOOK_TAG = 'Events';

const meanings: Record<EventType, string> = {
  'email.sent': 'An email was queued for delivery',
  'email.delivered': 'The recipient’s server accepted an email',
  'email.opened': 'A recipient opened an email',
  'email.clicked': 'A recipient clicked a tracked link',
  'email.bounced': 'An email bounced, permanently or temporarily',
  'email.complained': 'A recipient marked an email as spam',
  'email.dropped': 'An email was not sent: the address is suppressed or invalid',
  'template.created': 'A template was created',
  'template.updated': 'A template was updated',
  'template.deleted': 'A template was deleted',
  'domain.verified': 'A sending domain was verified',
  'api_key.created': 'An API key was created',
  'api_key.revoked': 'An API key was revoked',
};

export function webhooks(schemas: SchemaRegistry): Record<string, object> {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: request(type, schemas) }]));
}

function request(type: EventType, schemas: SchemaRegistry): object {
  const id = `${pascalCase(type)}Event`;
  const schema = schemas.reference(envelopeOf(type), 'output', id);
  return {
    operationId: `on.${type}`,
    tags: [WEBHOOK_TAG],
    summary: meanings[type],
    security: [],
    parameters: [
      {
        name: SIGNATURE_HEADER,
        in: 'header',
        description:
          'HMAC-SHA256 of the raw body, keyed with the webhook’s secret, in lower-case hexadecimal. Sent if the webhook has a secret.',
        schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
      },
      {
        name: ATTEMPT_HEADER,
        in: 'header',
        description: `Number of this attempt, from 1 to ${WEBHOOK_RETRY_MS.length + 1}.`,
        schema: { type: 'integer', minimum: 1 },
      },
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema, example: example(type) } },
    },
    responses: {
      '2XX': {
        description: `Received. Any other status, or no response within ${WEBHOOK_TIMEOUT_MS / 1000} s, causes a retry.`,
      },
    },
  };
}

function envelopeOf(type: EventType) {
  return z.object({
    id: prefixedId('evt').meta({ description: 'The same on every attempt; use it to detect duplicates.' }),
    type: z.literal(type),
    created_at: Timestamp,
    version: z.literal(PAYLOAD_VERSION),
    data: events[type],
  });
}

function example(type: EventType): object {
  return {
    id: 'evt_01kjpm8v5c7n4x2h9r6t3w1y0f',
    type,
    created_at: exampleTime,
    version: PAYLOAD_VERSION,
    data: eventExamples[type],
  };
}
