import type { Core, EventDeps } from '../../context.js';
import { SerialQueue } from '../../jobs/deferred-jobs.js';
import { type Content, isStored, type NewAttachment, type StoredContent } from '../../model/contents.js';
import type { ParsedMessage } from '../../ports.js';

/** Maximum bytes in one write: SQLite inserts and commits them in a few milliseconds. */
const CHUNK_BYTES = 1024 * 1024;
/** Contents up to this size are always stored in their rows. */
const SMALL_BYTES = 4 * 1024;

/** Returns whether a text is stored in chunks. */
function isLarge(text: string): boolean {
  return text.length > CHUNK_BYTES;
}

interface Chunk {
  key: string;
  position: number;
  bytes: Uint8Array;
}

/**
 * Stores large contents in chunks before the rows that refer to them, so that other writes can run in between. Writes
 * the chunks of different messages one after another.
 */
export class LargeContents {
  readonly #writes = new SerialQueue();

  constructor(private readonly core: EventDeps & Pick<Core, 'store'>) {}

  /**
   * Runs `work` with the contents in the form to insert. If they are large in total, stores them in chunks first.
   * Deletes the chunks if `work` fails.
   * @throws StoreUnavailableError if a chunk cannot be written.
   */
  async use<T>(contents: readonly Uint8Array[], work: (stored: Content[]) => Promise<T>): Promise<T> {
    const total = contents.reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (total <= CHUNK_BYTES) return work([...contents]);
    const stored = contents.map((bytes) =>
      bytes.byteLength > SMALL_BYTES ? this.#plan(bytes) : { content: bytes, chunks: [] },
    );
    const chunks = stored.flatMap((each) => each.chunks);
    try {
      for (const batch of batchesOf(chunks)) await this.#append(batch);
      return await work(stored.map(({ content }) => content));
    } catch (error) {
      // Chunks that cannot be deleted now are deleted when the store closes, or at the next start after a crash.
      await this.#delete(new Set(chunks.map(({ key }) => key))).catch(() => {});
      throw error;
    }
  }

  #plan(bytes: Uint8Array): { content: Content; chunks: Chunk[] } {
    const key = this.core.ids.next('content', this.core.clock.now());
    const chunks = Array.from({ length: Math.ceil(bytes.byteLength / CHUNK_BYTES) }, (_, position) => ({
      key,
      position,
      bytes: bytes.subarray(position * CHUNK_BYTES, (position + 1) * CHUNK_BYTES),
    }));
    return { content: { key, size: bytes.byteLength }, chunks };
  }

  #append(batch: readonly Chunk[]): Promise<void> {
    return this.#writes.run(() =>
      this.core.store.write(async (tx) => {
        for (const { key, position, bytes } of batch) await tx.contents.append(key, position, bytes);
      }),
    );
  }

  async #delete(keys: Iterable<string>): Promise<void> {
    await this.core.store.write(async (tx) => {
      for (const key of keys) await tx.contents.delete(key);
    });
  }
}

/** Groups chunks, in order, into batches of up to CHUNK_BYTES. */
function batchesOf(chunks: readonly Chunk[]): Chunk[][] {
  const batches: Chunk[][] = [];
  let room = 0;
  for (const chunk of chunks) {
    if (chunk.bytes.byteLength > room) {
      batches.push([]);
      room = CHUNK_BYTES;
    }
    batches.at(-1)?.push(chunk);
    room -= chunk.bytes.byteLength;
  }
  return batches;
}

/** The parts of a parsed message that may be large, in the form in which the store inserts them. */
export interface MessageParts {
  text: string | StoredContent;
  html: string | StoredContent;
  attachments: NewAttachment[];
}

/**
 * Stores the large parts of a message, then runs `work` with all parts and with references to the stored ones.
 * @throws StoreUnavailableError if a part cannot be written.
 */
export function withStoredParts<T>(
  contents: LargeContents,
  { content: { text, html }, attachments }: ParsedMessage,
  work: (parts: MessageParts, stored: StoredContent[]) => Promise<T>,
): Promise<T> {
  const bodies = [text, html].map((body) => Buffer.from(isLarge(body) ? body : ''));
  return contents.use([...bodies, ...attachments.map(({ content }) => content)], (inserted) => {
    const [storedText, storedHtml, ...rest] = inserted;
    const parts = {
      text: storedText && isStored(storedText) ? storedText : text,
      html: storedHtml && isStored(storedHtml) ? storedHtml : html,
      attachments: attachments.map((each, index) => ({ ...each, content: rest[index] ?? each.content })),
    };
    return work(parts, inserted.filter(isStored));
  });
}

/** Returns the parts of a message without large ones. */
export function partsOf({ content: { text, html }, attachments }: ParsedMessage): MessageParts {
  return { text, html, attachments };
}
