import { Flags } from '@oclif/core';
import { fills } from './request-field.js';
import { statusRangeFlag } from './values/value-types.js';

/** The flag that adds SMTP sessions to requests, to which the other filters do not apply. */
export const smtpFlag = Flags.boolean({
  description: 'Include SMTP sessions.',
  exclusive: ['status', 'path', 'method'],
});

/** Declares the flags that filter the request log. */
export const requestFlags = {
  status: fills('status', statusRangeFlag({ description: 'Filter by status (404) or status class (4xx).' })),
  path: fills('path', Flags.string({ description: 'Filter by path; * matches any text.', helpValue: 'PATTERN' })),
  method: fills(
    'method',
    Flags.option({ options: ['GET', 'POST', 'PATCH', 'DELETE'] as const, description: 'Filter by method.' })(),
  ),
  all: fills(
    'all',
    Flags.boolean({ description: 'Include the reads of svc’s own commands, such as "svc emails list".' }),
    (set) => (set ? ('true' as const) : undefined),
  ),
};
