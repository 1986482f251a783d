import type { Client } from '../../../client/client.js';
import { allPages, type Page } from '../../emails/all-pages.js';
import type { Pane, Row } from './pane.js';

/** Reads the newest rows of a list that has pages. */
export function newestOf<Item extends { id: string }>(
  readPage: (client: Client, query: { limit: number; offset: number }) => Promise<Page<Item>>,
  rowOf: (item: Item) => Row,
): Pane['read'] {
  return async (client, limit) => {
    const rows: Row[] = [];
    let page: Page<Item> | undefined;
    for await (page of allPages((query) => readPage(client, query))) {
      rows.push(...page.items.map(rowOf));
      if (rows.length >= limit) break;
    }
    return { rows: rows.slice(0, limit), total: page?.pagination.total, more: page?.pagination.has_more ?? false };
  };
}
