import { Flags } from '@oclif/core';

/** Which requests of the log to show. */
export const requestFlags = {
  status: Flags.string({ description: 'With this status, such as 404, or class, such as 4xx.', helpValue: 'STATUS' }),
  path: Flags.string({ description: 'To these paths; * stands for any text.', helpValue: 'PATTERN' }),
  method: Flags.option({ options: ['GET', 'POST', 'PATCH', 'DELETE'] as const, description: 'With this method.' })(),
};
