import { join } from 'node:path';
import type { Clock, ExtractContent, FindHtmlLinks, MessageParser } from '../core/ports.js';
import { packageDirectory } from '../package-directory.js';
import { readSimpleMessage, SIMPLE_BYTES_MAX } from './simple-message.js';
import { WorkerPool } from './worker/pool.js';
import type { TaskKind, Tasks } from './worker/tasks.js';

/** Parses messages and finds links: small and simple ones here, all others in worker processes with limits. */

export interface ProcessingOptions {
  clock: Pick<Clock, 'after'>;
  /** Time limit of one message, in milliseconds. */
  deadlineMs?: number;
  /** The file that a worker process runs (default: the built one). */
  entry?: string;
}

export interface Processing {
  parser: MessageParser;
  findHtmlLinks: FindHtmlLinks;
  extractContent: ExtractContent;
  /** Starts a worker ahead of the first message that needs one. */
  warm(): void;
  close(): Promise<void>;
}

const DEADLINE_MS = 5_000;
const MEBIBYTE = 1024 * 1024;
/** Resident memory of a worker: parsing 40 MB takes some 300 MiB. */
const MEMORY_BYTES = 512 * MEBIBYTE;
const HEAP_MEGABYTES = 256;
const WORKERS = 2;
const IDLE_MS = 300_000;
/** Characters of HTML or text that are searched at once: at most a few milliseconds, whatever they are. */
export const INLINE_CHARACTERS = 64 * 1024;

/** Characters of an email whose links and codes are found at once: in a worker, sending it would take longer. */
const EXTRACTED_INLINE = 16 * 1024;

export function createProcessing({ clock, deadlineMs = DEADLINE_MS, entry }: ProcessingOptions): Processing {
  const pool = new WorkerPool({
    clock,
    // Read when a worker starts: without the file, the rest of the server works.
    get entry() {
      return entry ?? join(packageDirectory(), 'bin', 'worker.js');
    },
    deadlineMs,
    size: WORKERS,
    memoryBytes: MEMORY_BYTES,
    heapMegabytes: HEAP_MEGABYTES,
    idleMs: IDLE_MS,
  });
  const run = <Kind extends TaskKind>(kind: Kind, input: Tasks[Kind]['input']) =>
    pool.run(kind, input) as Promise<Tasks[Kind]['result']>;
  return {
    parser: {
      quickBytes: SIMPLE_BYTES_MAX,
      quickly: readSimpleMessage,
      parse: (bytes) => run('parse', bytes),
      started: () => pool.started(),
    },
    async findHtmlLinks(html) {
      if (html === '') return { links: [], pixelAt: 0, cut: false };
      if (html.length > INLINE_CHARACTERS) return run('html-links', html);
      return (await import('./html-links.js')).findHtmlLinks(html);
    },
    async extractContent(input) {
      if (input.html.length + input.text.length > EXTRACTED_INLINE) return run('extract', input);
      return (await import('./extract/extract.js')).extract(input);
    },
    warm: () => pool.warm(),
    close: () => pool.close(),
  };
}
