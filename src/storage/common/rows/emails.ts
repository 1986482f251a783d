import { emailStatuses, recipientStatuses } from '../../../contract/vocabulary/emails.js';
import { INSTANT_MIN } from '../../../contract/vocabulary/instants.js';
import { type ServiceWarning, warningCodes } from '../../../contract/vocabulary/warnings.js';
import type { Attachment, AttachmentInfo } from '../../../core/model/contents.js';
import type {
  DueRecipient,
  EmailHead,
  EmailState,
  EmailWithoutBodies,
  Recipient,
  StoredRecipient,
} from '../../../core/model/emails.js';
import type { FoundEmail } from '../../../core/model/search.js';
import {
  bit,
  instant,
  instantOrNull,
  integer,
  integerOrNull,
  list,
  objectOrNull,
  oneOf,
  stepsOrNull,
  text,
  textOrNull,
} from './column-kinds.js';
import type { Columns } from './columns.js';
import { type HeldContent, readHeld } from './held-content.js';
import { type ColumnsOf, RowMapping } from './mapping.js';

/** Maps the rows of emails, recipients and attachments. */

/** Every column of an email except its number. */
const emailColumns: ColumnsOf<EmailWithoutBodies> = {
  id: text('id'),
  origin: oneOf('origin', ['rest', 'smtp']),
  status: oneOf('status', emailStatuses),
  from: text('sender'),
  fromMailbox: text('sender_mailbox'),
  to: text('recipients'),
  subject: text('subject'),
  replyTo: textOrNull('reply_to'),
  templateId: textOrNull('template_id'),
  variables: objectOrNull('variables'),
  tags: list('tags'),
  addedTags: list('added_tags'),
  trackOpens: bit('track_opens'),
  trackClicks: bit('track_clicks'),
  createdAt: instant('created_at'),
  capturedAt: instant('captured_at'),
  scheduledAt: instantOrNull('scheduled_at'),
  sentAt: instantOrNull('sent_at'),
  deliveredAt: instantOrNull('delivered_at'),
  openedAt: instantOrNull('opened_at'),
  opensCount: integer('opens_count', 0),
  clicksCount: integer('clicks_count', 0),
  bounceReason: textOrNull('bounce_reason'),
  parseError: textOrNull('parse_error'),
  pending: integer('pending', 0),
  workspace: textOrNull('workspace'),
  traceparent: textOrNull('traceparent'),
  clientRequestId: textOrNull('client_request_id'),
  readAt: instantOrNull('read_at'),
  size: integer('size', 0),
};

export const emailRow = new RowMapping<EmailWithoutBodies>(emailColumns);

const { id, to, from, fromMailbox, subject, status, createdAt, deliveredAt, pending } = emailColumns;
const { origin, tags, addedTags, workspace, readAt, replyTo, templateId, size, capturedAt, scheduledAt } = emailColumns;

/** The columns for a list of emails. */
export const headRow = new RowMapping<EmailHead>({ id, to, from, subject, status, createdAt, deliveredAt });

/** The columns of an email that a search returns. */
export const foundRow = new RowMapping<
  Omit<FoundEmail, 'seq' | 'preview' | 'attachments' | 'recipients' | 'dropped' | 'parsing'>
>({
  ...{ id, to, from, subject, status, createdAt, deliveredAt },
  ...{ origin, tags, addedTags, workspace, readAt, size, capturedAt },
});

/** The columns of an email that queries test, and when it is sent. */
const documentColumns = {
  ...{ id, origin, workspace, status, from, fromMailbox, replyTo, subject, tags, addedTags, templateId, size },
  ...{ readAt, createdAt, capturedAt, scheduledAt },
};
export type DocumentRow = Pick<EmailWithoutBodies, keyof typeof documentColumns>;
export const documentRow = new RowMapping<DocumentRow>(documentColumns);

/** The columns that follow from the states of the recipients. */
export const stateRow = new RowMapping<EmailState>({ status, pending, deliveredAt });

const recipientColumns: ColumnsOf<Recipient> = {
  mailbox: text('mailbox'),
  kind: oneOf('kind', ['to', 'cc', 'bcc']),
  address: text('address'),
  status: oneOf('status', recipientStatuses),
  // Has no upper bound, because it can be after INSTANT_MAX.
  dueAt: integerOrNull('due_at', INSTANT_MIN),
  steps: stepsOrNull('steps'),
};

export const recipientRow = new RowMapping<Recipient>(recipientColumns);

const { mailbox, address, steps } = recipientColumns;

/** The columns of a recipient that its first step needs. */
export const dueRow = new RowMapping<DueRecipient>({ emailId: text('id'), mailbox, address, steps });

/** The columns of an attachment except its content. */
export const attachmentRow = new RowMapping<Omit<Attachment, 'content'>>({
  filename: text('filename'),
  contentType: text('content_type'),
  contentId: textOrNull('content_id'),
  disposition: oneOf('disposition', ['attachment', 'inline']),
});

export function readHead(row: Columns): EmailHead {
  row.key('seq');
  return headRow.read(row);
}

export function readEmailWithoutBodies(row: Columns): EmailWithoutBodies {
  row.key('seq');
  return emailRow.read(row);
}

/** Reads an email without its HTML, and where its bodies are. */
export function readStoredEmail(row: Columns) {
  const bodies = readBodies(row);
  return { ...bodies, email: readEmailWithoutBodies(row) };
}

/** Reads the text of an email, and where its bodies are. */
export function readBodies(row: Columns) {
  return { ...readText(row), heldHtml: readHtml(row) };
}

/** Reads where the HTML of an email is. */
export function readHtml(row: Columns): HeldContent {
  return readHeld(row, { key: 'html_key', size: 'html_size', bytes: 'html' });
}

/** Reads the text of an email, or where it is. A text that is in the row is not compressed: SQL reads it. */
export function readText(row: Columns) {
  return {
    seq: row.key('email_seq'),
    text: row.text('text'),
    heldText: readHeldText(row),
    hasHtml: row.integer('html_size', 0) > 0,
  };
}

/** Returns where the text of an email is if that is not in the row. */
function readHeldText(row: Columns): HeldContent | null {
  const key = row.textOrNull('text_key');
  return key === null ? null : { key, size: row.integer('text_size', 0), bytes: Buffer.alloc(0) };
}

export function readRecipient(row: Columns): StoredRecipient {
  row.key('email_seq');
  return { ...recipientRow.read(row), position: row.integer('position', 0) };
}

/** Reads a recipient that is due, with the ID of its email. */
export function readDueRecipient(row: Columns): DueRecipient {
  row.key('email_seq');
  return dueRow.read(row);
}

export function readState(row: Columns): EmailState {
  row.key('seq');
  return stateRow.read(row);
}

export function readAttachmentInfo(row: Columns): AttachmentInfo {
  return { ...readPart(row), position: row.integer('position', 0), size: row.integer('size', 0) };
}

/** Reads an attachment, and the location of its content if that is stored in chunks. */
export function readAttachment(row: Columns): {
  seq: number;
  attachment: Omit<Attachment, 'content'>;
  held: HeldContent;
} {
  const held = readHeld(row, { key: 'content_key', size: 'size', bytes: 'content' });
  return { seq: row.integer('email_seq'), attachment: readPart(row), held };
}

function readPart(row: Columns): Omit<Attachment, 'content'> {
  row.key('email_seq');
  return attachmentRow.read(row);
}

export function readEmailWarning(row: Columns): ServiceWarning {
  return { code: row.oneOf('code', warningCodes), path: row.text('path'), message: row.text('text') };
}
