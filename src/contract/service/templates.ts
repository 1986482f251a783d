import * as z from 'zod';
import type { Contract } from '../endpoint.js';
import { nameText, PageQuery, Pagination, prefixedId, Timestamp, textUpToBytes, withVisibleText } from '../fields.js';
import { WITHOUT_WORKSPACE } from '../vocabulary/access.js';
import { TEMPLATE_BODY_BYTES, TEMPLATE_CONTENT_BYTES, TEMPLATE_NAME_CHARACTERS } from '../vocabulary/limits.js';
import { routes } from '../vocabulary/routes.js';
import { linePattern, NO_CONTROL_CHARACTER } from '../vocabulary/text.js';
import { Variables } from './variables.js';

export const Template = z.object({
  id: prefixedId('tpl'),
  name: z.string(),
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Template = z.infer<typeof Template>;

const name = nameText(TEMPLATE_NAME_CHARACTERS);
const subject = withVisibleText(textUpToBytes(TEMPLATE_CONTENT_BYTES))
  .regex(NO_CONTROL_CHARACTER, 'must not contain a line break or another control character')
  .meta({ pattern: linePattern() });
const html = withVisibleText(textUpToBytes(TEMPLATE_CONTENT_BYTES));
const text = textUpToBytes(TEMPLATE_CONTENT_BYTES);

/** The body of a request to create a template. Gap 7. */
export const CreateTemplate = z.object({ name, subject, html, text: text.optional() });
export type CreateTemplate = z.infer<typeof CreateTemplate>;

export const UpdateTemplate = CreateTemplate.partial();
export type UpdateTemplate = z.infer<typeof UpdateTemplate>;

export const RenderedTemplate = z.object({ subject: z.string(), html: z.string(), text: z.string() });
export type RenderedTemplate = z.infer<typeof RenderedTemplate>;

const TemplateParams = z.object({ id: z.string().meta({ description: 'Template ID (`tpl_…`).' }) });

export const templateEndpoints = {
  'templates.create': {
    ...routes['templates.create'],
    summary: 'Create a template',
    keyKinds: WITHOUT_WORKSPACE,
    body: CreateTemplate,
    bodyBytes: TEMPLATE_BODY_BYTES,
    response: Template,
    status: 201,
    audited: ['name'],
    errors: ['bad_request', 'invalid', 'conflict'],
    emits: ['template.created'],
  },
  'templates.list': {
    ...routes['templates.list'],
    summary: 'List templates, newest first',
    query: PageQuery,
    response: z.object({ templates: z.array(Template), pagination: Pagination }),
    status: 200,
    errors: ['bad_request'],
  },
  'templates.get': {
    ...routes['templates.get'],
    summary: 'Retrieve a template',
    params: TemplateParams,
    response: Template,
    status: 200,
    errors: ['template_not_found'],
  },
  'templates.update': {
    ...routes['templates.update'],
    summary: 'Update a template',
    keyKinds: WITHOUT_WORKSPACE,
    params: TemplateParams,
    body: UpdateTemplate,
    bodyBytes: TEMPLATE_BODY_BYTES,
    response: Template,
    status: 200,
    audited: [],
    errors: ['bad_request', 'invalid', 'template_not_found', 'conflict'],
    emits: ['template.updated'],
  },
  'templates.delete': {
    ...routes['templates.delete'],
    summary: 'Delete a template',
    keyKinds: WITHOUT_WORKSPACE,
    params: TemplateParams,
    status: 204,
    audited: [],
    errors: ['template_not_found'],
    emits: ['template.deleted'],
  },
  'templates.render': {
    ...routes['templates.render'],
    summary: 'Render a template without sending it',
    acrossWorkspaces: true,
    params: TemplateParams,
    body: z.object({ variables: Variables }),
    bodyBytes: TEMPLATE_BODY_BYTES,
    response: RenderedTemplate,
    onlyHere: ['html'],
    status: 200,
    errors: ['bad_request', 'invalid', 'invalid_variables', 'template_not_found'],
  },
} as const satisfies Contract;
