import { render } from '../../../contract/service/render-template.js';
import type { Template } from '../../../contract/service/templates.js';
import { ServiceError } from '../../../contract/vocabulary/errors.js';
import { omitUndefined } from '../../../contract/vocabulary/json.js';
import { shortened } from '../../../contract/vocabulary/text.js';
import { type Handler, type ServiceHandlers, timestamp } from '../../context.js';
import { recordEvent } from '../../mail/event-log.js';
import type { TemplateRecord } from '../../model/resources.js';
import { paginate, type Reads } from '../../reads.js';

/** Implements the endpoints for templates. Specification: Template; gap 7. */

const createTemplate: Handler<'templates.create'> = ({ body }, context) =>
  context.store.write(async (tx) => {
    const now = context.clock.now();
    const template: TemplateRecord = {
      id: context.ids.next('tpl', now),
      name: body.name,
      subject: body.subject,
      html: body.html,
      text: body.text ?? '',
      createdAt: now,
      updatedAt: now,
    };
    if (!(await tx.templates.insert(template))) throw nameTaken(body.name);
    await recordEvent(tx, context, 'template.created', {
      template_id: template.id,
      name: template.name,
      created_at: timestamp(now),
    });
    return present(template);
  });

const listTemplates: Handler<'templates.list'> = async ({ query }, { store }) => {
  const { items, total } = await store.read.templates.list(query);
  return { templates: items.map(present), pagination: paginate(query, total) };
};

const getTemplate: Handler<'templates.get'> = async ({ params }, { store }) =>
  present(await find(store.read, params.id));

const updateTemplate: Handler<'templates.update'> = ({ params, body }, context) =>
  context.store.write(async (tx) => {
    const now = context.clock.now();
    const before = await find(tx, params.id);
    const template: TemplateRecord = { ...before, ...omitUndefined(body) };
    // Gap 45: a call that changes nothing is not an update.
    if (JSON.stringify(template) === JSON.stringify(before)) return present(before);
    template.updatedAt = now;
    if (!(await tx.templates.update(template))) throw nameTaken(template.name);
    await recordEvent(tx, context, 'template.updated', {
      template_id: template.id,
      name: template.name,
      updated_at: timestamp(now),
    });
    return present(template);
  });

const deleteTemplate: Handler<'templates.delete'> = ({ params }, context) =>
  context.store.write(async (tx) => {
    const { id, name } = await find(tx, params.id);
    await tx.templates.delete(id);
    const deleted_at = timestamp(context.clock.now());
    await recordEvent(tx, context, 'template.deleted', { template_id: id, name, deleted_at });
  });

const renderTemplate: Handler<'templates.render'> = async ({ params, body }, { store }) =>
  render(await find(store.read, params.id), body.variables);

async function find(reads: Pick<Reads, 'templates'>, id: string): Promise<TemplateRecord> {
  const template = await reads.templates.find(id);
  if (template) return template;
  throw new ServiceError('template_not_found', `Template ${JSON.stringify(shortened(id))} not found.`);
}

function nameTaken(name: string): ServiceError {
  return new ServiceError(
    'conflict',
    `Template ${JSON.stringify(name)} already exists.`,
    [{ path: 'name', message: 'is used by another template' }],
    'Choose another name, or update the existing template.',
  );
}

function present(template: TemplateRecord): Template {
  return {
    id: template.id,
    name: template.name,
    subject: template.subject,
    html: template.html,
    text: template.text,
    created_at: timestamp(template.createdAt),
    updated_at: timestamp(template.updatedAt),
  };
}

export const templateHandlers = {
  'templates.create': createTemplate,
  'templates.list': listTemplates,
  'templates.get': getTemplate,
  'templates.update': updateTemplate,
  'templates.delete': deleteTemplate,
  'templates.render': renderTemplate,
} satisfies Partial<ServiceHandlers>;
