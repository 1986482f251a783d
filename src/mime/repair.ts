import { isUtf8 } from 'node:buffer';
import type { ServiceWarning } from '../contract/vocabulary/warnings.js';
import { decodeIn, decodeUndeclared, isUsable, otherCharset, SNIFFED_BYTES, type TextCharset } from './charset.js';
import { type ContentType, readContentType, writeContentType } from './content-type.js';
import {
  ADDRESS_FIELDS,
  type FieldPlace,
  type Head,
  nextLine,
  PART_FIELDS,
  SINGLE_FIELDS,
  scanHead,
  unfolded,
  withoutNestedComments,
} from './header.js';
import { HEADER_BYTES_MAX, PARTS_MAX } from './limits.js';

/**
 * Brings a message into a form that mailparser reads correctly. Most messages have it already, and are returned as they
 * are. The time is proportional to the size: one pass, and each text part is decoded once.
 */

export interface Repaired {
  bytes: Buffer;
  warnings: ServiceWarning[];
}

export function repairMessage(bytes: Buffer): Repaired {
  const repair = new Repair(bytes);
  repair.run();
  return repair.result();
}

/** The disposition of an inline text with a file name, which mailparser would show with the body. */
export const INLINE_FILE = 'x-inline';

interface Part {
  head: Head;
  contentType: ContentType;
  isAttachment: boolean;
  /** The type of the multipart that it is in; empty for the message. */
  parentType: string;
  /** New values of fields by their index; null removes the field. */
  changes: Map<number, string | null>;
  /** Whether its Content-Type is replaced. */
  isRetyped: boolean;
}

interface Multipart {
  part: Part;
  boundary: string;
  children: number;
  /** A multipart of the same boundary around this one. */
  hidden: Multipart | undefined;
}

const DASH = 0x2d;
const DASHES = Buffer.from('\n--');
/** A message with more warnings of one kind has one of them. */
const NAMED_MAX = 80;

class Repair {
  readonly #edits: { start: number; end: number; text: Buffer }[] = [];
  readonly #warnings = new Map<string, ServiceWarning>();
  /** Multiparts that are not closed, from the outside in. */
  readonly #open: Multipart[] = [];
  /** The innermost of them by boundary. */
  readonly #byBoundary = new Map<string, Multipart>();
  #parts = 0;
  #headBytes = 0;
  #rootCharset = '';
  /** The start of the body of the part that began last. */
  #bodyStart = 0;

  constructor(readonly bytes: Buffer) {}

  result(): Repaired {
    const warnings = [...this.#warnings.values()];
    if (this.#edits.length === 0) return { bytes: this.bytes, warnings };
    const pieces: Buffer[] = [];
    let at = 0;
    for (const { start, end, text } of this.#edits.sort((one, other) => one.start - other.start)) {
      pieces.push(this.bytes.subarray(at, start), text);
      at = end;
    }
    return { bytes: Buffer.concat([...pieces, this.bytes.subarray(at)]), warnings };
  }

  run(): void {
    let leaf = this.#begin(0);
    let at = this.#bodyStart;
    for (;;) {
      const found = this.#nextDelimiter(at);
      const end = found?.lineStart ?? this.bytes.length;
      if (leaf) this.#finishLeaf(leaf, this.#beforeBreak(end, leaf.head.bodyStart));
      leaf = undefined;
      if (!found) break;
      const { multipart, lineStart, lineEnd, isLast } = found;
      this.#closeUpTo(multipart, lineStart);
      at = lineEnd;
      if (isLast && multipart.children === 0) {
        this.#forget(multipart);
        continue;
      }
      this.#makeCanonical(found);
      if (isLast) {
        this.#pop();
        continue;
      }
      multipart.children += 1;
      this.#parts += 1;
      if (this.#parts >= PARTS_MAX || this.#headBytes > HEADER_BYTES_MAX) break;
      leaf = this.#begin(lineEnd);
      at = this.#bodyStart;
    }
    while (this.#open.length > 0) this.#pop();
  }

  /** Reads the header of a part. Returns the part unless it has parts of its own. */
  #begin(start: number): Part | undefined {
    const parent = this.#open.at(-1);
    const head = scanHead(this.bytes, start, (line) => this.#delimiterAt(line) !== undefined, parent !== undefined);
    this.#bodyStart = head.bodyStart;
    this.#headBytes += head.end - head.start;
    const part = this.#readPart(head, parent?.part.contentType.type ?? '');
    const { type, params } = part.contentType;
    const boundary = Buffer.from(params.get('boundary') ?? '').toString('latin1');
    // mailparser looks for the boundary of any part.
    if (boundary === '') {
      if (type.startsWith('multipart/')) this.#readAsText(part, 'has no boundary');
      return part;
    }
    const hidden = this.#byBoundary.get(boundary);
    const multipart = { part, boundary, children: 0, hidden };
    this.#open.push(multipart);
    this.#byBoundary.set(boundary, multipart);
    return undefined;
  }

  #readPart(head: Head, parentType: string): Part {
    const isRoot = parentType === '';
    const changes = new Map<number, string | null>();
    const seen = new Set<string>();
    head.fields.forEach((field, index) => {
      const key = field.name.toLowerCase();
      if (isRoot && key === 'bcc') {
        this.#warn('revealed_bcc', 'Bcc', 'is in the message, so every recipient can read it');
      }
      if (PART_FIELDS.has(key) || (isRoot && SINGLE_FIELDS.has(key))) {
        if (seen.has(key)) {
          changes.set(index, null);
          this.#warn('repeated_field', field.name, 'occurs more than once; the first one is used');
        }
        seen.add(key);
      }
    });
    const disposition = this.#value(head, 'content-disposition') ?? '';
    const isAttachment = /^\s*attachment\b/i.test(disposition);
    const given = this.#value(head, 'content-type');
    const contentType = readContentType(given ?? 'text/plain', isAttachment || FILE_NAME.test(disposition));
    const part = {
      head,
      contentType,
      isAttachment,
      parentType,
      changes,
      isRetyped: given !== undefined && !contentType.isPlain,
    };
    if (!contentType.isValid) {
      const shown = JSON.stringify(given?.trim().slice(0, NAMED_MAX) ?? '');
      this.#warn(
        'invalid_content_type',
        'Content-Type',
        `${shown} is invalid; the part is read as ${contentType.type}`,
      );
    }
    if (isRoot) this.#rootCharset = contentType.params.get('charset') ?? '';
    this.#fixFields(part);
    if (isInlineFile(part, disposition)) {
      this.#change(part, 'content-disposition', (value) => value.replace(/inline/i, INLINE_FILE));
    }
    return part;
  }

  /** Fixes fields that mailparser cannot read. */
  #fixFields({ head, changes, parentType }: Part): void {
    const isRoot = parentType === '';
    const { bytes } = this;
    if (head.start > 0 && isRoot) {
      this.#replace(0, head.start, '');
      this.#warn('malformed_header', '', 'The header begins with a byte order mark');
    }
    if (head.isUnseparated) {
      this.#warn('malformed_header', '', 'No empty line is between a header and its body');
    }
    const isText = isUtf8(bytes.subarray(head.start, head.end));
    head.fields.forEach((field, index) => {
      if (changes.has(index)) return;
      const key = field.name.toLowerCase();
      const raw = bytes.subarray(field.valueStart, field.end);
      let value: string | undefined;
      if (!isText && !isUtf8(raw)) {
        const declared = isUsable(this.#rootCharset) && !/^utf-?8$/i.test(this.#rootCharset);
        value = declared ? decodeIn(raw, this.#rootCharset) : decodeUndeclared(raw);
        this.#warn(
          'malformed_header',
          field.name,
          `has bytes that are not UTF-8; read as ${declared ? this.#rootCharset : 'windows-1252'}`,
        );
      }
      if (isRoot && ADDRESS_FIELDS.has(key) && raw.includes('(')) {
        const text = value ?? raw.toString();
        const flat = withoutNestedComments(text);
        if (flat !== text) value = flat;
      }
      const hasBlanks = field.valueStart - field.start > field.name.length + 1;
      if (hasBlanks) this.#warn('malformed_header', field.name, 'has blanks before its colon');
      if (value !== undefined || hasBlanks) changes.set(index, value ?? raw.toString());
    });
  }

  /** Ends a part without parts of its own. */
  #finishLeaf(part: Part, end: number): void {
    const { contentType, head, isAttachment } = part;
    if (/^text\/(plain|html)$/.test(contentType.type) && !isAttachment && end > head.bodyStart) {
      const declared = (contentType.params.get('charset') ?? '').trim();
      const content = decoded(this.bytes.subarray(head.bodyStart, end), this.#value(head, 'content-transfer-encoding'));
      const other = otherCharset(content, declared, contentType.type === 'text/html');
      if (other) this.#setCharset(part, declared, other);
    }
    this.#writeHead(part);
  }

  #setCharset(part: Part, declared: string, { charset, isGuessed }: TextCharset): void {
    part.contentType.params.set('charset', charset);
    part.isRetyped = true;
    if (!isGuessed) return;
    const reason =
      declared === ''
        ? 'declares no charset'
        : `is not in the declared charset ${JSON.stringify(declared.slice(0, NAMED_MAX))}`;
    this.#warn('guessed_charset', '', `A text part ${reason}; it is read as ${charset}`);
  }

  /** Reads a multipart without parts as text. */
  #readAsText(part: Part, reason: string): void {
    part.contentType = { ...part.contentType, type: 'text/plain', params: new Map() };
    part.isRetyped = true;
    this.#warn('missing_parts', '', `A multipart ${reason}; it is shown as text`);
  }

  /** Returns the innermost multipart of a line, where it is a delimiter. */
  #delimiterAt(lineStart: number): Delimiter | undefined {
    const lineEnd = nextLine(this.bytes, lineStart);
    if (lineEnd - lineStart > LINE_MAX) return undefined;
    const line = this.bytes.toString('latin1', lineStart, lineEnd);
    const trimmed = line.trimEnd().slice(2);
    let multipart = this.#byBoundary.get(trimmed);
    const isLast = multipart === undefined && trimmed.endsWith('--');
    if (isLast) multipart = this.#byBoundary.get(trimmed.slice(0, -2));
    return (
      multipart && {
        multipart,
        lineStart,
        lineEnd,
        isLast,
        isPadded: /^[\r\n]*$/.test(line.slice(trimmed.length + 2)) === false,
      }
    );
  }

  /** Finds the next delimiter, from the start of a line. */
  #nextDelimiter(from: number): Delimiter | undefined {
    if (this.#byBoundary.size === 0) return undefined;
    for (let at = from; ; ) {
      const found = this.bytes[at] === DASH && this.bytes[at + 1] === DASH ? this.#delimiterAt(at) : undefined;
      if (found) return found;
      const next = this.bytes.indexOf(DASHES, at);
      if (next < 0) return undefined;
      at = next + 1;
    }
  }

  /** Closes multiparts inside of one, which a delimiter of it ends (RFC 2046, section 5.1.2). */
  #closeUpTo(multipart: Multipart, at: number): void {
    for (let inner = this.#open.at(-1); inner && inner !== multipart; inner = this.#open.at(-1)) {
      if (inner.children > 0) {
        this.#replace(at, at, `--${inner.boundary}--\r\n`, 'latin1');
        this.#warn('missing_parts', '', 'A multipart is not closed before the next part of the one around it');
      }
      this.#pop(this.#beforeBreak(at, inner.part.head.bodyStart));
    }
  }

  /** Ends the innermost multipart. One without any part is text. */
  #pop(end = this.bytes.length): void {
    const multipart = this.#open.pop();
    if (!multipart) return;
    this.#forget(multipart);
    const { part, children } = multipart;
    if (children > 0) {
      this.#writeHead(part);
      return;
    }
    if (part.contentType.type.startsWith('multipart/')) this.#readAsText(part, 'has no part with its boundary');
    this.#finishLeaf(part, end);
  }

  /** Stops the search for delimiters of a multipart. */
  #forget(multipart: Multipart): void {
    const { boundary, hidden } = multipart;
    if (this.#byBoundary.get(boundary) !== multipart) return;
    if (hidden) this.#byBoundary.set(boundary, hidden);
    else this.#byBoundary.delete(boundary);
  }

  #makeCanonical({ multipart, lineStart, lineEnd, isLast, isPadded }: Delimiter): void {
    if (isPadded) this.#replace(lineStart, lineEnd, `--${multipart.boundary}${isLast ? '--' : ''}\r\n`, 'latin1');
  }

  #writeHead({ head, changes, contentType, isRetyped }: Part): void {
    let isWritten = !isRetyped;
    head.fields.forEach((field, index) => {
      const isType = !isWritten && changes.get(index) !== null && field.name.toLowerCase() === 'content-type';
      const change = isType ? ` ${writeContentType(contentType)}\r\n` : changes.get(index);
      if (isType) isWritten = true;
      if (change === null) this.#replace(field.start, field.end, '');
      else if (change !== undefined) this.#replace(field.start, field.end, `${field.name}:${change}`);
    });
    if (!isWritten) this.#replace(head.end, head.end, `Content-Type: ${writeContentType(contentType)}\r\n`);
    if (head.isUnseparated) this.#replace(head.end, head.end, '\r\n');
  }

  #change({ head, changes }: Part, key: string, change: (value: string) => string): void {
    const index = head.fields.findIndex(({ name }) => name.toLowerCase() === key);
    const field = head.fields[index] as FieldPlace;
    changes.set(index, change(changes.get(index) ?? this.bytes.toString('utf8', field.valueStart, field.end)));
  }

  /** Returns the first field of a name, unfolded. */
  #value({ fields }: Head, key: string): string | undefined {
    const field = fields.find(({ name }) => name.toLowerCase() === key);
    return field && unfolded(decodeUndeclared(this.bytes.subarray(field.valueStart, field.end)));
  }

  /** Returns where a line break before a delimiter begins, which belongs to the delimiter. */
  #beforeBreak(at: number, min: number): number {
    if (at === this.bytes.length) return at;
    const isCrlf = this.bytes[at - 2] === 0x0d;
    return Math.max(min, at - (isCrlf ? 2 : 1));
  }

  #replace(start: number, end: number, text: string, encoding: BufferEncoding = 'utf8'): void {
    this.#edits.push({ start, end, text: Buffer.from(text, encoding) });
  }

  #warn(code: ServiceWarning['code'], path: string, message: string): void {
    const key = `${code} ${path.toLowerCase()} ${message}`;
    if (this.#warnings.size < WARNINGS_MAX) this.#warnings.set(key, { code, path, message });
  }
}

interface Delimiter {
  multipart: Multipart;
  lineStart: number;
  /** After the line break. */
  lineEnd: number;
  /** Whether it closes the multipart. */
  isLast: boolean;
  isPadded: boolean;
}

/** Bytes of a line that may be a delimiter: RFC 5322 allows 998 characters. */
const LINE_MAX = 2_000;
const WARNINGS_MAX = 20;

const FILE_NAME = /;\s{0,99}filename[\d*]{0,9}\s{0,99}=/i;

/** Returns whether a text is inline and has a file name, and is not a form of the body. */
function isInlineFile({ contentType, parentType }: Part, disposition: string): boolean {
  if (!/^\s*inline\b/i.test(disposition) || !/^text\/(plain|html)$/.test(contentType.type)) return false;
  if (parentType === '' || parentType === 'multipart/alternative') return false;
  return FILE_NAME.test(disposition) || contentType.params.has('name');
}

/** Returns content, or the beginning of it, without its transfer encoding. */
function decoded(content: Buffer, encoding = '7bit'): Buffer {
  const name = encoding
    .replace(/\([^()]{0,998}\)/g, '')
    .trim()
    .toLowerCase();
  if (name !== 'base64' && name !== 'quoted-printable') return content;
  const bytes = content.subarray(0, SNIFFED_BYTES);
  if (name === 'base64') return Buffer.from(bytes.toString('latin1'), 'base64');
  const text = bytes.toString('latin1').replace(/=[ \t]{0,998}\r?\n/g, '');
  return Buffer.from(
    text.replace(/=([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  );
}
