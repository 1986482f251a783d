import { Flags } from '@oclif/core';
import type { EmailStatus } from '../../contract/service/emails.js';
import { emailStatuses } from '../../contract/vocabulary/emails.js';
import { nearestName } from '../../contract/vocabulary/nearest-name.js';
import { UsageError } from '../errors/exit-codes.js';
import { periodFlags } from '../flags/period.js';
import { fills } from '../flags/request-field.js';
import { quoted } from '../output/text.js';

function addressFilter(party: string): string {
  return `Filter by ${party} address; with --search, also by a part of it or a pattern with *.`;
}

/** Declares the filters of `svc emails list`. */
export const emailFilterFlags = {
  status: fills(
    'status',
    Flags.string({
      description: 'Filter by status; a remote service may have others.',
      helpValue: emailStatuses.join('|'),
    }),
    (status) => status as EmailStatus,
  ),
  to: fills('to', Flags.string({ description: addressFilter('recipient'), helpValue: 'ADDRESS' })),
  from: fills('from', Flags.string({ description: addressFilter('sender'), helpValue: 'ADDRESS' })),
  tag: fills(
    'tags',
    Flags.string({ description: 'Filter by tag; repeatable, emails must have all of them.', multiple: true }),
    (tags) => tags.join(','),
  ),
  ...periodFlags({
    since: 'Earliest date in ISO 8601, or duration before now.',
    until: 'Latest date in ISO 8601, or duration before now.',
  }),
};

/** @throws UsageError for a status that svc does not have. */
export function checkStatus(status: string | undefined): void {
  if (status === undefined || (emailStatuses as readonly string[]).includes(status)) return;
  const near = nearestName(status, emailStatuses);
  throw new UsageError(
    `--status must be one of ${emailStatuses.join(', ')}, not ${quoted(status)}.`,
    near && `Did you mean ${near}?`,
  );
}
