import { join } from 'node:path';
import addressparser from 'nodemailer/lib/addressparser';
import { normalizeAddress, shownMailbox } from '../contract/vocabulary/addresses.js';
import { lazy } from '../contract/vocabulary/lazy.js';
import { MEBIBYTE } from '../contract/vocabulary/limits.js';
import { readServiceHeaders } from '../contract/vocabulary/service-headers.js';
import type { ReceivedEnvelope } from '../core/model/received.js';
import {
  type CheckContent,
  type Clock,
  type ExtractContent,
  type FindHtmlLinks,
  type MessageParser,
  type ParsedMessage,
  ProcessorUnavailableError,
  type RewriteForFrame,
  type ShowAsClient,
  type ShowContent,
  type VerifyDkim,
  WorkerEndedError,
} from '../core/ports.js';
import { packageDirectory } from '../package-directory.js';
import { decodeWords } from './extract/headers.js';
import { comparedMailbox, namesOf, readFields } from './header.js';
import { ADDRESS_FIELD_MAX, HEADER_BYTES_MAX, SHOWN_FIELD_MAX } from './limits.js';
import { readSimpleMessage } from './simple-message.js';
import type { TaskKind, Tasks } from './worker/tasks.js';

/**
 * Reads the content of emails in worker processes with limits. Read here are messages of a
 * simple form, by svc's own code, and the links and codes of short emails.
 */

interface WorkersOptions {
  clock: Pick<Clock, 'after'>;
  /** Limits of one message, in milliseconds: of the time it takes, and of the CPU time of its worker. */
  deadlineMs?: number;
  cpuMs?: number;
  /** The file that a worker process runs (default: the built one). */
  entry?: string;
}

type Workers = ReturnType<typeof openWorkers>;

/** With `shared`, several servers of one process use the same workers, which are not closed with a server. */
export type ProcessingOptions = WorkersOptions | { clock: WorkersOptions['clock']; shared: Workers };

export interface Processing {
  parser: MessageParser;
  findHtmlLinks: FindHtmlLinks;
  extractContent: ExtractContent;
  showContent: ShowContent;
  checkContent: CheckContent;
  rewriteForFrame: RewriteForFrame;
  showAsClient: ShowAsClient;
  readEnvelope(message: Uint8Array): Promise<ReceivedEnvelope>;
  verifyDkim: VerifyDkim;
  /** Starts workers ahead of the first message that needs them. */
  warm(): void;
  close(): Promise<void>;
}

/** Characters whose links and codes are found in the server: 4 ms in the worst case. */
export const INLINE_CHARACTERS = 2 * 1024;
/** Characters of HTML that are read in the server for searches: 5 ms in the worst case. */
const SHOWN_CHARACTERS = 16 * 1024;
/** Limits of every worker. Resident memory: parsing 40 MB takes some 300 MiB. */
const WORKERS = { preload: 'parse', memoryBytes: 512 * MEBIBYTE, heapMegabytes: 256, idleMs: 300_000 };
/** The deadline is for a worker that waits, or gets little CPU time on a busy machine. */
const TASK_LIMITS = { cpuMs: 5_000, deadlineMs: 60_000 };

/** Returns a pool of workers, which is loaded when it is needed: most commands in-process need none. */
export function openWorkers({ clock, entry, ...limits }: WorkersOptions) {
  return lazy(async () => {
    const { WorkerPool } = await import('./worker/pool.js');
    return new WorkerPool({
      ...WORKERS,
      ...TASK_LIMITS,
      ...limits,
      clock,
      // Content that takes long cannot delay parsing, and one slow message not the others.
      ...{ size: 4, perGroup: 2 },
      groupOf: (kind) => (kind === 'parse' ? 'parse' : 'content'),
      // Read when a worker starts: without the file, the rest of the server works.
      get entry() {
        return entry ?? join(packageDirectory(), 'bin', 'worker.js');
      },
    });
  });
}

export function createProcessing(options: ProcessingOptions): Processing {
  const isShared = 'shared' in options;
  const pool = isShared ? options.shared : openWorkers(options);
  let isClosed = false;
  const run = async <Kind extends TaskKind>(kind: Kind, input: Tasks[Kind]['input'], signal?: AbortSignal) => {
    if (isClosed) throw new ProcessorUnavailableError('The server is stopping.');
    const workers = await pool();
    return workers.run(kind, input, signal) as Promise<Tasks[Kind]['result']>;
  };
  /** Performs a task for a caller who can try again. */
  const runForCaller: typeof run = (kind, input) =>
    run(kind, input).catch((error: unknown) => {
      throw error instanceof WorkerEndedError ? new ProcessorUnavailableError(error.message) : error;
    });
  /** The last check. Checks take the most time, so that one worker performs them and the other is free. */
  let lastCheck: Promise<unknown> = Promise.resolve();
  /** Loaded with the first email, so that the server starts sooner. */
  let reader: typeof import('./extract/html-document.js') | undefined;
  const showAtOnce: ShowContent['atOnce'] = (html, head) =>
    html.length <= SHOWN_CHARACTERS ? reader?.shownContent(html, head) : undefined;
  const show = async (html: string, head: Uint8Array | null) => {
    // Where it fails now, it is found when it is needed.
    if (html.length > SHOWN_CHARACTERS) return run('shown', { html, head }).catch(() => undefined);
    reader ??= await import('./extract/html-document.js');
    return reader.shownContent(html, head);
  };
  return {
    showContent: Object.assign(show, { atOnce: showAtOnce }),
    parser: {
      quickly: readSimpleMessage,
      header: readMessageHeader,
      parse: (bytes, signal) => run('parse', bytes, signal),
    },
    async findHtmlLinks(html) {
      if (html === '') return { links: [], pixelAt: 0, cut: false };
      if (html.length > INLINE_CHARACTERS) return run('html-links', html);
      return (await import('./html-links.js')).findHtmlLinks(html);
    },
    async extractContent(input) {
      if (input.html.length + input.text.length > INLINE_CHARACTERS) return run('extract', input);
      return (await import('./extract/extract.js')).extract(input);
    },
    checkContent(input) {
      const check = lastCheck.then(() => runForCaller('check', input));
      lastCheck = check.catch(() => {});
      return check;
    },
    rewriteForFrame: (html, frame) => runForCaller('frame', { html, ...frame }),
    showAsClient: (input) => runForCaller('view', input),
    readEnvelope: (message) => runForCaller('envelope', message.subarray(0, HEADER_BYTES_MAX)),
    verifyDkim: (message, key) => runForCaller('dkim', { message, ...key }),
    warm: () => void pool().then((workers) => workers.warm()),
    async close() {
      isClosed = true;
      if (!isShared) await (await pool.loaded())?.close();
    },
  };
}

/** Characters of a list of addresses that are read here: the grammar takes more than linear time. */
const LIST_MAX = ADDRESS_FIELD_MAX / 16;

/**
 * Reads what the header of a message says, in linear time and without its bodies. It stands for the message until a
 * worker has parsed it.
 */
export function readMessageHeader(message: Uint8Array): ParsedMessage {
  const fields = new Map<string, string>();
  for (const { name, value } of readFields(message, LIST_MAX)) {
    const key = name.toLowerCase();
    if (!fields.has(key)) fields.set(key, value.replace(/\r?\n/g, '').trim());
  }
  const mailboxes = (name: string) =>
    addressparser((fields.get(name) ?? '').slice(0, LIST_MAX), { flatten: true }).map(({ name: phrase, address }) => ({
      name: decodeWords(phrase),
      address,
    }));
  const addresses = (name: string) =>
    mailboxes(name).flatMap(({ address }) => (address === '' ? [] : [normalizeAddress(address)]));
  const [sender] = mailboxes('from');
  return {
    content: {
      from: sender ? shownMailbox(sender).slice(0, SHOWN_FIELD_MAX) : '',
      fromMailbox: comparedMailbox(sender?.address ?? ''),
      subject: decodeWords((fields.get('subject') ?? '').slice(0, SHOWN_FIELD_MAX)).trim(),
      replyTo: mailboxes('reply-to').map(shownMailbox).join(', ').slice(0, SHOWN_FIELD_MAX) || null,
      html: '',
      text: '',
      parseError: null,
    },
    to: addresses('to'),
    cc: addresses('cc'),
    names: namesOf([...mailboxes('to'), ...mailboxes('cc')]),
    attachments: [],
    service: readServiceHeaders((name) => fields.get(name) ?? null),
    unknownHeaders: [],
    warnings: [],
  };
}
