import type { Page } from '../emails/all-pages.js';
import { printedOut } from './color.js';
import { openProgress } from './progress.js';
import { type Column, rowWriter, stdoutView } from './table.js';
import { safeJson } from './text.js';
import { writeStdout } from './write-stdout.js';

/** Writes a whole list to stdout page by page, no faster than the reader reads it. */

export interface ListFormat<Item> {
  /** The list's field in the response. */
  field: string;
  columns: readonly Column[];
  row(item: Item): string[];
}

/**
 * Writes the list and returns the number of items. With `json`, it writes one object in the form of a page: all items
 * in the list's field, and a `pagination` without a next page. Nothing is written before the first page has arrived.
 */
export async function writeAll<Item>(
  pages: AsyncIterable<Page<Item>>,
  { field, columns, row }: ListFormat<Item>,
  { json, now }: { json: boolean; now(): string | undefined },
): Promise<number> {
  let rows: ReturnType<typeof rowWriter> | undefined;
  const progress = openProgress('Reading', { json });
  let count = 0;
  let last: Page<Item>['pagination'] | undefined;
  let start: number | undefined;
  for await (const { items, pagination } of pages) {
    start ??= pagination.offset;
    progress.clear();
    if (json) {
      const text = items.map((item) => JSON.stringify(item)).join(',');
      await writeStdout((last ? (text && count > 0 ? ',' : '') : `{${JSON.stringify(field)}:[`) + safeJson(text));
    } else if (items.length > 0) {
      // The service's time is known once the first page has arrived.
      rows ??= rowWriter(columns, stdoutView(now()));
      await writeStdout(printedOut(rows(items.map(row))));
    }
    last = pagination;
    count += items.length;
    progress.at(count, pagination.total - start || undefined);
  }
  progress.clear();
  if (json) await writeStdout(`],"pagination":${JSON.stringify({ ...last, offset: start, has_more: false })}}\n`);
  return count;
}
