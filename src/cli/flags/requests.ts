import { Flags } from '@oclif/core';
import { statusRangeFlag } from './value-types.js';

/** Which requests of the log to show. */
export const requestFlags = {
  status: statusRangeFlag({ description: 'Filter by status (404) or status class (4xx).' }),
  path: Flags.string({ description: 'Filter by path; * matches any text.', helpValue: 'PATTERN' }),
  method: Flags.option({ options: ['GET', 'POST', 'PATCH', 'DELETE'] as const, description: 'Filter by method.' })(),
};
