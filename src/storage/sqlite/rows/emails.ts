import { emailStatuses } from '../../../contract/vocabulary/email-statuses.js';
import type {
  Attachment,
  AttachmentInfo,
  Email,
  EmailHead,
  EmailWithoutBodies,
  StoredContent,
  StoredRecipient,
} from '../../../core/model.js';
import { readStored } from '../tables/contents.js';
import type { Columns } from './columns.js';

/** Reads the rows of emails, recipients and attachments. Each function throws when a column holds what svc never writes. */

export function readHead(row: Columns): EmailHead {
  row.key('seq');
  return {
    id: row.text('id'),
    to: row.text('recipients'),
    from: row.text('sender'),
    subject: row.text('subject'),
    status: row.oneOf('status', emailStatuses),
    createdAt: row.instant('created_at'),
    deliveredAt: row.instantOrNull('delivered_at'),
  };
}

/** With what refers to the bodies that are stored in chunks. */
export function readStoredEmail(row: Columns) {
  const email: Email = { ...readEmailWithoutBodies(row), text: row.text('text'), html: row.text('html') };
  return {
    seq: row.integer('seq'),
    email,
    text: readStored(row, 'text_key', 'text_size'),
    html: readStored(row, 'html_key', 'html_size'),
  };
}

export function readEmailWithoutBodies(row: Columns): EmailWithoutBodies {
  return {
    ...readHead(row),
    origin: row.oneOf('origin', ['rest', 'smtp']),
    fromMailbox: row.text('sender_mailbox'),
    replyTo: row.textOrNull('reply_to'),
    templateId: row.textOrNull('template_id'),
    variables: row.textOrNull('variables') === null ? null : row.object('variables'),
    tags: row.list('tags'),
    trackOpens: row.bit('track_opens'),
    trackClicks: row.bit('track_clicks'),
    scheduledAt: row.instantOrNull('scheduled_at'),
    sentAt: row.instantOrNull('sent_at'),
    openedAt: row.instantOrNull('opened_at'),
    opensCount: row.integer('opens_count', 0),
    clicksCount: row.integer('clicks_count', 0),
    bounceReason: row.textOrNull('bounce_reason'),
    parseError: row.textOrNull('parse_error'),
  };
}

export function readRecipient(row: Columns): StoredRecipient {
  row.key('email_seq');
  return {
    position: row.integer('position', 0),
    kind: row.oneOf('kind', ['to', 'cc', 'bcc']),
    address: row.text('address'),
    mailbox: row.text('mailbox'),
    status: row.oneOf('status', emailStatuses),
  };
}

/** Of a row of `attachments`, without its content. */
export function readAttachmentInfo(row: Columns): AttachmentInfo {
  return { ...readPart(row), position: row.integer('position', 0), size: row.integer('size', 0) };
}

export function readAttachment(row: Columns): { seq: number; attachment: Attachment; stored: StoredContent | null } {
  const attachment = { ...readPart(row), content: row.bytes('content') };
  return { seq: row.integer('email_seq'), attachment, stored: readStored(row) };
}

function readPart(row: Columns): Omit<Attachment, 'content'> {
  row.key('email_seq');
  return {
    filename: row.text('filename'),
    contentType: row.text('content_type'),
    contentId: row.textOrNull('content_id'),
    disposition: row.oneOf('disposition', ['attachment', 'inline']),
  };
}
