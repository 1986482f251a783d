/** Maximum number of items that are read at the same time, and the bytes that they have together. */
const ITEMS = 16;
const BYTES = 4 * 1024 * 1024;

/**
 * Yields items in groups to read at the same time: one after the other, each would wait for the server. A group has a
 * few items, or one large one, so that the memory does not depend on the number of items.
 */
export async function* inGroups<Item>(
  items: AsyncIterable<Item>,
  bytesOf: (item: Item) => number,
): AsyncGenerator<Item[]> {
  let group: Item[] = [];
  let bytes = 0;
  for await (const item of items) {
    const size = bytesOf(item);
    if (group.length === ITEMS || (group.length > 0 && bytes + size > BYTES)) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push(item);
    bytes += size;
  }
  if (group.length > 0) yield group;
}
