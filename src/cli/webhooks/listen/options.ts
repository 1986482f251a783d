import { Flags, type Interfaces } from '@oclif/core';
import type { EventType } from '../../../contract/vocabulary/event-types.js';
import { HEADER_LINE_FORM, readHeaderLine } from '../../../contract/vocabulary/headers.js';
import { PORT_MAX } from '../../../contract/vocabulary/limits.js';
import { webhookUrlProblem } from '../../../contract/vocabulary/webhooks/url.js';
import { UsageError } from '../../errors/exit-codes.js';
import { readEventTypesOrAll } from '../../flags/event-types.js';
import { fills } from '../../flags/request-field.js';

/** Declares the flags of `svc webhooks listen`, and checks them before any request is sent. */

export const listenFlags = {
  'forward-to': fills(
    'forward_to',
    Flags.string({
      description: 'URL to forward events to; host:port/path or :port/path for short.',
      required: true,
      helpValue: 'URL',
    }),
  ),
  events: Flags.string({ description: 'Event types to forward, comma-separated (default: all).', helpValue: 'A,B' }),
  to: Flags.string({
    description: 'Forward events of these recipients only; * matches any text.',
    helpValue: 'PATTERN',
  }),
  header: Flags.string({
    char: 'H',
    description: 'Header to add to each request; repeatable.',
    multiple: true,
    helpValue: '"NAME: VALUE"',
  }),
  'public-url': Flags.string({
    description: 'Public https URL that leads to --port, such as a tunnel; required for a remote service.',
    helpValue: 'URL',
  }),
  port: Flags.integer({
    description: 'Local port that --public-url leads to; 0 selects a free port.',
    min: 0,
    max: PORT_MAX,
    dependsOn: ['public-url'],
  }),
};

export interface ListenOptions {
  forwardTo: string;
  /** The event types; undefined for all. */
  events: EventType[] | undefined;
  to: string | undefined;
  headers: Record<string, string>;
  publicUrl: string | undefined;
  port: number;
}

/** Returns the options. @throws UsageError for an invalid value. */
export function readListenFlags(flags: Interfaces.InferredFlags<typeof listenFlags>): ListenOptions {
  const { events, to, header = [], port = 0 } = flags;
  if (to?.trim() === '') throw new UsageError('--to must be an address; * matches any text.');
  return {
    forwardTo: forwardUrl(flags['forward-to']),
    events: events === undefined ? undefined : readEventTypesOrAll('--events', [events]),
    to,
    headers: Object.fromEntries(header.map(readHeader)),
    publicUrl: flags['public-url'] === undefined ? undefined : checkPublicUrl(flags['public-url']),
    port,
  };
}

/**
 * Returns the URL for a value of --forward-to: a complete URL, `host:port/path`, or `:port/path` and `port/path` on
 * this machine.
 */
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
  const problem = webhookUrlProblem(value);
  if (problem === undefined) return value;
  throw new UsageError(`--public-url ${problem}, not ${JSON.stringify(value)}.`);
}

function readHeader(line: string): [name: string, value: string] {
  const header = readHeaderLine(line);
  if (header) return header;
  throw new UsageError(`--header must be ${HEADER_LINE_FORM}, not ${JSON.stringify(line)}.`);
}
