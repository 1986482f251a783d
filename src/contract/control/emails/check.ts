import * as z from 'zod';
import type { Contract } from '../../endpoint.js';
import { prefixedId } from '../../fields.js';
import { EmailParams } from '../../service/emails.js';
import { clientViews } from '../../vocabulary/client-views.js';
import { controlRoutes } from '../../vocabulary/routes.js';

/** Defines the endpoints that check an email's content and authentication. */

export const CheckPlace = z.object({
  source: z.enum(['html', 'text', 'subject', 'headers']),
  line: z.int().min(1),
  column: z.int().min(1),
  excerpt: z.string().meta({ description: 'The content at this position, on one line and shortened.' }),
  note: z.string().optional().meta({ description: 'What is wrong at this position.' }),
});
export type CheckPlace = z.infer<typeof CheckPlace>;

export const EmailCheck = z.object({
  id: z.string().meta({ description: 'Name of the check, such as `image-alt`.' }),
  title: z.string(),
  severity: z.enum(['error', 'warning', 'info']).meta({ description: 'How serious a failure is.' }),
  passed: z.boolean().nullable().meta({ description: 'Null if the check does not apply or was not run.' }),
  details: z.string().meta({ description: 'What was found, or why the check was not run.' }),
  count: z.int().min(0).meta({ description: 'Number of positions that were found.' }),
  where: z.array(CheckPlace).meta({ description: 'The first 20 positions.' }),
  explanation: z.string().meta({ description: 'Why it matters, and what to do.' }),
  see: z.string().meta({ description: 'URL of a page with more about it.' }),
});
export type EmailCheck = z.infer<typeof EmailCheck>;

const percent = () => z.number().min(0).max(100);

const ClientSupport = z.object({
  id: z.string().meta({ description: 'Family and platform, such as `gmail.ios`.' }),
  name: z.string(),
  score: percent().nullable().meta({
    description:
      'Percentage of the used features that it supports; half for partial support. Null if most are unknown.',
  }),
  supported: z.int().min(0),
  partial: z.int().min(0),
  unsupported: z.int().min(0),
  unknown: z.int().min(0),
});

const UsedFeature = z.object({
  slug: z.string().meta({ description: 'Name of the feature on caniemail.com.' }),
  title: z.string(),
  category: z.enum(['html', 'css', 'image', 'others']),
  url: z.string(),
  found: z.int().min(1).meta({ description: 'Number of elements that use it.' }),
  where: z.array(CheckPlace).meta({ description: 'The first 5 positions.' }),
  supported: percent().meta({ description: 'Percentage of the clients with a known result.' }),
  partial: percent(),
  unsupported: percent(),
  clients: z
    .array(z.object({ id: z.string(), support: z.enum(['partial', 'unsupported']), notes: z.array(z.string()) }))
    .meta({ description: 'Clients that do not fully support it.' }),
});

export const HtmlSupport = z.object({
  score: percent().meta({
    description: '100 minus `unsupported`, minus half of `partial`.',
  }),
  partial: percent().meta({
    description: 'The largest share of clients with partial support, weighted by the share of elements concerned.',
  }),
  unsupported: percent().meta({ description: 'The largest weighted share of clients without support.' }),
  elements: z.int().min(0).meta({ description: 'Number of elements that are shown.' }),
  features: z.array(UsedFeature).meta({ description: 'Used features, the least supported first.' }),
  clients: z.array(ClientSupport).meta({ description: 'Mail clients, the lowest score first.' }),
  source: z.string(),
  updated: z.string().meta({ description: 'Date of the data.' }),
});
export type HtmlSupport = z.infer<typeof HtmlSupport>;

export const EmailChecks = z.object({
  id: prefixedId('msg'),
  passed: z.int().min(0).meta({ description: 'Number of checks that passed.' }),
  failed: z.int().min(0),
  not_run: z.int().min(0),
  score: percent().nullable().meta({ description: 'Score of the HTML support; null without HTML.' }),
  checks: z.array(EmailCheck).meta({ description: 'Failed checks first, the most severe at the top.' }),
  html_support: HtmlSupport.nullable(),
});
export type EmailChecks = z.infer<typeof EmailChecks>;

const CheckLinks = z.object({
  remote: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether to request links to other machines too. Private networks are never requested.' }),
});

export const LinkResult = z.object({
  url: z.string(),
  result: z.enum(['ok', 'failed', 'skipped']),
  status: z.int().nullable().meta({ description: 'HTTP status; null without a response.' }),
  details: z.string().meta({ description: 'Where it redirects to, or why it failed or was skipped.' }),
});
export type LinkResult = z.infer<typeof LinkResult>;

export const LinkChecks = z.object({
  id: prefixedId('msg'),
  ok: z.int().min(0),
  failed: z.int().min(0),
  skipped: z.int().min(0),
  links: z.array(LinkResult),
});
export type LinkChecks = z.infer<typeof LinkChecks>;

export const checkEndpoints = {
  'emails.check': {
    ...controlRoutes['emails.check'],
    summary: 'Check an email’s content and authentication',
    description: 'Checks the stored content. Nothing is requested from the network.',
    params: EmailParams,
    response: EmailChecks,
    status: 200,
    errors: ['not_found', 'conflict', 'unavailable'],
  },
  'emails.check_links': {
    ...controlRoutes['emails.check_links'],
    summary: 'Check the links of an email',
    acrossWorkspaces: true,
    description:
      'Requests each link with HEAD, or with GET if the server does not support HEAD. Redirects are not followed, ' +
      'and links to other machines are skipped unless `remote` is true.',
    params: EmailParams,
    body: CheckLinks,
    response: LinkChecks,
    status: 200,
    errors: ['invalid', 'not_found', 'unavailable'],
  },
} as const satisfies Contract;

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
