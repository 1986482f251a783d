import type { Interfaces } from '@oclif/core';
import type { Client } from '../../client/client.js';
import type { Pagination } from '../../contract/fields.js';
import { type allFlag, moreHint, type pageFlags } from '../flags/shared.js';
import { printedOut } from '../output/color.js';
import { type Column, rowWriter, stdoutView, table } from '../output/table.js';
import { safeJson } from '../output/text.js';
import { writeStdout } from '../process/write-stdout.js';
import { openProgress } from '../terminal/progress.js';
import { allPages, type Page } from './all-pages.js';
import { ClientCommand } from './client-command.js';

type ListFlags = Interfaces.InferredFlags<typeof pageFlags & typeof allFlag>;

type ListPage<Field extends string, Item> = Record<Field, Item[]> & { pagination: Pagination; total_exact?: boolean };

export interface List<Field extends string, Item> extends ListFormat<Item> {
  field: Field;
  readPage(page: { limit: number; offset: number }): Promise<ListPage<Field, Item>>;
  /** Reads all pages from an offset, for a list that does not need offsets. */
  readAll?(offset: number): AsyncIterable<Page<Item>>;
  /** Completes items before they are printed; not called with --json. */
  complete?(items: Item[]): Promise<Item[]>;
  /** Message to print for an empty list. */
  none: string;
}

/** A command that lists resources by page or, with --all, completely. */
export abstract class ListCommand extends ClientCommand {
  protected async printList<Field extends string, Item extends { id: string }>(
    client: Client,
    { all, limit, offset, json = false }: ListFlags,
    { readPage, readAll, complete, none, ...format }: List<Field, Item>,
  ): Promise<void> {
    const shown = async (items: Item[]) => (complete && !json ? complete(items) : items);
    if (all) {
      const pages = readAll?.(offset) ?? allPages(async (query) => pageOf(await readPage(query), format.field), offset);
      const count = await writeAll(completed(pages, shown), format, { json, now: () => client.now });
      if (count === 0) this.info(none);
      return;
    }
    const page = await readPage({ limit, offset });
    const rows = (await shown(page[format.field])).map(format.row);
    this.print(page, () => (rows.length > 0 ? table(format.columns, rows, stdoutView(client.now)) : ''));
    if (rows.length === 0 && offset === 0) this.info(none);
    const more = moreHint(rows.length, page);
    if (more) this.info(more);
  }
}

function pageOf<Field extends string, Item>(page: ListPage<Field, Item>, field: Field): Page<Item> {
  return { items: page[field], pagination: page.pagination };
}

async function* completed<Item>(
  pages: AsyncIterable<Page<Item>>,
  complete: (items: Item[]) => Promise<Item[]>,
): AsyncGenerator<Page<Item>> {
  for await (const { items, pagination } of pages) yield { items: await complete(items), pagination };
}

/** Writes a whole list to stdout page by page, no faster than the reader reads it. */

interface ListFormat<Item> {
  /** The list's field in the response. */
  field: string;
  columns: readonly Column[];
  row(item: Item): string[];
}

/**
 * Writes the list and returns the number of items. With `json`, it writes one object in the form of a page: all items
 * in the list's field, and a `pagination` without a next page. Nothing is written before the first page has arrived.
 */
async function writeAll<Item>(
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
