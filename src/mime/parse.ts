import type { AddressObject, EmailAddress, Attachment as ParsedAttachment, ParsedMail } from 'mailparser';
import { normalizeAddress, shownMailbox } from '../contract/vocabulary/addresses.js';
import { readServiceHeaders, unknownServiceHeaders } from '../contract/vocabulary/service-headers.js';
import type { Attachment } from '../core/model/contents.js';
import type { ParsedMessage } from '../core/ports.js';
import { parseWithinLimits } from './bounded-parser.js';
import { nameOfPart } from './content-type.js';
import { comparedMailbox, namesOf } from './header.js';
import { SHOWN_FIELD_MAX } from './limits.js';
import { INLINE_FILE, repairMessage } from './repair.js';

/**
 * Parses a message with mailparser, after a repair. Nothing is invented: a missing part stays empty, and `cid:` links
 * stay links.
 * @throws Error when it has no header, or mailparser fails.
 */
export async function parseMessage(bytes: Uint8Array): Promise<ParsedMessage> {
  const repaired = repairMessage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const { mail, warnings } = await parseWithinLimits(repaired.bytes);
  const cut = (name: string, text: string) => {
    if (text.length <= SHOWN_FIELD_MAX) return text;
    warnings.push(`The header field "${name}" is shown up to ${SHOWN_FIELD_MAX} characters only.`);
    return text.slice(0, SHOWN_FIELD_MAX);
  };
  if (!mail.headerLines?.some(({ key }) => HEADER_NAME.test(key))) throw new Error('The message has no header fields.');
  const [sender] = mailboxesOf(mail.from);
  return {
    content: {
      from: cut('from', sender ? shownMailbox(sender) : ''),
      fromMailbox: comparedMailbox(sender?.address ?? ''),
      subject: cut('subject', mail.subject ?? ''),
      replyTo: cut('reply-to', mailboxesOf(mail.replyTo).map(shownMailbox).join(', ')) || null,
      html: mail.html || '',
      text: mail.text ?? '',
      parseError: null,
    },
    to: mailboxesOf(mail.to).map(addressOf),
    cc: mailboxesOf(mail.cc).map(addressOf),
    names: namesOf([...mailboxesOf(mail.to), ...mailboxesOf(mail.cc)]),
    attachments: mail.attachments.map(attachmentOf),
    service: readServiceHeaders((name) => headerValue(mail.headerLines, name)),
    unknownHeaders: unknownServiceHeaders(mail.headerLines.map(({ key }) => key)),
    warnings: [
      ...warnings.map((message) => ({ code: 'content_cut', path: '', message }) as const),
      ...repaired.warnings,
    ],
  };
}

const HEADER_NAME = /^[!-9;-~]+$/;

/** Returns the first value of a header, unfolded; null without one. `name` is in lower case. */
function headerValue(lines: ParsedMail['headerLines'], name: string): string | null {
  const line = lines.find(({ key }) => key === name)?.line;
  if (line === undefined) return null;
  return line
    .slice(line.indexOf(':') + 1)
    .replace(/\r?\n[ \t]+/g, ' ')
    .trim();
}

/** Returns every mailbox of a header, with groups expanded. */
function mailboxesOf(header: AddressObject | AddressObject[] | undefined): EmailAddress[] {
  const flatten = (address: EmailAddress): EmailAddress[] => address.group?.flatMap(flatten) ?? [address];
  return [header ?? []].flat().flatMap(({ value }) => value.flatMap(flatten));
}

function addressOf({ address }: EmailAddress): string {
  return normalizeAddress(address ?? '');
}

const INLINE = new Set(['inline', INLINE_FILE]);

function attachmentOf(attachment: ParsedAttachment, index: number): Attachment {
  return {
    filename: nameOfPart(attachment.filename, attachment.contentType || '', index),
    // mailparser has `false` for a part whose Content-Type is empty (RFC 2046 section 5.2.4 on unknown types).
    contentType: attachment.contentType || 'application/octet-stream',
    contentId: attachment.cid ?? null,
    disposition: INLINE.has(attachment.contentDisposition ?? '') ? 'inline' : 'attachment',
    content: attachment.content,
  };
}
