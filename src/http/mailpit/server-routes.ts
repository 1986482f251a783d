import { STATUS_CODES } from 'node:http';
import * as z from 'zod';
import type { HtmlSupport } from '../../contract/control/emails/check.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import type { FaultStage } from '../../contract/vocabulary/faults/faults.js';
import { type MailpitCall, type MailpitHandler, readBody, run, Text } from './calls.js';
import { NotMappedError } from './errors.js';
import { findEmail, markAsRead } from './message.js';
import { countsOf, tagCounts } from './messages.js';

/** Describes the server, checks emails, releases them, and injects errors of SMTP. */

export const getInfo: MailpitHandler = async (_request, _reply, context) => {
  const { data_dir: directory } = context.describe();
  const { total, unread } = await countsOf(context);
  return {
    Version: versionOf(context),
    LatestVersion: 'disabled',
    Database: directory ?? '',
    DatabaseSize: (await context.store.size()).bytes,
    Messages: total,
    Unread: unread,
    Tags: Object.fromEntries(await tagCounts(context)),
    RuntimeStats: {
      Uptime: Math.floor(process.uptime()),
      Memory: process.memoryUsage.rss(),
      // svc counts what exists, and not what a process has seen.
      ...{ MessagesDeleted: 0, SMTPAccepted: total, SMTPAcceptedSize: 0, SMTPRejected: 0, SMTPIgnored: 0 },
    },
  };
};

export function versionOf(context: MailpitCall): string {
  return `svc ${context.describe().version}`;
}

export const getConfiguration: MailpitHandler = async () => ({
  Label: '',
  MessageRelay: {
    ...{ Enabled: false, SMTPServer: '', ReturnPath: '', AllowedRecipients: '', BlockedRecipients: '' },
    ...{ OverrideFrom: '', PreserveMessageIDs: false, RecipientAllowlist: '' },
  },
  ...{ SpamAssassin: false, Rspamd: false, ChaosEnabled: true, DuplicatesIgnored: false, HideDeleteAllButton: false },
});

export const checkHtml: MailpitHandler = async (request, _reply, context) => {
  const { id } = await findEmail(request, context);
  const { html_support: support } = await run('emails.check', { params: { id } }, context);
  if (support === null) throw new ServiceError('bad_request', 'message does not contain HTML', undefined, '');
  return htmlCheckOf(support);
};

function htmlCheckOf({ features, clients, elements, partial, unsupported }: HtmlSupport) {
  const platforms: Record<string, string[]> = {};
  for (const { id, name } of clients) {
    const [, platform = ''] = id.split('.');
    platforms[platform] = [...(platforms[platform] ?? []), name];
  }
  const names = new Map(clients.map(({ id, name }) => [id, name]));
  return {
    Warnings: features.map((feature) => ({
      ...{ Slug: feature.slug, Title: feature.title, Description: '', URL: feature.url, Category: feature.category },
      ...{ Tags: [], Keywords: '' },
      Results: feature.clients.map(({ id, support }) => {
        const [family = '', platform = ''] = id.split('.');
        const Support = support === 'partial' ? 'partial' : 'no';
        return { Name: names.get(id) ?? id, Platform: platform, Family: family, Version: '', Support, NoteNumber: '' };
      }),
      NotesByNumber: {},
      Score: {
        Found: feature.found,
        Supported: feature.supported,
        Partial: feature.partial,
        Unsupported: feature.unsupported,
      },
    })),
    Platforms: platforms,
    Total: {
      Tests: features.length,
      Nodes: elements,
      Supported: 100 - partial - unsupported,
      Partial: partial,
      Unsupported: unsupported,
    },
  };
}

export const checkLinks: MailpitHandler = async (request, _reply, context) => {
  const email = await findEmail(request, context);
  const call = { params: { id: email.id }, body: { remote: true } };
  const { links, failed } = await run('emails.check_links', call, context);
  await markAsRead(email, context);
  return {
    Errors: failed,
    Links: links.map(({ url, status, details }) => ({
      URL: url,
      StatusCode: status ?? 0,
      Status: status === null ? details : (STATUS_CODES[status] ?? String(status)),
    })),
  };
};

export const releaseMessage: MailpitHandler = async (request, _reply, context) => {
  const { id } = await findEmail(request, context);
  const { to } = readBody(request, z.object({ to: z.array(Text).default([]) }));
  if (to.length === 0) throw new ServiceError('bad_request', 'No valid addresses found', undefined, '');
  try {
    await run('emails.release', { params: { id }, body: { to } }, context);
  } catch (error) {
    // Another server sent this reply, so this server has not failed.
    if (!(error instanceof ServiceError) || error.failure !== 'upstream') throw error;
    throw new ServiceError('bad_request', `SMTP error: ${error.message}`, undefined, '');
  }
  return 'ok';
};

const STAGES = { Sender: 'mail', Recipient: 'rcpt', Authentication: 'auth' } satisfies Record<string, FaultStage>;
const STANDARD_CODES = { Sender: 451, Recipient: 451, Authentication: 535 };
const triggers = Object.keys(STAGES) as (keyof typeof STAGES)[];
/** The text of faults that were set here. Others stay. */
const TEXT = 'Chaos (set over the API of Mailpit)';

const Trigger = z
  .object({ errorcode: z.int().default(0), probability: z.int().min(0).max(100).default(0) })
  .refine(({ errorcode: code }) => code === 0 || (code >= 400 && code <= 599), 'error code must be between 400 and 599')
  .default({ errorcode: 0, probability: 0 });
const Triggers = z.object({ sender: Trigger, recipient: Trigger, authentication: Trigger });

export const getChaos: MailpitHandler = async (_request, _reply, context) => {
  const { faults } = await ownFaults(context);
  return Object.fromEntries(
    triggers.map((name) => {
      const { code, probability } = faults.find(({ smtp }) => smtp === STAGES[name]) ?? {};
      const part = code === undefined ? 0 : Math.round((probability ?? 1) * 100);
      return [name, { ErrorCode: code ?? STANDARD_CODES[name], Probability: part }];
    }),
  );
};

export const setChaos: MailpitHandler = async (request, reply, context) => {
  const wanted = readBody(request, Triggers);
  const { faults } = await ownFaults(context);
  for (const { id } of faults) await run('faults.delete', { params: { id } }, context);
  for (const name of triggers) {
    const { errorcode: code, probability } = wanted[name.toLowerCase() as keyof typeof wanted];
    if (probability === 0) continue;
    const fault = { smtp: STAGES[name], code: code || STANDARD_CODES[name], text: TEXT };
    await run(
      'faults.create',
      { body: { ...fault, ...(probability < 100 && { probability: probability / 100 }) } },
      context,
    );
  }
  return getChaos(request, reply, context);
};

async function ownFaults(context: MailpitCall) {
  const { faults } = await run('faults.list', {}, context);
  return { faults: faults.filter(({ text }) => text === TEXT) };
}

/** Returns the handler of a route that cannot be mapped. */
export function notMapped(reason: string): MailpitHandler {
  return async () => {
    throw new NotMappedError(`501 not implemented by svc: ${reason}`);
  };
}
