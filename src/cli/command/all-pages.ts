import type { Pagination } from '../../contract/fields.js';
import { PAGE_SIZE_MAX } from '../../contract/vocabulary/limits.js';

export interface Page<Item> {
  items: Item[];
  pagination: Pagination;
}

/**
 * Reads a list to its end, one page in memory at a time. Items may be added to its start or removed meanwhile. Items
 * that remain are returned exactly once, unless more than a thousand are added between two pages.
 */
export async function* allPages<Item extends { id: string }>(
  readPage: (query: { limit: number; offset: number }) => Promise<Page<Item>>,
  start = 0,
): AsyncGenerator<Page<Item>> {
  // Items that move down the list during the reading are not repeated.
  const seen = new RecentIds();
  let total: number | undefined;
  let before = '';
  for (let offset = start; ; ) {
    const { items, pagination } = await readPage({ limit: PAGE_SIZE_MAX, offset });
    const gone = Math.max(0, (total ?? pagination.total) - pagination.total);
    total = pagination.total;
    // Removed items moved the later ones up, past the offset of this page.
    if (gone > 0 && offset > start) {
      offset = Math.max(start, offset - gone);
      continue;
    }
    // A service that ignores offsets returns the same page again.
    const page = JSON.stringify(items);
    if (page === before) return;
    before = page;
    const fresh = items.filter(({ id }) => !id || !seen.has(id));
    seen.add(fresh.map(({ id }) => id).filter(Boolean));
    yield { items: fresh, pagination };
    if (isLast(pagination, items) || (fresh.length === 0 && offset >= (pagination.total ?? 0))) return;
    offset += items.length;
  }
}

/** `has_more` is undefined if the service does not return it: then an empty page is the last. */
function isLast({ has_more }: Pagination, items: readonly unknown[]): boolean {
  return has_more === false || items.length === 0;
}

const IDS_MAX = 10 * PAGE_SIZE_MAX;

/** Holds the most recent ids. The oldest ones are removed, so that memory does not grow with the list. */
export class RecentIds {
  readonly #ids = new Set<string>();

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Adds ids, the newest last. */
  add(ids: Iterable<string>): void {
    for (const id of ids) {
      this.#ids.delete(id);
      this.#ids.add(id);
    }
    for (const id of this.#ids) {
      if (this.#ids.size <= IDS_MAX) return;
      this.#ids.delete(id);
    }
  }
}
