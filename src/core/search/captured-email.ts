import type { CapturedEmail } from '../../contract/control/emails/captured-email.js';
import { formatCursor } from '../../contract/vocabulary/parsers/since.js';
import { timestamp } from '../context.js';
import type { AttachmentInfo } from '../model/contents.js';
import type { SearchDocument } from '../model/search.js';
import type { Store } from '../store.js';

/** Describes emails as tests use them. */

/** Returns the emails with these IDs, in the same order, without those that do not exist. */
export async function readCaptured({ read }: Pick<Store, 'read'>, ids: readonly string[]): Promise<CapturedEmail[]> {
  const documents = await read.emails.documents(ids);
  return Promise.all(
    documents.map(async (document) => describeCaptured(document, await read.emails.attachments(document.id))),
  );
}

/** Describes an email. Links, codes and header fields are missing until they are found. */
function describeCaptured(document: SearchDocument, attachments: readonly AttachmentInfo[]): CapturedEmail {
  const { extracts } = document;
  return {
    id: document.id,
    cursor: formatCursor(document.seq),
    origin: document.origin,
    workspace: document.workspace,
    status: document.status,
    from: document.from,
    reply_to: document.replyTo,
    recipients: document.recipients.map(({ kind, address, mailbox, status }) => ({ kind, address, mailbox, status })),
    subject: document.subject,
    text: document.text,
    html: document.html,
    html_text: extracts?.htmlText ?? '',
    headers: extracts?.headers.map(([name, value, raw]) => ({ name, value, ...(raw !== undefined && { raw }) })) ?? [],
    tags: document.tags,
    template_id: document.templateId,
    attachments: attachments.map(({ position, filename, contentType, size }) => ({
      index: position,
      filename,
      content_type: contentType,
      size,
    })),
    links: extracts?.links ?? [],
    codes: extracts?.codes ?? [],
    warnings: document.warnings,
    read: document.read,
    size: document.size,
    created_at: timestamp(document.createdAt),
    captured_at: timestamp(document.capturedAt),
  };
}
