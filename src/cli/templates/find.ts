import type { Client } from '../../client/client.js';
import type { Template } from '../../contract/service/templates.js';
import { nearestName } from '../../contract/vocabulary/nearest-name.js';
import { allPages } from '../command/all-pages.js';
import { endsWith, isIdSuffix, LATEST, theOnly } from '../command/resource-id.js';
import { CommandError, NotFoundError } from '../errors/exit-codes.js';

/** Yields every template of the account, page by page. Reports the number so far and the total with each page. */
export async function* allTemplates(
  client: Client,
  onPage: (count: number, total: number) => void = () => {},
): AsyncGenerator<Template> {
  let count = 0;
  const pages = allPages(async (query) => {
    const { templates, pagination } = await client.call('templates.list', { query });
    return { items: templates, pagination };
  });
  for await (const { items, pagination } of pages) {
    count += items.length;
    onPage(count, pagination.total);
    yield* items;
  }
}

interface FindOptions {
  /** The message when it does not exist. */
  unknown?: string;
  /** More names to suggest. */
  extraNames?: readonly string[];
  /** Whether `latest` and the end of an id are accepted as well. A name takes precedence. */
  toRead?: boolean;
}

/**
 * Returns the id for an id (tpl_…) or a name. The service itself accepts ids only (gap 1).
 * @throws NotFoundError with the message `unknown`, and the nearest name among the server's names and `extraNames`.
 */
export async function templateId(
  client: Client,
  idOrName: string,
  { unknown, extraNames = [], toRead = false }: FindOptions = {},
): Promise<string> {
  if (idOrName.startsWith('tpl_')) return idOrName;
  const found: { id: string; about: string }[] = [];
  for await (const { id, name } of allTemplates(client)) {
    if (name === idOrName) return id;
    found.push({ id, about: name });
  }
  const [newest] = found;
  if (toRead && idOrName === LATEST && newest) return newest.id;
  const ending = toRead && isIdSuffix(idOrName) ? found.filter(({ id }) => endsWith(id, idOrName)) : [];
  if (ending.length > 0) return theOnly(ending, idOrName, 'template', '');
  const names = found.map(({ about }) => about);
  if (names.includes('')) {
    throw new CommandError('The list of templates does not contain their names.', 'Pass the ID of the template.');
  }
  const nearest = nearestName(idOrName, [...extraNames, ...names]);
  throw new NotFoundError(
    unknown ?? `Template ${JSON.stringify(idOrName)} not found.`,
    hintFor(idOrName, nearest, toRead),
  );
}

function hintFor(idOrName: string, nearest: string | undefined, toRead: boolean): string {
  if (idOrName === LATEST && !toRead) return 'Only commands that read a template accept latest.';
  return nearest ? `Did you mean ${JSON.stringify(nearest)}?` : 'Run "svc templates list" to see all names.';
}
