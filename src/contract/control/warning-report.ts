import * as z from 'zod';
import type { Contract } from '../endpoint.js';
import { dateBound, Timestamp } from '../fields.js';
import { WITHOUT_WORKSPACE } from '../vocabulary/access.js';
import { controlRoutes } from '../vocabulary/routes.js';
import { warningCodes, warningLevels } from '../vocabulary/warnings.js';

/** Defines a warning as the control API returns it. Gap 40. */

export const WarningRecord = z.object({
  code: z.enum(warningCodes),
  level: z.enum(warningLevels),
  path: z.string().meta({ description: 'Field or parameter; empty for a whole message.' }),
  message: z.string(),
  advice: z.string(),
  strict_status: z
    .int()
    .nullable()
    .meta({ description: 'Status with which --strict refuses the request; null if it does not.' }),
});

/** Defines the control API's endpoint for the warnings since the server's start. Gap 40. */

const Occurrence = z.object({
  at: Timestamp,
  request_id: z.string().nullable(),
  email_id: z.string().nullable().meta({ description: 'Email ID of a message received over SMTP.' }),
});

export const ReportedWarning = WarningRecord.extend({
  strict_code: z.string().nullable().meta({ description: 'Error code that belongs to `strict_status`.' }),
  refused: z.boolean().meta({ description: 'Whether the server is strict and refused the request or message.' }),
  count: z.int().min(1),
  route: z.string().meta({ description: 'Method and route, or `SMTP`.', examples: ['POST /v1/emails'] }),
  user_agent: z.string().nullable(),
  first: Occurrence,
  last: Occurrence,
  example: z
    .object({
      method: z.string(),
      path: z.string(),
      body: z.string().nullable().meta({
        description: 'JSON body, with secrets replaced; null without one, or if it is too long even when shortened.',
      }),
      shortened: z.boolean().meta({
        description:
          'Whether the path, or values of the body, are shortened. The request may then not cause the warning.',
      }),
    })
    .nullable()
    .meta({ description: 'Request that causes the warning; null for a message over SMTP.' }),
});
export type ReportedWarning = z.infer<typeof ReportedWarning>;

export const WarningReport = z.object({
  since: Timestamp.meta({ description: 'Start of the server, or `since` of the request.' }),
  warnings: z.array(ReportedWarning),
  omitted: z.int().min(0).meta({ description: 'Occurrences of warnings that are missing because too many differ.' }),
  omitted_notes: z.int().min(0).meta({ description: 'Occurrences of notes that are missing because too many differ.' }),
  omitted_infos: z.int().min(0).meta({ description: 'Occurrences of infos that are missing because too many differ.' }),
});
export type WarningReport = z.infer<typeof WarningReport>;

export const reportEndpoints = {
  report: {
    ...controlRoutes.report,
    summary: 'List each distinct warning since the server’s start',
    keyKinds: WITHOUT_WORKSPACE,
    description:
      'A warning is distinct by its code, path, route and user agent; its message is that of the first occurrence. ' +
      'Counts include all occurrences since the start.',
    query: z.object({
      since: dateBound('first').optional().meta({ description: 'Only warnings that occurred at or after this time.' }),
    }),
    response: WarningReport,
    status: 200,
    errors: ['bad_request', 'forbidden'],
  },
} as const satisfies Contract;
