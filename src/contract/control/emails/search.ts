import * as z from 'zod';
import type { Contract } from '../../endpoint.js';
import { PageQuery, parsedText, Timestamp, textUpToBytes } from '../../fields.js';
import { EmailSummary } from '../../service/emails.js';
import { COUNTED_VALUES_MAX } from '../../vocabulary/limits.js';
import { QUERY_BYTES } from '../../vocabulary/query/fields.js';
import { controlRoutes } from '../../vocabulary/routes.js';
import { readCursor } from '../../vocabulary/since.js';
import { AddedTags } from './captured-email.js';

/** Defines the control API's endpoint that searches emails. */

const Cursor = parsedText(readCursor, 'a cursor such as c42').meta({ override: { type: 'string' }, examples: ['c42'] });

export const FoundEmail = EmailSummary.extend({
  cursor: z.string().meta({ description: 'Position in the order of acceptance.' }),
  origin: z.enum(['rest', 'smtp']),
  tags: z.array(z.string()).meta({ description: 'Tags that the sender set.' }),
  added_tags: AddedTags,
  workspace: z.string().nullable(),
  read: z.boolean(),
  size: z.int().min(0).meta({ description: 'Size in bytes.' }),
  attachment_count: z.int().min(0).meta({ description: 'Number of attachments.' }),
  dropped: z.enum(['none', 'some', 'all']).meta({
    description: 'Recipients that were dropped. An email whose every recipient was dropped stays `sent`.',
  }),
  parsing: z.boolean().meta({
    description: 'Whether the message is still being parsed. Only its envelope and the fields of its header are known.',
  }),
  preview: z
    .string()
    .meta({ description: 'Start of the text, or of the HTML as text, on one line. At most 200 characters.' }),
  captured_at: Timestamp.meta({ description: 'Time of acceptance on the machine’s clock.' }),
});
export type FoundEmail = z.infer<typeof FoundEmail>;

export const FoundEmails = z.object({
  emails: z.array(FoundEmail),
  total: z.int().min(0).meta({ description: 'Number of matches; at least as many if `total_exact` is false.' }),
  total_exact: z.boolean().meta({ description: 'Whether all matches were counted.' }),
  next: z.string().nullable().meta({
    description: 'Cursor to continue from: older emails may match. A page can be short, even empty. Null at the end.',
  }),
});
export type FoundEmails = z.infer<typeof FoundEmails>;

const counted = (what: string) =>
  z
    .array(z.object({ value: z.string(), count: z.int().min(1).meta({ description: 'Number of emails.' }) }))
    .meta({ description: `${what} most frequent first: at most ${COUNTED_VALUES_MAX}.` });

export const searchEndpoints = {
  'emails.counts': {
    ...controlRoutes['emails.counts'],
    summary: 'Count emails by status, sender and tag',
    response: z.object({
      statuses: counted('Statuses,'),
      senders: counted('Addresses of senders,'),
      tags: counted('Tags of senders and added tags,'),
    }),
    status: 200,
    errors: [],
  },
  'emails.search': {
    ...controlRoutes['emails.search'],
    summary: 'List emails that match a query, newest first',
    query: PageQuery.extend({
      search: textUpToBytes(QUERY_BYTES)
        .default('')
        .meta({
          description: 'Query that the emails must match. An empty one matches every email.',
          examples: ['to:ada@example.test subject:"reset your password"'],
        }),
      cursor: Cursor.optional().meta({ description: 'Only emails accepted before this cursor.' }),
    }),
    response: FoundEmails,
    status: 200,
    errors: ['bad_request'],
  },
} as const satisfies Contract;
