import { Flags } from '@oclif/core';
import { emailStatuses } from '../../contract/vocabulary/emails/statuses.js';
import { periodFlags } from '../flags/period.js';
import { fills } from '../flags/request-field.js';

function addressFilter(party: string): string {
  return `Filter by ${party} address; with --search, also by a part of it or a pattern with *.`;
}

/** Declares the filters of `svc emails list`. */
export const emailFilterFlags = {
  status: fills('status', Flags.option({ options: emailStatuses, description: 'Filter by status.' })()),
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
