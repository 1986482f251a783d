import { normalizeAddress } from '../contract/vocabulary/addresses.js';
import { DISPLAY_NAME_CHARACTERS, MAILBOX_CHARACTERS } from '../contract/vocabulary/limits.js';
import { decodeUndeclared } from './charset.js';
import { HEADER_BYTES_MAX, HEADER_FIELDS_MAX } from './limits.js';

/** Reads the header of a message or part: RFC 5322, section 2.2, and what real mail has in its place. */

export interface HeaderField {
  name: string;
  /** Unfolded, as in the message otherwise. */
  value: string;
}

/** Where a field is in a message. */
export interface FieldPlace {
  /** Without blanks before the colon. */
  name: string;
  start: number;
  /** After the colon. */
  valueStart: number;
  /** After the line break of the last line. */
  end: number;
}

export interface Head {
  /** After a byte order mark. */
  start: number;
  fields: FieldPlace[];
  /** Where the empty line is, or has to be. */
  end: number;
  bodyStart: number;
  /** Whether the body follows without an empty line. */
  isUnseparated: boolean;
}

const LF = 0x0a;
const CR = 0x0d;
const BLANKS: ReadonlySet<number | undefined> = new Set([0x20, 0x09]);
const COLON = 0x3a;

const NAME_MAX = 200;
/** The obsolete syntax has blanks before the colon (RFC 5322, section 4.5). */
const NAME = /^([!-9;-~]{1,200})[ \t]{0,200}$/;
/** The line that begins a message in a mailbox file. */
const MBOX = /^>?From $/;
/** Fields that tell a header with a broken line from a body that begins without an empty line. */
const USUAL =
  /^(from|to|cc|subject|date|message-id|reply-to|sender|received|return-path|dkim-signature|mime-version|content-.*|x-.*)$/i;
/** Lines that are read after a broken one. */
const LOOKAHEAD = 64;

/**
 * Finds the fields of a header. A line that is not a field ends it, unless fields follow up to an empty line.
 * @param isEnd returns whether a line that begins with `--` is a delimiter, which ends the header too
 */
export function scanHead(
  bytes: Buffer,
  from: number,
  isEnd: (lineStart: number) => boolean = () => false,
  isPart = false,
): Head {
  const start = !isPart && hasMark(bytes, from) ? from + 3 : from;
  const fields: FieldPlace[] = [];
  let last: FieldPlace | undefined;
  for (let at = start; at < bytes.length; ) {
    const next = nextLine(bytes, at);
    if (isEmptyLine(bytes, at, next)) return { start, fields, end: at, bodyStart: next, isUnseparated: false };
    if (isDashed(bytes, at) && isEnd(at)) return { start, fields, end: at, bodyStart: at, isUnseparated: false };
    if (!BLANKS.has(bytes[at])) {
      const field = fieldAt(bytes, at, next);
      if (!field && (isPart || fields.length > 0) && !isBroken(bytes, at, next))
        return { start, fields, end: at, bodyStart: at, isUnseparated: true };
      last = field;
      if (field && fields.length < HEADER_FIELDS_MAX) fields.push(field);
    } else if (last) last.end = next;
    at = next;
  }
  return { start, fields, end: bytes.length, bodyStart: bytes.length, isUnseparated: false };
}

/** Returns whether a line that is not a field is inside of a header: whether fields follow it. */
function isBroken(bytes: Buffer, start: number, next: number): boolean {
  if (MBOX.test(bytes.toString('latin1', start, Math.min(start + (bytes[start] === 0x3e ? 6 : 5), next)))) return true;
  let isUsual = false;
  let at = next;
  for (let lines = 0; at < bytes.length && lines < LOOKAHEAD; lines += 1) {
    const end = nextLine(bytes, at);
    if (isEmptyLine(bytes, at, end)) return isUsual;
    if (!BLANKS.has(bytes[at])) {
      const field = fieldAt(bytes, at, end);
      if (!field) return false;
      isUsual ||= USUAL.test(field.name);
    }
    at = end;
  }
  return isUsual;
}

export function nextLine(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(LF, at);
  return end < 0 ? bytes.length : end + 1;
}

function isEmptyLine(bytes: Buffer, start: number, next: number): boolean {
  return bytes[start] === LF || (bytes[start] === CR && next === start + 2 && bytes[start + 1] === LF);
}

function isDashed(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0x2d && bytes[at + 1] === 0x2d;
}

function hasMark(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf;
}

function fieldAt(bytes: Buffer, start: number, end: number): FieldPlace | undefined {
  const head = bytes.subarray(start, Math.min(end, start + 2 * NAME_MAX + 1));
  const colon = head.indexOf(COLON);
  const name = colon < 0 ? undefined : NAME.exec(head.toString('latin1', 0, colon))?.[1];
  return name === undefined ? undefined : { name, start, valueStart: start + colon + 1, end };
}

/**
 * Returns the fields of a message's header in their order.
 * @param message the bytes of a message, of which only the header is read
 * @param valueMax bytes of a folded value that are read
 */
export function readFields(message: Uint8Array, valueMax = Number.POSITIVE_INFINITY): HeaderField[] {
  const bytes = Buffer.from(message.buffer, message.byteOffset, Math.min(message.byteLength, HEADER_BYTES_MAX));
  return scanHead(bytes, 0).fields.map(({ name, valueStart, end }) => ({
    name,
    value: unfolded(decodeUndeclared(bytes.subarray(valueStart, wholeCharacters(bytes, end, valueStart + valueMax)))),
  }));
}

/** Returns the smaller of two ends, moved back to the start of a UTF-8 character. */
function wholeCharacters(bytes: Buffer, end: number, max: number): number {
  if (end <= max) return end;
  let at = max;
  while (max - at < 3 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}

/** Removes the line breaks of a value. */
export function unfolded(value: string): string {
  return value.replace(/\r?\n/g, '');
}

/**
 * Writes comments in comments as encoded words, because mailparser ends a comment at its first closing parenthesis
 * (RFC 5322, section 3.2.2).
 */
export function withoutNestedComments(value: string): string {
  let depth = 0;
  let quoted = false;
  let written = '';
  let inner = '';
  for (let at = 0; at < value.length; at += 1) {
    let character = value[at] as string;
    if (character === '\\') {
      at += 1;
      character += value[at] ?? '';
    } else if (character === '"' && depth === 0) quoted = !quoted;
    const closes = !quoted && character === ')' && depth > 0;
    if (!quoted && character === '(') depth += 1;
    if (depth > 1) inner += character;
    else written += character;
    if (closes) depth -= 1;
    if (closes && depth === 1) {
      written += encodedWord(unfolded(inner));
      inner = '';
    }
  }
  return written + inner;
}

function encodedWord(text: string): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  const encoded = bytes.replace(
    /[^A-Za-z0-9 ]/g,
    (each) => `=${each.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
  return `=?utf-8?Q?${encoded.replaceAll(' ', '_')}?=`;
}

/** Lists the header fields that are read, by name in lower case. */

export const ADDRESS_FIELDS: ReadonlySet<string> = new Set(['from', 'to', 'cc', 'reply-to']);

export const PART_FIELDS: ReadonlySet<string> = new Set([
  'content-type',
  'content-disposition',
  'content-transfer-encoding',
  'content-id',
]);

export const MESSAGE_FIELDS: ReadonlySet<string> = new Set([...ADDRESS_FIELDS, ...PART_FIELDS, 'subject']);

/** Fields that a message has once at most (RFC 5322, section 3.6). To and Cc are read wherever they are. */
export const SINGLE_FIELDS: ReadonlySet<string> = new Set([
  'from',
  'sender',
  'reply-to',
  'subject',
  'date',
  'message-id',
  'mime-version',
]);

/** Returns a sender as filters compare it; empty if it is too long to be an address. */
export function comparedMailbox(address: string): string {
  const mailbox = normalizeAddress(address);
  return mailbox.length > MAILBOX_CHARACTERS ? '' : mailbox;
}

const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Returns the display name of each mailbox that has one; the first, if it has several. */
export function namesOf(mailboxes: readonly { name: string; address?: string | undefined }[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { name: given, address } of mailboxes) {
    const name = given.replace(CONTROL, '').trim();
    if (!name || !address || name.length > DISPLAY_NAME_CHARACTERS) continue;
    const mailbox = normalizeAddress(address);
    if (!names.has(mailbox)) names.set(mailbox, name);
  }
  return names;
}
