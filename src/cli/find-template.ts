import type { Client } from '../client/client.js';
import { PAGE_SIZE_MAX } from '../contract/limits.js';
import { nearestName } from '../contract/nearest-name.js';
import type { Template } from '../contract/template.js';
import { CommandError } from './exit-codes.js';

/** Every template of the account, page by page. */
export async function* allTemplates(client: Client): AsyncGenerator<Template> {
  for (let offset = 0; ; offset += PAGE_SIZE_MAX) {
    const { templates, pagination } = await client.call('templates.list', { query: { limit: PAGE_SIZE_MAX, offset } });
    yield* templates;
    if (!pagination.has_more) return;
  }
}

/** The id that a tpl_ id or a name means; the service itself takes ids alone (decision 1). */
export async function templateId(client: Client, idOrName: string): Promise<string> {
  if (idOrName.startsWith('tpl_')) return idOrName;
  const names: string[] = [];
  for await (const { id, name } of allTemplates(client)) {
    if (name === idOrName) return id;
    names.push(name);
  }
  const nearest = nearestName(idOrName, names);
  throw new CommandError(
    `There is no template named ${JSON.stringify(idOrName)}.`,
    nearest ? `Did you mean ${JSON.stringify(nearest)}?` : 'svc templates list shows the names.',
  );
}
