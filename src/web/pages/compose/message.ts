import type { Address } from '../../../contract/vocabulary/addresses.js';
import { type AttachmentInput, base64Of } from '../../api/attachments.js';

/** Composes messages as mail programs send them over SMTP (RFC 5322, RFC 2045 to 2047, RFC 6532). */

export interface Message {
  from: readonly Address[];
  to: readonly Address[];
  cc: readonly Address[];
  replyTo: readonly Address[];
  subject: string;
  text: string;
  html: string;
  attachments: readonly AttachmentInput[];
}

interface Part {
  /** Header fields, without the line end of the last one. */
  head: string;
  body: string;
}

const CRLF = '\r\n';
/** Bytes of a text in an encoded word, which has at most 75 characters. */
const WORD_BYTES = 42;

/** Returns a message in bytes. `unique` makes its ID and its boundaries. Bcc is in the envelope only. */
export function composeMessage(message: Message, date: Date, unique: string): Uint8Array {
  const { from, to, cc, replyTo, subject } = message;
  const content = contentOf(message, unique);
  const fields = [
    addressField('From', from),
    addressField('To', to),
    addressField('Cc', cc),
    addressField('Reply-To', replyTo),
    `Subject: ${encodeText(subject)}`,
    `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${unique}@svc.inbox>`,
    'MIME-Version: 1.0',
    content.head,
  ].filter((field) => field !== '');
  return new TextEncoder().encode(`${fields.join(CRLF)}${CRLF}${CRLF}${content.body}`);
}

/** Returns the text, the HTML, or both as alternatives, and the attachments after them. */
function contentOf({ text, html, attachments }: Message, unique: string): Part {
  const texts = [text !== '' && textPart('plain', text), html !== '' && textPart('html', html)].filter(
    (part) => part !== false,
  );
  const body =
    texts.length === 1
      ? (texts[0] as Part)
      : texts.length === 0
        ? textPart('plain', '')
        : multipart('alternative', texts, unique);
  if (attachments.length === 0) return body;
  return multipart('mixed', [body, ...attachments.map(attachmentPart)], unique);
}

function multipart(kind: string, parts: readonly Part[], unique: string): Part {
  const boundary = `${kind}-${unique}`;
  const inner = parts.map(({ head, body }) => `--${boundary}${CRLF}${head}${CRLF}${CRLF}${body}${CRLF}`);
  return {
    head: `Content-Type: multipart/${kind};${CRLF} boundary="${boundary}"`,
    body: `${inner.join('')}--${boundary}--${CRLF}`,
  };
}

function textPart(kind: 'plain' | 'html', text: string): Part {
  return base64Part(`Content-Type: text/${kind}; charset=utf-8`, base64Of(new TextEncoder().encode(text)));
}

function attachmentPart({ filename, content, contentType }: AttachmentInput): Part {
  // RFC 2231: any character, percent-encoded.
  const name = encodeURIComponent(filename).replace(/['()*]/g, (found) => `%${found.charCodeAt(0).toString(16)}`);
  const head = `Content-Type: ${contentType}${CRLF}Content-Disposition: attachment;${CRLF} filename*=utf-8''${name}`;
  return base64Part(head, content);
}

function base64Part(head: string, content: string): Part {
  // RFC 2045: lines of at most 76 characters.
  const lines = content.match(/.{1,76}/g) ?? [];
  return { head: `${head}${CRLF}Content-Transfer-Encoding: base64`, body: lines.join(CRLF) };
}

function addressField(name: string, addresses: readonly Address[]): string {
  if (addresses.length === 0) return '';
  const texts = addresses.map((each) => (each.name === '' ? each.address : `${phrase(each.name)} <${each.address}>`));
  return `${name}: ${texts.join(`,${CRLF} `)}`;
}

function phrase(name: string): string {
  return isPrintable(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : encodedWords(name);
}

/** Encodes a text that has other characters than ASCII, or is too long for a line. */
function encodeText(text: string): string {
  return isPrintable(text) && !text.includes('=?') ? text : encodedWords(text);
}

function isPrintable(text: string): boolean {
  return /^[ -~]{0,900}$/.test(text);
}

/** Returns encoded words, one a line. None of them splits a character. */
function encodedWords(text: string): string {
  const encoder = new TextEncoder();
  const words: Uint8Array[] = [];
  let word: number[] = [];
  for (const character of text) {
    const bytes = encoder.encode(character);
    if (word.length + bytes.length > WORD_BYTES) {
      words.push(Uint8Array.from(word));
      word = [];
    }
    word.push(...bytes);
  }
  words.push(Uint8Array.from(word));
  return words.map((each) => `=?utf-8?B?${base64Of(each)}?=`).join(`${CRLF} `);
}
