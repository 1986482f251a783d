import { emailStatuses } from '../emails.js';
import { eventTypes } from '../event-types.js';
import type { QueryField, WordField } from './query.js';

/** Defines the fields of the query language. The parser, shell completion and docs/search.md read this table. */

/** How the value of a field is read and compared. */
type ValueKind =
  /** A part of a text. */
  | 'text'
  /** A mailbox if the value is a whole address, otherwise a part of the address with its name. */
  | 'address'
  /** A whole name or ID. */
  | 'name'
  | 'word'
  | 'time'
  | 'size'
  | 'header';

export interface FieldForm {
  kind: ValueKind;
  description: string;
  example: string;
  /** The values of a field of words. */
  words?: readonly string[];
}

export const queryFields = {
  from: { kind: 'address', description: 'Sender, with its name', example: 'from:billing@shop.example' },
  to: { kind: 'address', description: 'Recipient in To, Cc or Bcc', example: 'to:ada@example.test' },
  cc: { kind: 'address', description: 'Recipient in Cc', example: 'cc:*@example.test' },
  bcc: { kind: 'address', description: 'Recipient in Bcc', example: 'bcc:archive' },
  recipient: { kind: 'address', description: 'The same as to:', example: 'recipient:ada@example.test' },
  subject: { kind: 'text', description: 'Subject', example: 'subject:"reset your password"' },
  text: { kind: 'text', description: 'Plain text, and HTML as text', example: 'text:/order \\d+/i' },
  tag: { kind: 'name', description: 'Tag', example: 'tag:welcome' },
  status: { kind: 'word', words: emailStatuses, description: 'Status of the email', example: 'status:bounced' },
  is: {
    kind: 'word',
    words: ['unread', 'read', 'scheduled', 'suppressed', 'injected'],
    description: 'State of the email',
    example: 'is:unread',
  },
  dropped: { kind: 'address', description: 'Recipient that was dropped', example: 'dropped:ada@example.test' },
  has: {
    kind: 'word',
    words: ['attachment', 'html', 'link', 'code', 'warning'],
    description: 'Content of the email',
    example: 'has:attachment',
  },
  attachment: { kind: 'text', description: 'File name of an attachment', example: 'attachment:*.pdf' },
  header: { kind: 'header', description: 'Header field, or its value', example: 'header:List-Id=news' },
  'message-id': { kind: 'name', description: 'Message-ID', example: 'message-id:1234@shop.example' },
  id: { kind: 'name', description: 'ID of the email', example: 'id:msg_01k9m3v5w7x9y1z3a5b7c9d1e3' },
  template: { kind: 'name', description: 'ID of the template', example: 'template:tpl_01k9m3v5w7x9y1z3a5b7c9d1e3' },
  origin: { kind: 'word', words: ['smtp', 'rest'], description: 'How the email was sent', example: 'origin:smtp' },
  event: {
    kind: 'word',
    words: eventTypes.filter((type) => type.startsWith('email.')),
    description: 'Event of the email',
    example: 'event:email.opened',
  },
  before: { kind: 'time', description: 'Created before a time or age', example: 'before:2026-03-01' },
  after: { kind: 'time', description: 'Created at or after a time or age', example: 'after:2h' },
  larger: { kind: 'size', description: 'Larger than a size', example: 'larger:1MB' },
  smaller: { kind: 'size', description: 'Smaller than a size', example: 'smaller:10kB' },
  workspace: { kind: 'name', description: 'Workspace', example: 'workspace:worker-3' },
} as const satisfies Record<Exclude<QueryField, 'any'> | 'to', FieldForm>;

export type FieldName = keyof typeof queryFields;
export const fieldNames = Object.keys(queryFields) as FieldName[];

/** Maximum length of a query in UTF-8. */
export const QUERY_BYTES = 4_096;
/** Maximum number of conditions in a query. */
export const QUERY_CONDITIONS = 100;
/** Maximum depth of parentheses. */
export const QUERY_DEPTH = 20;

export function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(queryFields, name);
}

/** Returns the field of words that has this word. */
export function fieldOfWord(word: string): WordField | undefined {
  return fieldNames.find((name): name is WordField => formOf(name).words?.includes(word) ?? false);
}

export function formOf(name: FieldName): FieldForm {
  return queryFields[name];
}
