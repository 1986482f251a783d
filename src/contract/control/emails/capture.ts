import * as z from 'zod';
import type { Contract } from '../../endpoint.js';
import { prefixedId, singleLineText } from '../../fields.js';
import { MAILBOX_CHARACTERS, RECIPIENTS_MAX, REQUEST_BODY_BYTES } from '../../vocabulary/limits.js';
import { controlRoutes } from '../../vocabulary/routes.js';

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
