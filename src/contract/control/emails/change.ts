import * as z from 'zod';
import type { Contract } from '../../endpoint.js';
import { prefixedId, singleLineText, textUpToBytes } from '../../fields.js';
import { EmailParams, Tag } from '../../service/emails.js';
import {
  MAILBOX_CHARACTERS,
  RECIPIENTS_MAX,
  REQUEST_BODY_BYTES,
  SELECTED_IDS_MAX,
  TAGS_MAX,
} from '../../vocabulary/limits.js';
import { QUERY_BYTES } from '../../vocabulary/query/fields.js';
import { controlRoutes } from '../../vocabulary/routes.js';

/** Defines the control API's endpoints that delete captured emails, mark them as read, or change their tags. */

const selection = {
  ids: z
    .array(z.string())
    .min(1, 'must not be empty')
    .max(SELECTED_IDS_MAX, `must have at most ${SELECTED_IDS_MAX} IDs`)
    .optional()
    .meta({ description: 'IDs of emails.' }),
  search: textUpToBytes(QUERY_BYTES)
    .min(1, 'must not be empty')
    .optional()
    .meta({ description: 'Query that the emails match.', examples: ['subject:reset'] }),
  all: z.literal(true, 'must be true').optional().meta({ description: 'Select all emails.' }),
  if_exists: z.boolean().default(false).meta({ description: 'Ignore IDs that do not exist.' }),
};

type Selection = { ids?: unknown; search?: unknown; all?: unknown };

function isOneSelection({ ids, search, all }: Selection): boolean {
  return [ids, search, all].filter((each) => each !== undefined).length === 1;
}

const ONE_SELECTION = 'must contain exactly one of ids, search and all';

const EmailSelection = z.object(selection).refine(isOneSelection, ONE_SELECTION);
export type EmailSelection = z.output<typeof EmailSelection>;

const ReadFlag = z.boolean().meta({ description: 'Whether a person or a program has read the email.' });

const UndoId = z
  .string()
  .regex(/^[\w-]{16,64}$/, 'must be 16 to 64 letters, digits, - or _')
  .meta({
    description: 'Random ID that the client chooses, to undo the deletion with it.',
    examples: ['6f1b2c9e-8f0d-4c35-9a55-0f6d1c2b3a4e'],
  });

const Tags = z.array(Tag).max(TAGS_MAX, `must contain at most ${TAGS_MAX} tags`).optional();

export const changeEmailEndpoints = {
  'emails.delete': {
    ...controlRoutes['emails.delete'],
    summary: 'Delete an email',
    audited: [],
    description:
      'Deletes its content, recipients, events and webhook deliveries, and ends its pending steps. An event stays until ' +
      'its deliveries have ended.',
    params: EmailParams,
    status: 204,
    errors: ['not_found'],
  },
  'emails.delete_selected': {
    ...controlRoutes['emails.delete_selected'],
    summary: 'Delete emails by ID, by a query, or all',
    audited: ['ids', 'search', 'all'],
    description:
      'Deletes as the endpoint for one email does, in short transactions. Emails that arrive meanwhile stay. If an ID ' +
      'does not exist, nothing is deleted.',
    body: z.object({ ...selection, undo_id: UndoId.optional() }).refine(isOneSelection, ONE_SELECTION),
    response: z.object({ deleted: z.int().min(0).meta({ description: 'Number of deleted emails.' }) }),
    status: 200,
    errors: ['bad_request', 'invalid', 'not_found'],
  },
  'emails.restore': {
    ...controlRoutes['emails.restore'],
    summary: 'Undo a deletion',
    audited: [],
    description: 'Restores the emails of a deletion that had an `undo_id`, for ten seconds after it.',
    body: z.object({ undo_id: UndoId }),
    response: z.object({ restored: z.int().min(1).meta({ description: 'Number of restored emails.' }) }),
    status: 200,
    errors: ['invalid', 'not_found'],
  },
  'emails.update': {
    ...controlRoutes['emails.update'],
    summary: 'Mark an email as read or unread',
    params: EmailParams,
    body: z.object({ read: ReadFlag }),
    response: z.object({ id: prefixedId('msg'), read: z.boolean() }),
    status: 200,
    errors: ['invalid', 'not_found'],
  },
  'emails.mark': {
    ...controlRoutes['emails.mark'],
    summary: 'Mark or tag emails by ID, by a query, or all',
    description: `Marks emails as read or unread, and adds or removes tags. Tags that the sender set do not change. An email has at most ${TAGS_MAX} added tags.`,
    body: z
      .object({
        ...selection,
        read: ReadFlag.optional().meta({
          description: 'Whether to mark them as read (default: true, unless tags are changed).',
        }),
        add_tags: Tags.meta({ description: 'Tags to add.' }),
        remove_tags: Tags.meta({ description: 'Added tags to remove.' }),
      })
      .refine(isOneSelection, ONE_SELECTION),
    response: z.object({ updated: z.int().min(0).meta({ description: 'Number of selected emails.' }) }),
    status: 200,
    errors: ['bad_request', 'invalid', 'not_found'],
  },
} as const satisfies Contract;

/** Defines the control API's endpoint that captures a message without SMTP. */

const IMPORT_KEY_CHARACTERS = 128;

const Mailbox = singleLineText(MAILBOX_CHARACTERS, 1);

export const captureEndpoints = {
  'emails.capture': {
    ...controlRoutes['emails.capture'],
    summary: 'Add a message as if it was received over SMTP',
    description:
      'The body is stored byte for byte. Without `mail_from` and `rcpt_to`, the envelope follows from the header: ' +
      'the first of Return-Path, Sender and From, and the addresses in To, Cc and Bcc.',
    query: z.object({
      mail_from: Mailbox.optional(),
      rcpt_to: z
        .union([Mailbox.transform((address) => [address]), z.array(Mailbox).max(RECIPIENTS_MAX)])
        .optional()
        .meta({ description: 'Recipient; repeatable.', override: { type: 'array', items: { type: 'string' } } }),
      import_key: singleLineText(IMPORT_KEY_CHARACTERS, 1)
        .optional()
        .meta({ description: 'Identifies a message of an import, which is not added twice.' }),
    }),
    bodyBytes: REQUEST_BODY_BYTES,
    response: z.object({
      id: prefixedId('msg'),
      added: z
        .boolean()
        .optional()
        .meta({ description: 'With `import_key`: false if the message exists, with its ID.' }),
    }),
    status: 201,
    errors: ['bad_request', 'invalid', 'unavailable'],
  },
} as const satisfies Contract;
