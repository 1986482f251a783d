import { basename, extname } from 'node:path';
import { Flags, type Interfaces } from '@oclif/core';
import type { AttachmentInput } from '../../contract/service/attachment-input.js';
import { escapeHtml } from '../../contract/vocabulary/text.js';
import { UsageError } from '../errors/exit-codes.js';
import { fills, requestFields } from '../flags/request-field.js';
import { bodyFlags } from '../flags/shared.js';
import { readJsonInput } from '../flags/values/json-input.js';
import { futureTimeFlag } from '../flags/values/value-types.js';
import { merge, readVariableSources, variableFlags } from '../flags/variables.js';
import { readBytes } from '../process/files.js';

/** Declares the flags of `emails send`, and builds the request body from them. */

/** Omits a field that requires the server or its clock. `emails send` adds it later. */
const later = (): undefined => undefined;

export const sendFlags = {
  to: fills(
    'to',
    Flags.string({ description: 'Recipient address; repeatable.', multiple: true, helpValue: 'ADDRESS' }),
  ),
  cc: fills('cc', Flags.string({ description: 'Cc address; repeatable.', multiple: true, helpValue: 'ADDRESS' })),
  bcc: fills('bcc', Flags.string({ description: 'Bcc address; repeatable.', multiple: true, helpValue: 'ADDRESS' })),
  from: fills('from', Flags.string({ description: 'Sender address.', helpValue: 'ADDRESS' })),
  'reply-to': fills('reply_to', Flags.string({ description: 'Reply-to address.', helpValue: 'ADDRESS' })),
  subject: fills('subject', Flags.string({ description: 'Subject; overrides the template’s.' })),
  ...bodyFlags,
  template: fills(
    'template_id',
    Flags.string({
      description: 'Template to render, by name or ID (tpl_…).',
      helpValue: 'NAME|ID',
      exclusive: ['html', 'html-file', 'text', 'text-file'],
    }),
    later,
  ),
  ...variableFlags,
  attach: fills(
    'attachments',
    Flags.string({ description: 'File to attach; repeatable.', multiple: true, helpValue: 'FILE' }),
    (files) => Promise.all(files.map(readAttachment)),
  ),
  tag: fills('tags', Flags.string({ description: 'Tag; repeatable.', multiple: true })),
  schedule: fills(
    'scheduled_at',
    futureTimeFlag({
      description: 'Delay (90s, 2h, 1d12h) or time (ISO 8601 with an offset or Z) to send at.',
      aliases: ['scheduled-at'],
    }),
    later,
  ),
  'no-track-opens': fills('track_opens', Flags.boolean({ description: 'Do not record opens.' }), unlessSet),
  'no-track-clicks': fills('track_clicks', Flags.boolean({ description: 'Do not record clicks.' }), unlessSet),
  data: Flags.string({
    description: 'Complete request body as JSON, @FILE, or - for stdin. Other flags override its fields.',
    helpValue: '@FILE|-',
  }),
};

function unlessSet(flag: boolean): false | undefined {
  return flag ? false : undefined;
}

type SendFlags = Interfaces.InferredFlags<typeof sendFlags>;

/** The request body, without the fields that require the server. */
export type Draft = Record<string, unknown>;

/** Returns the draft. @throws UsageError when the flags are not a valid request, or a file cannot be read. */
export async function readDraft(flags: SendFlags): Promise<Draft> {
  if (flags.to === undefined && flags.data === undefined)
    throw new UsageError('Missing required flag --to.', 'Pass --to, or the complete request with --data.');
  refuseSharedStdin(flags);
  const data = flags.data === undefined ? {} : (await readJsonInput('--data', flags.data)).value;
  const variables = await readVariableSources(flags);
  if (variables.length > 0 && flags.template === undefined && data.template_id === undefined)
    throw new UsageError('--var and --vars require a template.', 'Pass it with --template.');
  return {
    ...data,
    ...(await requestFields(sendFlags, flags)),
    ...(variables.length > 0 && { variables: { ...objectOf(data.variables), ...merge(variables) } }),
  };
}

const STDIN_READERS = ['data', 'vars', 'html-file', 'text-file', 'attach'] as const;

function refuseSharedStdin(flags: SendFlags): void {
  const readers = STDIN_READERS.flatMap((flag) =>
    [flags[flag] ?? []].flat().flatMap((value) => (value === '-' || value === '@-' ? [`--${flag}`] : [])),
  );
  if (readers.length > 1) throw new UsageError(`Only one of ${readers.join(' and ')} can read stdin.`);
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

/** Media types of common attachments. Other files are application/octet-stream. */
const mediaTypes: Record<string, string> = {
  '.csv': 'text/csv',
  '.gif': 'image/gif',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.ics': 'text/calendar',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.webp': 'image/webp',
  '.xml': 'application/xml',
  '.zip': 'application/zip',
};

async function readAttachment(path: string): Promise<AttachmentInput> {
  const bytes = await readBytes('--attach', path);
  return {
    filename: path === '-' ? 'stdin' : basename(path),
    content: bytes.toString('base64'),
    contentType: mediaTypes[extname(path).toLowerCase()] ?? 'application/octet-stream',
  };
}

/** The sample that fills in missing fields, for a local server. A remote service gets only what the user specified. */
const SAMPLE = {
  from: 'svc <hello@svc.test>',
  subject: 'Hello from svc',
  html: '<p>Hello! This email was sent by <code>svc emails send</code>.</p>',
  text: 'Hello! This email was sent by svc emails send.',
};

/** Returns the request with missing fields filled in from the sample. */
export function withSample(draft: Record<string, unknown>): Record<string, unknown> {
  const { from, subject } = SAMPLE;
  if (draft.template_id !== undefined) return { from, ...draft };
  if (draft.html !== undefined) return { from, subject, ...draft };
  // The API requires HTML, so an email with only text gets the same text as HTML.
  if (typeof draft.text === 'string') return { from, subject, html: `<pre>${escapeHtml(draft.text)}</pre>`, ...draft };
  return { ...SAMPLE, ...draft };
}
