import {
  type AddressObject,
  type EmailAddress,
  type Attachment as ParsedAttachment,
  type ParsedMail,
  simpleParser,
} from 'mailparser';
import { normalizeAddress } from '../contract/address.js';
import { SIMULATE_HEADER } from '../contract/outcome.js';
import type { Attachment } from '../core/model.js';
import type { ParsedMessage } from '../core/ports.js';

/**
 * Parses a message with mailparser. Nothing is invented: a part that is not there stays empty, and `cid:` links stay links.
 * @throws Error when there is no header in it, or mailparser gives up.
 */
export async function parseMessage(bytes: Uint8Array): Promise<ParsedMessage> {
  const mail = await simpleParser(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipImageLinks: true,
    keepCidLinks: true,
  });
  if (!mail.headerLines?.some(({ key }) => HEADER_NAME.test(key))) throw new Error('The message has no header fields.');
  const [sender] = mailboxesOf(mail.from);
  return {
    content: {
      from: sender ? shown(sender) : '',
      fromMailbox: normalizeAddress(sender?.address ?? ''),
      subject: mail.subject ?? '',
      replyTo: mailboxesOf(mail.replyTo).map(shown).join(', ') || null,
      html: mail.html || '',
      text: mail.text ?? '',
      parseError: null,
    },
    to: mailboxesOf(mail.to).map(addressOf),
    cc: mailboxesOf(mail.cc).map(addressOf),
    attachments: mail.attachments.map(attachmentOf),
    simulate: headerValue(mail.headerLines, SIMULATE_HEADER),
  };
}

const HEADER_NAME = /^[!-9;-~]+$/;

/** The first value of a header; null without one. */
function headerValue(lines: ParsedMail['headerLines'], name: string): string | null {
  const line = lines.find(({ key }) => key === name.toLowerCase())?.line;
  return line === undefined ? null : line.slice(line.indexOf(':') + 1).trim();
}

/** Every mailbox of a header, groups taken apart. */
function mailboxesOf(header: AddressObject | AddressObject[] | undefined): EmailAddress[] {
  const flatten = (address: EmailAddress): EmailAddress[] => address.group?.flatMap(flatten) ?? [address];
  return [header ?? []].flat().flatMap(({ value }) => value.flatMap(flatten));
}

function addressOf({ address }: EmailAddress): string {
  return normalizeAddress(address ?? '');
}

function shown({ name, address }: EmailAddress): string {
  if (!name || !address) return address || name || '';
  const phrase = /[<>@,;:"\\[\]().]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name;
  return `${phrase} <${address ?? ''}>`;
}

function attachmentOf(attachment: ParsedAttachment, index: number): Attachment {
  return {
    filename: attachment.filename ?? `part-${index + 1}`,
    contentType: attachment.contentType,
    contentId: attachment.cid ?? null,
    disposition: attachment.contentDisposition === 'inline' ? 'inline' : 'attachment',
    content: attachment.content,
  };
}
