import { join } from 'node:path';
import { lazy } from '../contract/vocabulary/helpers/lazy.js';
import {
  type CheckContent,
  type Clock,
  type ExtractContent,
  type FindHtmlLinks,
  type MessageParser,
  ProcessorUnavailableError,
  type RewriteForFrame,
} from '../core/ports.js';
import { packageDirectory } from '../package-directory.js';
import { readSimpleMessage, SIMPLE_BYTES_MAX } from './simple-message.js';
import type { TaskKind, Tasks } from './worker/tasks.js';

/** Parses messages and finds links: small and simple ones here, all others in worker processes with limits. */

export interface ProcessingOptions {
  clock: Pick<Clock, 'after'>;
  /** Limits of one message, in milliseconds: of the time it takes, and of the CPU time of its worker. */
  deadlineMs?: number;
  cpuMs?: number;
  /** The file that a worker process runs (default: the built one). */
  entry?: string;
}

export interface Processing {
  parser: MessageParser;
  findHtmlLinks: FindHtmlLinks;
  extractContent: ExtractContent;
  checkContent: CheckContent;
  rewriteForFrame: RewriteForFrame;
  /** Starts a worker ahead of the first message that needs one. */
  warm(): void;
  close(): Promise<void>;
}

const CPU_MS = 5_000;
/** For a worker that waits, or gets little CPU time on a busy machine. */
const DEADLINE_MS = 60_000;
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

/** Characters of an email that is checked at once. */
const CHECKED_INLINE = 16 * 1024;

export function createProcessing({
  clock,
  deadlineMs = DEADLINE_MS,
  cpuMs = CPU_MS,
  entry,
}: ProcessingOptions): Processing {
  // Loaded when it is needed, because most commands in-process need no worker.
  const pool = lazy(async () => {
    const { WorkerPool } = await import('./worker/pool.js');
    return new WorkerPool({
      clock,
      // Read when a worker starts: without the file, the rest of the server works.
      get entry() {
        return entry ?? join(packageDirectory(), 'bin', 'worker.js');
      },
      deadlineMs,
      cpuMs,
      size: WORKERS,
      memoryBytes: MEMORY_BYTES,
      heapMegabytes: HEAP_MEGABYTES,
      idleMs: IDLE_MS,
    });
  });
  let isClosed = false;
  const run = async <Kind extends TaskKind>(kind: Kind, input: Tasks[Kind]['input']) => {
    if (isClosed) throw new ProcessorUnavailableError('The server is stopping.');
    return (await pool()).run(kind, input) as Promise<Tasks[Kind]['result']>;
  };
  return {
    parser: {
      quickBytes: SIMPLE_BYTES_MAX,
      quickly: readSimpleMessage,
      parse: (bytes) => run('parse', bytes),
      started: async () => (await pool.loaded())?.started(),
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
    async checkContent(input) {
      if (input.html.length + input.text.length > CHECKED_INLINE) return run('check', input);
      return (await import('./checks/check-content.js')).checkContent(input);
    },
    async rewriteForFrame(html, frame) {
      if (html.length > INLINE_CHARACTERS) return run('frame', { html, ...frame });
      return (await import('./frame/frame-html.js')).frameHtml(html, frame);
    },
    warm: () => void pool().then((loaded) => loaded.warm()),
    async close() {
      isClosed = true;
      await (await pool.loaded())?.close();
    },
  };
}
