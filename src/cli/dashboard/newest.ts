import { allPages, type Page } from '../all-pages.js';
import type { Row, RowPage } from './pane.js';

/** The newest rows of a list that is read page by page. */
export async function newestOf<Item extends { id: string }>(
  readPage: (query: { limit: number; offset: number }) => Promise<Page<Item>>,
  limit: number,
  rowOf: (item: Item) => Row,
): Promise<RowPage> {
  const rows: Row[] = [];
  let page: Page<Item> | undefined;
  for await (page of allPages(readPage)) {
    rows.push(...page.items.map(rowOf));
    if (rows.length >= limit) break;
  }
  return { rows: rows.slice(0, limit), total: page?.pagination.total, more: page?.pagination.has_more ?? false };
}
