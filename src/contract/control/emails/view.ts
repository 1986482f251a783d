import * as z from 'zod';
import type { Contract } from '../../endpoint.js';
import { EmailParams } from '../../service/emails.js';
import { clientViews } from '../../vocabulary/client-views.js';
import { controlRoutes } from '../../vocabulary/routes.js';
import { CheckPlace } from './check.js';

/** Defines the endpoint that shows an email as a mail client does. */

const ClientDifference = z.object({
  rule: z.string().meta({ description: 'Name of the rule, or of the feature on caniemail.com.' }),
  effect: z.enum(['removed', 'changed', 'ignored', 'partial']).meta({
    description: '`partial`: the client supports it in part, and the view does not show how.',
  }),
  text: z.string().meta({ description: 'What the client does.' }),
  source: z.string().meta({ description: 'URL of the page that documents it.' }),
  count: z.int().min(1).meta({ description: 'Number of positions.' }),
  where: z.array(CheckPlace).meta({ description: 'The first 5 positions in the HTML.' }),
});
export type ClientDifference = z.infer<typeof ClientDifference>;

const names = clientViews.map(({ name }) => name);

export const ClientView = z.object({
  client: z.enum(names),
  title: z.string(),
  approximate: z.literal(true).meta({ description: 'A view follows public reports; the client may differ.' }),
  html: z
    .string()
    .nullable()
    .meta({ description: 'HTML as the client keeps it; null for classic Outlook, which has no view.' }),
  clipped: z.boolean().meta({ description: 'Whether the client cuts the HTML.' }),
  subject: z.string().meta({ description: 'Subject in the list of emails, cut as there.' }),
  preview: z.string().meta({ description: 'Text after the subject in the list of emails, cut as there.' }),
  differences: z.array(ClientDifference).meta({ description: 'Those with the effect `partial` last.' }),
});
export type ClientView = z.infer<typeof ClientView>;

const ViewQuery = z.object({
  client: z.enum(names).meta({ description: 'Mail client.' }),
  color_scheme: z.enum(['light', 'dark']).default('light').meta({ description: 'Mode of the mail client.' }),
  images: z.enum(['on', 'off']).default('on').meta({ description: 'Whether the mail client shows images.' }),
});

export const viewEndpoints = {
  'emails.view': {
    ...controlRoutes['emails.view'],
    summary: 'Show an email as a mail client does',
    description:
      'Applies documented rules of the mail client to the HTML as it was sent. The HTML is not safe to show without a sandbox.',
    params: EmailParams,
    query: ViewQuery,
    response: ClientView,
    status: 200,
    errors: ['invalid', 'not_found', 'conflict', 'unavailable'],
  },
} as const satisfies Contract;
