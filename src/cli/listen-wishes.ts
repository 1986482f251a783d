import type { EventType } from '../contract/event-types.js';
import { WebhookUrl } from '../contract/webhook.js';
import { readEventTypes } from './event-types.js';
import { UsageError } from './exit-codes.js';

/** What the flags of `svc webhooks listen` ask for, checked before anything is contacted. */

export interface ListenFlags {
  'forward-to': string;
  events?: string | undefined;
  to?: string | undefined;
  header?: string[] | undefined;
  'public-url'?: string | undefined;
  port?: number | undefined;
}

export interface ListenWishes {
  forwardTo: string;
  /** Undefined means all. */
  events: EventType[] | undefined;
  to: string | undefined;
  headers: Record<string, string>;
  publicUrl: string | undefined;
  port: number;
}

/** @throws UsageError for a value that means nothing. */
export function readListenFlags(flags: ListenFlags): ListenWishes {
  const { events, to, header = [], port = 0 } = flags;
  if (to?.trim() === '') throw new UsageError('--to must be an address; * matches any text.');
  return {
    forwardTo: forwardUrl(flags['forward-to']),
    events: events === undefined ? undefined : readEventTypes('--events', [events]),
    to,
    headers: Object.fromEntries(header.map(readHeader)),
    publicUrl: flags['public-url'] === undefined ? undefined : checkPublicUrl(flags['public-url']),
    port,
  };
}

/** The URL that --forward-to means: a whole one, `host:port/path`, or `:port/path` and `port/path` on this machine. */
export function forwardUrl(value: string, flag = '--forward-to'): string {
  const text = value.trim();
  const full = /^[a-z][a-z\d+.-]*:\/\//i.test(text)
    ? text
    : `http://${/^:?\d+(?:[/?#]|$)/.test(text) ? `localhost:${text.replace(/^:/, '')}` : text}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || /\s/.test(text)) {
    throw new UsageError(`${flag} must be a URL such as http://localhost:3000/hooks, not ${JSON.stringify(value)}.`);
  }
  return full;
}

function checkPublicUrl(value: string): string {
  const checked = WebhookUrl.safeParse(value);
  if (checked.success) return value;
  throw new UsageError(`--public-url ${checked.error.issues[0]?.message}, not ${JSON.stringify(value)}.`);
}

function readHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0));
  if (/^[!#$%&'*+.^_`|~\w-]+$/.test(name) && !/[\r\n\0]/.test(line)) return [name, line.slice(colon + 1).trim()];
  throw new UsageError(`--header must be "Name: value", not ${JSON.stringify(line)}.`);
}
