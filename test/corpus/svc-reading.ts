import { createHash } from 'node:crypto';
import type { Ready } from '../support/cli/binary.js';
import { bytes, data } from '../support/servers/server-calls.js';

/** What svc has read in a message. */
export interface SvcReading {
  raw: Buffer;
  parseError: string | null;
  subject: string;
  from: string;
  replyTo: string | null;
  recipients: { kind: string; mailbox: string }[];
  text: string;
  html: string;
  attachments: { filename: string; type: string; disposition: string; sha256: string }[];
}

export async function readBySvc(ready: Ready, id: string): Promise<SvcReading> {
  const [inspection, email, raw] = await Promise.all([
    data(ready, `/_svc/emails/${id}`),
    data(ready, `/v1/emails/${id}`),
    bytes(ready, `/_svc/emails/${id}/raw`),
  ]);
  const attachments: SvcReading['attachments'] = [];
  for (const { index, filename, content_type, disposition } of inspection.attachments) {
    const content = await bytes(ready, `/_svc/emails/${id}/attachments/${index}`);
    attachments.push({
      filename,
      type: content_type,
      disposition,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
  }
  return {
    raw,
    parseError: inspection.parse_error,
    subject: inspection.subject,
    from: inspection.from,
    replyTo: inspection.reply_to,
    recipients: inspection.recipients,
    text: email.text ?? '',
    html: email.html ?? '',
    attachments,
  };
}
