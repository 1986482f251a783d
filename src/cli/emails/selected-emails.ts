import { Args, Flags, type Interfaces } from '@oclif/core';
import type { Client } from '../../client/client.js';
import { ApiFailure } from '../../client/failures.js';
import { PAGE_SIZE_MAX } from '../../contract/vocabulary/limits.js';
import { plural } from '../../contract/vocabulary/text.js';
import { idOrLatest } from '../command/resource-id.js';
import { NotFoundError, UsageError } from '../errors/exit-codes.js';
import { ifExistsFlag } from '../flags/shared.js';
import type { TargetFlags } from '../flags/target.js';
import { checkQuery } from '../flags/values/query.js';
import { quoted } from '../output/text.js';

/** Reads which emails a command changes: by ID, by a query, or all. */

export const selectedEmailsArg = {
  id: Args.string({ description: 'Email IDs (msg_…), or latest.', multiple: true, required: false }),
};

export const selectedEmailsFlags = {
  search: Flags.string({ description: 'Query that the emails match, such as: subject:reset.', helpValue: 'QUERY' }),
  all: Flags.boolean({ description: 'Select all emails.', exclusive: ['search'] }),
  'if-exists': { ...ifExistsFlag['if-exists'], description: 'Exit with 0 if an ID does not exist.' },
};

type SelectionFlags = Interfaces.InferredFlags<typeof selectedEmailsFlags> & TargetFlags;

export type EmailSelection = { ids: string[]; if_exists: boolean } | { search: string } | { all: true };

/** Checks the command line. @throws UsageError unless it selects emails in exactly one way. */
export async function checkSelection(
  ids: readonly string[] | undefined,
  { search, all }: SelectionFlags,
): Promise<void> {
  const ways = [ids?.length ? 'IDs' : '', search === undefined ? '' : '--search', all ? '--all' : ''].filter(Boolean);
  if (ways.length === 0) {
    throw new UsageError('No emails selected.', 'Pass email IDs, latest, --search QUERY or --all.');
  }
  if (ways.length > 1) throw new UsageError(`${ways.join(' and ')} cannot be used together.`);
  if (search?.trim() === '') throw new UsageError('--search must not be empty.', 'For all emails, pass --all.');
  if (search !== undefined) await checkQuery('--search', search);
  if (ids?.some((id) => id.trim() === '')) throw new UsageError('An email ID must not be empty.');
}

/** Returns the selection as a request. @throws NotFoundError for `latest` without any email. */
export async function selectedEmails(
  client: Client,
  ids: readonly string[] | undefined,
  flags: SelectionFlags,
): Promise<EmailSelection> {
  if (flags.search !== undefined) return { search: flags.search };
  if (flags.all) return { all: true };
  const found: string[] = [];
  for (const id of ids ?? []) {
    const known = await idOrLatest(client, 'email', id, flags).catch((error: unknown) => {
      // With --if-exists, an empty list does not fail.
      if (flags['if-exists'] && error instanceof NotFoundError) return id;
      throw error;
    });
    found.push(known);
  }
  return { ids: [...new Set(found)], if_exists: flags['if-exists'] };
}

/** Returns the selected emails in words: the subject and the recipients of a single ID, otherwise their number. */
export async function describeSelected(client: Client, selection: EmailSelection): Promise<string> {
  if ('ids' in selection) {
    const [id, ...others] = selection.ids;
    if (id === undefined || others.length > 0) return plural(selection.ids.length, 'email');
    const email = await client.call('emails.get', { params: { id } }).catch((error: unknown) => {
      // The deletion reports an email that does not exist.
      if (error instanceof ApiFailure) return undefined;
      throw error;
    });
    return email ? `the email ${quoted(email.subject)} to ${email.to}` : '1 email';
  }
  if ('all' in selection) {
    const { pagination } = await client.call('emails.list', { query: { limit: 1 } });
    return plural(pagination.total, 'email');
  }
  const { search } = selection;
  const { total, total_exact } = await client.control('emails.search', { query: { search, limit: PAGE_SIZE_MAX } });
  return `${total_exact ? '' : 'at least '}${plural(total, 'email')}`;
}
