import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { unlessDeleted } from '../../../../client/failures.js';
import type { DeliverySummary } from '../../../../contract/control/webhooks.js';
import { OWNER_ONLY, PRIVATE } from '../../../../file-modes.js';
import type { Pictures } from '../../../../pictures/pictures.js';
import { openIfPossible } from '../../../emails/pictures.js';
import { replaceArtifacts } from './artifact-directory.js';
import type { Captured } from './captured.js';
import { indexPage, type Listed, type WrittenEmail } from './index-page.js';
import { MESSAGES, writeMessage } from './message-files.js';

/** Writes everything that a server captured during a run as files. */

/** Maximum number of rows of each table in index.html. All are in the other files. */
const LISTED_EMAILS = 10_000;
const LISTED_ROWS = 1_000;
/** The newest emails have a picture. One takes a tenth of a second. */
const PICTURES_MAX = 100;
/** Approximate size of a delivery: up to 64 KiB of a response for each of four attempts, and the payload. */
const DELIVERY_BYTES = 512 * 1024;

/**
 * Writes the artifacts, and replaces earlier ones. `heading` describes the run. Calls `note` with a line for the user if
 * no pictures can be taken.
 * @throws CommandError if they cannot be written; earlier ones are then unchanged. Else as the client does.
 */
export async function writeArtifacts(
  directory: string,
  captured: Captured,
  heading: string,
  note: (line: string) => void = () => {},
): Promise<void> {
  await replaceArtifacts(directory, async (draft) => {
    const named = (name: string) => join(draft, name);
    const page = indexPage({
      heading,
      emails: await writeMessages(named(MESSAGES), captured, note),
      events: await writeLines(named('events.jsonl'), captured.events(), last),
      deliveries: await writeLines(named('deliveries.jsonl'), withAttempts(captured), first),
      requests: await writeLines(named('requests.jsonl'), captured.requests(), last),
    });
    writeFileSync(named('index.html'), page, { flag: 'wx', mode: OWNER_ONLY });
  });
}

async function writeMessages(
  folder: string,
  captured: Captured,
  note: (line: string) => void,
): Promise<Listed<WrittenEmail>> {
  mkdirSync(folder, PRIVATE);
  const listed: Listed<WrittenEmail> = { rows: [], count: 0 };
  let pictures: Pictures | undefined;
  try {
    for await (const emails of inGroups(captured.emails(), ({ size }) => size)) {
      if (listed.count === 0) {
        pictures = await openIfPossible((reason) => note(`Artifacts without pictures. ${reason}`));
      }
      const written = await Promise.all(
        emails.map(async (email, index): Promise<WrittenEmail> => {
          const isShown = listed.count + index < PICTURES_MAX && pictures?.ended === false;
          const hasPicture = await writeMessage(captured.client, email.id, folder, isShown ? pictures : undefined);
          return { ...email, hasPicture };
        }),
      );
      listed.rows.push(...written.slice(0, LISTED_EMAILS - listed.rows.length));
      listed.count += emails.length;
    }
  } finally {
    await pictures?.close();
  }
  return listed;
}

/** Yields deliveries with their payload and all attempts. */
async function* withAttempts(captured: Captured): AsyncGenerator<DeliverySummary> {
  for await (const deliveries of inGroups(captured.deliveries(), () => DELIVERY_BYTES)) {
    const read = deliveries.map(({ id }) =>
      unlessDeleted(captured.client.control('deliveries.get', { params: { id } })),
    );
    for (const delivery of await Promise.all(read)) if (delivery) yield delivery;
  }
}

/** Writes a JSON line for each item. `keep` selects the items that index.html lists. */
async function writeLines<Item>(
  path: string,
  items: AsyncIterable<Item>,
  keep: (rows: Item[], item: Item) => void,
): Promise<Listed<Item>> {
  const file = new LineFile(path);
  const rows: Item[] = [];
  try {
    for await (const item of items) {
      file.add(item);
      keep(rows, item);
    }
    file.end();
    return { rows, count: file.count };
  } finally {
    file.close();
  }
}

function first<Item>(rows: Item[], item: Item): void {
  if (rows.length < LISTED_ROWS) rows.push(item);
}

function last<Item>(rows: Item[], item: Item): void {
  rows.push(item);
  if (rows.length > LISTED_ROWS) rows.shift();
}

/** Maximum number of items that are read at the same time, and the bytes that they have together. */
const ITEMS = 16;
const BYTES = 4 * 1024 * 1024;

/**
 * Yields items in groups to read at the same time: one after the other, each would wait for the server. A group has a
 * few items, or one large one, so that the memory does not depend on the number of items.
 */
async function* inGroups<Item>(items: AsyncIterable<Item>, bytesOf: (item: Item) => number): AsyncGenerator<Item[]> {
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

/** Bytes to collect before a write. */
const CHUNK = 256 * 1024;

/** Writes lines to a new file, some at a time. */
class LineFile {
  readonly #handle: number;
  #lines: string[] = [];
  #length = 0;
  /** Number of lines so far. */
  count = 0;

  constructor(path: string) {
    this.#handle = openSync(path, 'wx', OWNER_ONLY);
  }

  add(value: unknown): void {
    const line = `${JSON.stringify(value)}\n`;
    this.#lines.push(line);
    this.#length += line.length;
    this.count += 1;
    if (this.#length >= CHUNK) this.#flush();
  }

  #flush(): void {
    let bytes = Buffer.from(this.#lines.join(''));
    this.#lines = [];
    this.#length = 0;
    // A disk that is almost full takes a part of the bytes.
    while (bytes.byteLength > 0) bytes = bytes.subarray(writeSync(this.#handle, bytes));
  }

  /** Writes the rest. */
  end(): void {
    this.#flush();
  }

  close(): void {
    closeSync(this.#handle);
  }
}
