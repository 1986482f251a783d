import { Flags } from '@oclif/core';
import { omitUndefined } from '../../contract/vocabulary/helpers/omit-undefined.js';
import { UsageError } from '../errors/exit-codes.js';
import { readJsonInput } from '../flags/json-input.js';
import { contentFlags, readContent } from '../flags/shared.js';
import { durationOrTimeFlag } from '../flags/value-types.js';
import { merge, readVariableSources, variableFlags } from '../flags/variables.js';
import { readAttachment } from './attachment-file.js';

/** The flags of `emails send`, and the request that they make. */

export const sendFlags = {
  to: Flags.string({ description: 'Recipient address; repeatable.', multiple: true, helpValue: 'ADDRESS' }),
  cc: Flags.string({ description: 'Cc address; repeatable.', multiple: true, helpValue: 'ADDRESS' }),
  bcc: Flags.string({ description: 'Bcc address; repeatable.', multiple: true, helpValue: 'ADDRESS' }),
  from: Flags.string({ description: 'Sender address.', helpValue: 'ADDRESS' }),
  'reply-to': Flags.string({ description: 'Reply-to address.', helpValue: 'ADDRESS' }),
  subject: Flags.string({ description: 'Subject; overrides the template’s.' }),
  ...contentFlags,
  template: Flags.string({
    description: 'Template to render, by name or ID (tpl_…).',
    helpValue: 'NAME|ID',
    exclusive: ['html', 'html-file', 'text', 'text-file'],
  }),
  ...variableFlags,
  attach: Flags.string({ description: 'File to attach; repeatable.', multiple: true, helpValue: 'FILE' }),
  tag: Flags.string({ description: 'Tag; repeatable.', multiple: true }),
  schedule: durationOrTimeFlag({
    description: 'Delay (90s, 2h, 1d12h) or time (ISO 8601 with an offset or Z) to send at.',
    aliases: ['scheduled-at'],
  }),
  'no-track-opens': Flags.boolean({ description: 'Do not record opens.' }),
  'no-track-clicks': Flags.boolean({ description: 'Do not record clicks.' }),
  data: Flags.string({
    description: 'Complete request body as JSON, @FILE, or - for stdin. Other flags override its fields.',
    helpValue: '@FILE|-',
  }),
};

export interface SendFlagValues {
  [flag: string]: unknown;
  to?: string[] | undefined;
  cc?: string[] | undefined;
  bcc?: string[] | undefined;
  from?: string | undefined;
  'reply-to'?: string | undefined;
  subject?: string | undefined;
  html?: string | undefined;
  'html-file'?: string | undefined;
  text?: string | undefined;
  template?: string | undefined;
  'text-file'?: string | undefined;
  var?: string[] | undefined;
  vars?: string | undefined;
  attach?: string[] | undefined;
  tag?: string[] | undefined;
  'no-track-opens': boolean;
  'no-track-clicks': boolean;
  data?: string | undefined;
}

/** A request body: what the flags say, over what --data holds. Template and time are still to be looked up. */
export type Draft = Record<string, unknown>;

/** @throws UsageError when the flags do not make a request, or a file cannot be read. */
export async function readDraft(flags: SendFlagValues): Promise<Draft> {
  if (flags.to === undefined && flags.data === undefined)
    throw new UsageError('Missing required flag --to.', 'Pass --to, or the complete request with --data.');
  refuseSharedStdin(flags);
  const data = flags.data === undefined ? {} : (await readJsonInput('--data', flags.data)).value;
  const variables = await readVariableSources(flags);
  if (variables.length > 0 && flags.template === undefined && data.template_id === undefined)
    throw new UsageError('--var and --vars require a template.', 'Pass it with --template.');
  const requested = omitUndefined({
    to: flags.to,
    cc: flags.cc,
    bcc: flags.bcc,
    from: flags.from,
    reply_to: flags['reply-to'],
    subject: flags.subject,
    ...(await readContent(flags)),
    attachments: flags.attach && (await Promise.all(flags.attach.map(readAttachment))),
    variables: variables.length > 0 ? { ...objectOf(data.variables), ...merge(variables) } : undefined,
    tags: flags.tag,
    track_opens: flags['no-track-opens'] ? false : undefined,
    track_clicks: flags['no-track-clicks'] ? false : undefined,
  });
  return { ...data, ...requested };
}

function refuseSharedStdin(flags: SendFlagValues): void {
  const readers = ['data', 'vars', 'html-file', 'text-file', 'attach'].flatMap((flag) =>
    [flags[flag] ?? []].flat().flatMap((value) => (value === '-' || value === '@-' ? [`--${flag}`] : [])),
  );
  if (readers.length > 1) throw new UsageError(`Only one of ${readers.join(' and ')} can read stdin.`);
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
