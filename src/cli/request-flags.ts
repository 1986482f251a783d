import { Flags } from '@oclif/core';
import { statusRangeFlag } from './value-forms.js';

/** Which requests of the log to show. */
export const requestFlags = {
  status: statusRangeFlag({ description: 'With this status, such as 404, or class, such as 4xx.' }),
  path: Flags.string({ description: 'To these paths; * stands for any text.', helpValue: 'PATTERN' }),
  method: Flags.option({ options: ['GET', 'POST', 'PATCH', 'DELETE'] as const, description: 'With this method.' })(),
};
