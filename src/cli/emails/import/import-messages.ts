import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Client } from '../../../client/client.js';
import { ApiFailure } from '../../../client/failures.js';
import type { Source, SourceMessage } from './source.js';

/** Adds messages to a server, each once. */

export interface Imported {
  imported: number;
  /** Messages that an earlier import has added. */
  skipped: number;
  failed: { name: string; message: string }[];
}

export interface ImportOptions {
  /** Whether to add messages that an earlier import has added. */
  again: boolean;
  signal: AbortSignal;
  onProgress(imported: Imported): void;
  onBytes(count: number): void;
  onFailure(failure: Imported['failed'][number]): void;
}

/** Calls at once: the server stores their messages with one flush of the disk. */
const CONCURRENT = 8;
/** Failures that are kept for the result. Each is also reported when it happens. */
const KEPT_FAILURES = 1_000;

/** Returns the counts, also when the signal has ended the import. @throws UnreachableError if the server ends. */
export async function importMessages(
  client: Client,
  sources: readonly Source[],
  options: ImportOptions,
): Promise<Imported & { failures: number }> {
  const { signal, onBytes, onProgress, onFailure } = options;
  const result = { imported: 0, skipped: 0, failed: [] as Imported['failed'], failures: 0 };
  const keys = new Keys();
  const fail = (name: string, message: string) => {
    result.failures += 1;
    if (result.failed.length < KEPT_FAILURES) result.failed.push({ name, message });
    onFailure({ name, message });
  };
  const add = async ({ name, message }: SourceMessage, key: string | undefined) => {
    if ('problem' in message) return fail(name, message.problem);
    try {
      const query = key === undefined ? {} : { import_key: key };
      const { added = true } = await client.control('emails.capture', { body: Readable.from([message.bytes]), query });
      if (added) result.imported += 1;
      else result.skipped += 1;
    } catch (error) {
      // Every other message would fail, too.
      if (!(error instanceof ApiFailure) || error.status === UNAUTHENTICATED || error.status >= 500) throw error;
      fail(name, error.message);
    }
    onProgress(result);
  };
  const running = new Set<Promise<void>>();
  let broken: unknown;
  for (const source of sources) {
    if (signal.aborted || broken !== undefined) break;
    for await (const each of untilAborted(source, onBytes, signal)) {
      if (signal.aborted || broken !== undefined) break;
      const key = options.again || 'problem' in each.message ? undefined : keys.of(each.message.bytes);
      const task = add(each, key).catch((error: unknown) => {
        broken ??= error;
      });
      running.add(task);
      void task.then(() => running.delete(task));
      if (running.size >= CONCURRENT) await Promise.race(running);
    }
  }
  await Promise.all(running);
  if (broken !== undefined) throw broken;
  return result;
}

/** Yields the messages of a source until the signal fires, also while it waits for more of them. */
async function* untilAborted(
  source: Source,
  onBytes: (count: number) => void,
  signal: AbortSignal,
): AsyncGenerator<SourceMessage> {
  try {
    yield* source.read(onBytes, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

const UNAUTHENTICATED = 401;

/**
 * Keys of messages: a digest of the content, and the number of the same contents before it. So a mailbox with equal
 * messages keeps all of them, and a repeated import adds none again.
 */
class Keys {
  readonly #seen = new Map<string, number>();

  of(bytes: Buffer): string {
    const digest = createHash('sha256').update(bytes).digest('base64url');
    const count = this.#seen.get(digest) ?? 0;
    this.#seen.set(digest, count + 1);
    return `${digest}.${count}`;
  }
}
