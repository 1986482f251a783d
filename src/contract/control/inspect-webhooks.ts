import * as z from 'zod';
import type { Contract } from '../endpoint.js';
import { Webhook } from '../service/webhooks.js';
import { controlRoutes } from '../vocabulary/routes.js';

/** Defines the control API's endpoint for what the service does not report about webhooks. */

export const webhookInspectEndpoints = {
  'webhooks.inspect': {
    ...controlRoutes['webhooks.inspect'],
    summary: 'List webhooks, and whether their requests are signed',
    response: z.object({
      webhooks: z.array(
        Webhook.extend({ signed: z.boolean().meta({ description: 'Whether the webhook has a secret.' }) }),
      ),
    }),
    status: 200,
  },
} as const satisfies Contract;
