import { isAscii, isUtf8 } from 'node:buffer';
import { normalizeAddress, shownMailbox } from '../contract/vocabulary/addresses.js';
import { readServiceHeaders } from '../contract/vocabulary/service-headers.js';
import type { Attachment } from '../core/model/contents.js';
import type { ParsedMessage } from '../core/ports.js';
import { nameOfPart } from './content-type.js';
import { comparedMailbox, namesOf } from './header.js';
import { HEADER_FIELDS_MAX, SHOWN_FIELD_MAX } from './limits.js';
import { type Mailbox, readHead, readMailboxes, readStructured, type Structured } from './simple-head.js';

/**
 * Reads messages of the form that most applications send, in time proportional to their size, so that they need no other
 * process: ASCII header, text, HTML and attachments in few parts. The result is that of parse.ts. A message of any other
 * form, and one that needs a repair or causes a warning, is left to parse.ts.
 */

/** The maximum of bytes: reading them takes about a millisecond. */
export const SIMPLE_BYTES_MAX = 64 * 1024;
const SIMPLE_PARTS_MAX = 32;
const DEPTH_MAX = 4;

interface Part {
  type: string;
  /** The decoded text, with line ends as mailparser has them; undefined for a multipart or an attachment. */
  text?: string;
  attachment?: Omit<Attachment, 'filename'> & { filename: string | null };
  children: Part[];
}

/** The message as parts, while it is read. */
interface Source {
  /** One character per byte. */
  characters: string;
  bytes: Buffer;
  parts: number;
  /** Lines of all headers, including the empty lines that end them. */
  headerLines: number;
}

/** Reads a message; undefined when it is not of the simple form. */
export function readSimpleMessage(message: Uint8Array): ParsedMessage | undefined {
  if (message.byteLength > SIMPLE_BYTES_MAX) return undefined;
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const characters = bytes.toString('latin1');
  if (!hasCrlfOnly(characters)) return undefined;
  const headEnd = characters.indexOf('\r\n\r\n');
  const source = { characters, bytes, parts: 0, headerLines: 0 };
  const fields = headEnd < 0 ? undefined : readHeadOf(source, 0, headEnd);
  if (!fields || fields.size === 0) return undefined;
  const mailboxes = (name: string) => (fields.has(name) ? readMailboxes(fields.get(name) ?? '') : []);
  const from = mailboxes('from');
  const to = mailboxes('to');
  const cc = mailboxes('cc');
  const replyTo = mailboxes('reply-to');
  const root = from && to && cc && replyTo && readPart(fields, headEnd + 4, characters.length, source, 0);
  if (!root) return undefined;
  const shown = {
    from: from[0] ? shownMailbox(from[0]) : '',
    subject: fields.get('subject') ?? '',
    replyTo: replyTo.map(shownMailbox).join(', '),
  };
  // The worker truncates these and adds a warning.
  if (Object.values(shown).some((text) => text.length > SHOWN_FIELD_MAX)) return undefined;
  return {
    content: {
      ...shown,
      fromMailbox: comparedMailbox(from[0]?.address ?? ''),
      replyTo: shown.replyTo || null,
      ...bodiesOf(root),
      parseError: null,
    },
    to: to.map(addressOf),
    cc: cc.map(addressOf),
    names: namesOf([...to, ...cc]),
    attachments: attachmentsOf(root),
    service: readServiceHeaders((name) => fields.get(name) ?? null),
    unknownHeaders: [],
    warnings: [],
  };
}

function addressOf({ address }: Mailbox): string {
  return normalizeAddress(address);
}

/**
 * Reads a header. Undefined also when the headers read so far exceed the limit of fields, which the worker warns
 * about.
 */
function readHeadOf(source: Source, start: number, end: number): Map<string, string> | undefined {
  const head = source.characters.slice(start, Math.max(start, end));
  source.headerLines += head.split('\r\n').length + 1;
  return source.headerLines > HEADER_FIELDS_MAX ? undefined : readHead(head);
}

/** Returns whether all line ends are CRLF: a lone CR or LF is read differently by every program. */
function hasCrlfOnly(characters: string): boolean {
  return !/\r(?!\n)|(?<!\r)\n/.test(characters);
}

function readPart(
  fields: Map<string, string>,
  start: number,
  end: number,
  source: Source,
  depth: number,
): Part | undefined {
  source.parts += 1;
  if (source.parts > SIMPLE_PARTS_MAX || depth > DEPTH_MAX) return undefined;
  const type = readStructured(fields.get('content-type') ?? 'text/plain');
  if (!type) return undefined;
  if (type.value.startsWith('multipart/')) return readMultipart(type, start, end, source, depth);
  const disposition = fields.has('content-disposition')
    ? readStructured(fields.get('content-disposition') ?? '')
    : { value: '', params: new Map<string, string>() };
  const content = decode(source, start, end, fields.get('content-transfer-encoding'));
  if (!disposition || !content) return undefined;
  const isText = type.value === 'text/plain' || type.value === 'text/html';
  if (isText && disposition.value === '') {
    // mailparser turns an empty body into a line end.
    if (content.length === 0 || !isUtf8Text(type, content)) return undefined;
    return { type: type.value, text: content.toString().replaceAll('\r\n', '\n'), children: [] };
  }
  if (depth === 0) return undefined;
  return readAttachment(type, disposition, fields.get('content-id'), content);
}

function isUtf8Text({ params }: Structured, content: Buffer): boolean {
  for (const name of params.keys()) if (name !== 'charset') return false;
  return /^utf-8$/i.test(params.get('charset') ?? '')
    ? isUtf8(content)
    : /^(us-ascii)?$/i.test(params.get('charset') ?? '') && isAscii(content);
}

/** Types that mailparser parses further, or replaces by a guess from the file name. */
const NOT_OPAQUE = /^(text|message|multipart)\/|^application\/octet-stream$/;

function readAttachment(
  type: Structured,
  { value, params }: Structured,
  contentId: string | undefined,
  content: Buffer,
): Part | undefined {
  if (NOT_OPAQUE.test(type.value) || !type.value.includes('/') || !/^(|attachment|inline)$/.test(value))
    return undefined;
  const names = [...type.params.keys(), ...params.keys()];
  if (names.some((name) => name !== 'name' && name !== 'filename')) return undefined;
  const filename = params.get('filename') || type.params.get('name') || null;
  if (filename !== null && !/^[\w.-]+( [\w.-]+)*$/.test(filename)) return undefined;
  const cid = contentId === undefined ? null : /^<([\w.@+-]+)>$/.exec(contentId)?.[1];
  if (cid === undefined) return undefined;
  const disposition = value === 'inline' ? 'inline' : 'attachment';
  return {
    type: type.value,
    attachment: { filename, contentType: type.value, contentId: cid, disposition, content },
    children: [],
  };
}

function readMultipart(type: Structured, start: number, end: number, source: Source, depth: number): Part | undefined {
  const boundary = type.params.get('boundary');
  if (!/^multipart\/(alternative|mixed|related)$/.test(type.value) || !/^[\w=.:+/-]{1,70}$/.test(boundary ?? ''))
    return undefined;
  for (const name of type.params.keys()) if (!/^(boundary|type|charset)$/.test(name)) return undefined;
  const { characters } = source;
  const delimiter = `--${boundary}`;
  if (!characters.startsWith(`${delimiter}\r\n`, start)) return undefined;
  const children: Part[] = [];
  let at = start + delimiter.length + 2;
  for (;;) {
    const next = characters.indexOf(`\r\n${delimiter}`, at - 2);
    const headEnd = characters.indexOf('\r\n\r\n', at - 2);
    if (next < 0 || next >= end || headEnd < 0 || headEnd + 4 > next) return undefined;
    const fields = readHeadOf(source, at, headEnd);
    const child = fields && readPart(fields, headEnd + 4, next, source, depth + 1);
    if (!child) return undefined;
    children.push(child);
    at = next + 2 + delimiter.length;
    if (characters.startsWith('\r\n', at)) at += 2;
    else break;
  }
  // Nothing but line ends after the last delimiter.
  if (!characters.startsWith('--', at)) return undefined;
  const rest = characters.slice(at + 2, end);
  return rest === '' || rest === '\r\n' ? { type: type.value, children } : undefined;
}

/** Decodes content; undefined when it is not well formed. */
function decode({ characters, bytes }: Source, start: number, end: number, encoding = '7bit'): Buffer | undefined {
  const content = bytes.subarray(start, end);
  switch (encoding.toLowerCase()) {
    case '7bit':
    case '8bit':
    case 'binary':
      return content;
    case 'base64': {
      const text = characters.slice(start, end).replaceAll('\r\n', '');
      return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
    }
    case 'quoted-printable':
      return decodeQuotedPrintable(characters.slice(start, end));
    default:
      return undefined;
  }
}

function decodeQuotedPrintable(text: string): Buffer | undefined {
  if (/=(?![0-9A-F]{2}|\r\n)|[^\t\r\n -~]|[ \t](\r\n|$)/.test(text) || text.endsWith('=\r\n')) return undefined;
  const unbroken = text.replaceAll('=\r\n', '');
  return Buffer.from(
    unbroken.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

/** Joins the bodies as mailparser does: alternatives stand for one another, other parts follow one another. */
function bodiesOf(root: Part): { html: string; text: string } {
  const html: string[] = [];
  const text: string[] = [];
  const leaves = leavesOf(root, false);
  const hasText = leaves.some(({ part }) => part.type === 'text/plain' && part.text !== undefined);
  const hasHtml = leaves.some(({ part }) => part.type === 'text/html' && part.text !== undefined);
  for (const { part, alternative } of leaves) {
    if (!part.text) continue;
    if (part.type === 'text/plain') {
      text.push(part.text);
      if (!alternative && hasHtml) html.push('');
    } else {
      if ((!alternative && hasText) || (part === root && !hasText)) text.push('');
      html.push(part.text);
    }
  }
  return { html: html.join('<br/>\n'), text: text.join('\n') };
}

interface Leaf {
  part: Part;
  /** Whether one of the enclosing parts is multipart/alternative. */
  alternative: boolean;
}

function leavesOf(part: Part, alternative: boolean): Leaf[] {
  if (part.children.length === 0) return [{ part, alternative }];
  const inside = alternative || part.type === 'multipart/alternative';
  return part.children.flatMap((child) => leavesOf(child, inside));
}

function attachmentsOf(root: Part): Attachment[] {
  return leavesOf(root, false)
    .flatMap(({ part }) => part.attachment ?? [])
    .map((attachment, index) => ({
      ...attachment,
      filename: nameOfPart(attachment.filename, attachment.contentType, index),
    }));
}
