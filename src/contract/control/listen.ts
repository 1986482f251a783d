import * as z from 'zod';
import type { Contract } from '../endpoint.js';
import { RecipientPattern, singleLineText } from '../fields.js';
import { WebhookUrl } from '../service/webhooks.js';
import { controlRoutes } from '../vocabulary/routes.js';
import { EventTypeList } from '../webhook-events.js';

/** Defines the control API's endpoint for temporary webhooks, which exist while a client streams their attempts. */

export const listenEndpoints = {
  'webhooks.listen': {
    ...controlRoutes['webhooks.listen'],
    summary: 'Forward events to a URL while the response is read',
    description: 'Reports every delivery attempt as a server-sent event.',
    query: z.object({
      forward_to: WebhookUrl,
      events: EventTypeList.optional(),
      to: RecipientPattern.optional().meta({ description: 'Recipient pattern; * matches any text.' }),
      resume: z.string().optional().meta({
        description: 'The webhook_id of an earlier stream that the server closed; continues where it stopped.',
      }),
      after: singleLineText(64, 1).optional().meta({
        description:
          'Newest event of an earlier stream. If that stream cannot be resumed, starts with the events after this one.',
      }),
      instance: singleLineText(64, 1).optional().meta({
        description:
          'Server instance of an earlier stream. If a server on SQLite has restarted and cannot resume that stream, starts with all events since the restart.',
      }),
      header: z
        .union([singleLineText(8_192, 1), z.array(singleLineText(8_192, 1))])
        .transform((value) => [value].flat())
        .optional()
        .meta({ description: 'Header to add to each request, as "Name: value"; repeatable.' }),
    }),
    media: 'text/event-stream',
    status: 200,
    errors: ['bad_request'],
  },
} as const satisfies Contract;
