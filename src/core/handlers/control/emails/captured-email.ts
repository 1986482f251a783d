import type { CapturedEmail } from '../../../../contract/control/emails/captured-email.js';
import { formatCursor } from '../../../../contract/vocabulary/since.js';
import { timestamp } from '../../../context.js';
import type { AttachmentInfo } from '../../../model/contents.js';
import type { Email } from '../../../model/emails.js';
import type { SearchDocument } from '../../../model/search.js';
import type { Store } from '../../../store.js';
import { detailOf } from '../../service/emails.js';

/** Describes emails as the service and tests show them. */

/** Returns the emails with these IDs, in the same order, without those that do not exist. */
export async function readCaptured({ read }: Pick<Store, 'read'>, ids: readonly string[]): Promise<CapturedEmail[]> {
  const documents = await read.emails.documents(ids);
  const described = documents.map(async (document) => {
    const email = await read.emails.find(document.id);
    // Undefined for an email that was deleted meanwhile.
    return email && describeCaptured(email, document, await read.emails.attachments(document.id));
  });
  return (await Promise.all(described)).filter((email) => email !== undefined);
}

/** Describes an email. Links and codes are missing until they are found. */
function describeCaptured(
  email: Email,
  document: SearchDocument,
  attachments: readonly AttachmentInfo[],
): CapturedEmail {
  const { extracts } = document;
  return {
    ...detailOf(email),
    cursor: formatCursor(document.seq),
    origin: document.origin,
    workspace: document.workspace,
    added_tags: email.addedTags,
    reply_to: document.replyTo,
    recipients: document.recipients.map(({ kind, address, mailbox, status }) => ({ kind, address, mailbox, status })),
    html_text: extracts?.htmlText ?? '',
    headers: extracts?.headers.map(([name, value, raw]) => ({ name, value, ...(raw !== undefined && { raw }) })) ?? [],
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
    captured_at: timestamp(document.capturedAt),
  };
}
