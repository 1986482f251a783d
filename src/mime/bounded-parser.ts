import { type Attachment, MailParser, type ParsedMail } from 'mailparser';
import { ADDRESS_FIELDS, MESSAGE_FIELDS, PART_FIELDS } from './header.js';
import { ADDRESS_FIELD_MAX, HEADER_BYTES_MAX, HEADER_FIELDS_MAX, PARTS_MAX } from './limits.js';

/** Runs mailparser with limits on its input, because some of its steps take more than linear time. */

interface HeaderLine {
  key: string;
  line: string;
}

/** A part while its header is read. mailsplit's types are not published with mailparser's. */
interface PartHead {
  addHeaderChunk(line: Buffer): void;
}

interface Splitter {
  node: PartHead;
  nodeCounter: number;
  config: { ignoreEmbedded?: boolean };
  newNode(parent?: unknown): void;
  checkBoundary(line: Buffer): 1 | 2 | 3 | 4 | false;
}

/** The members of the untyped half of mailparser. */
interface Internals {
  splitter: Splitter;
  headerLines: HeaderLine[] | false;
  processHeaders(lines: HeaderLine[]): Map<string, unknown>;
}

export interface BoundedMail {
  mail: ParsedMail;
  /** What was left out, for the reader of the message. */
  warnings: string[];
}

const OPTIONS = { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true, keepCidLinks: true };

const CR = 0x0d;
const LF = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;

/**
 * Parses a message with mailparser within the limits of limits.ts.
 * @throws Error when mailparser gives up.
 */
export function parseWithinLimits(bytes: Buffer): Promise<BoundedMail> {
  const parser = new MailParser({ ...OPTIONS });
  const warnings = limit(internalsOf(parser));
  return new Promise((resolve, reject) => {
    const mail = { attachments: [], headerLines: [] } as unknown as ParsedMail;
    parser.on('headers', (headers) => {
      mail.headers = headers;
      mail.headerLines = (parser as unknown as Internals).headerLines || [];
      mail.subject = headers.get('subject') as string;
      mail.from = headers.get('from') as NonNullable<ParsedMail['from']>;
      mail.to = headers.get('to') as NonNullable<ParsedMail['to']>;
      mail.cc = headers.get('cc') as NonNullable<ParsedMail['cc']>;
      mail.replyTo = headers.get('reply-to') as NonNullable<ParsedMail['replyTo']>;
    });
    parser.on('data', (data) => {
      if (data.type === 'text') {
        Object.assign(mail, { text: data.text, html: data.html });
        return;
      }
      const chunks: Buffer[] = [];
      data.content.on('data', (chunk: Buffer) => chunks.push(chunk));
      data.content.on('end', () => {
        mail.attachments.push({ ...data, content: Buffer.concat(chunks) } as unknown as Attachment);
        data.release();
      });
    });
    parser.on('error', reject);
    parser.on('end', () => resolve({ mail, warnings: [...warnings] }));
    parser.end(bytes);
  });
}

/**
 * Returns a parser with the private members that the limits replace.
 * @throws Error when one is missing, as it may be after an update of mailparser: it would parse without limits.
 */
function internalsOf(parser: MailParser): Internals {
  const internals = parser as unknown as Internals;
  const { splitter } = internals;
  const present = {
    processHeaders: typeof internals.processHeaders === 'function',
    headerLines: internals.headerLines === false || Array.isArray(internals.headerLines),
    'splitter.newNode': typeof splitter?.newNode === 'function',
    'splitter.checkBoundary': typeof splitter?.checkBoundary === 'function',
    'splitter.nodeCounter': typeof splitter?.nodeCounter === 'number',
    'splitter.config': typeof splitter?.config === 'object',
    'splitter.node.addHeaderChunk': typeof splitter?.node?.addHeaderChunk === 'function',
  };
  const missing = Object.entries(present).find(([, isPresent]) => !isPresent)?.[0];
  if (missing) throw new Error(`mailparser has no member "${missing}", which limits what it parses.`);
  return internals;
}

/** Adds the limits to a parser. The set fills with warnings while it parses. */
function limit(parser: Internals): Set<string> {
  const warnings = new Set<string>();
  limitHeads(parser.splitter, warnings);
  limitParts(parser.splitter, warnings);
  const processHeaders = parser.processHeaders.bind(parser);
  // mailparser would decode every other field too, and join repeated ones in quadratic time.
  let fields = MESSAGE_FIELDS;
  parser.processHeaders = (lines) => {
    const read = lines.filter(({ key }) => fields.has(key)).map((line) => shortened(line, warnings));
    fields = PART_FIELDS;
    return processHeaders(read);
  };
  return warnings;
}

function shortened({ key, line }: HeaderLine, warnings: Set<string>): HeaderLine {
  if (line.length <= ADDRESS_FIELD_MAX || !ADDRESS_FIELDS.has(key)) return { key, line };
  warnings.add(`The header field "${key}" is read up to ${ADDRESS_FIELD_MAX} characters only.`);
  const end = line.lastIndexOf(',', ADDRESS_FIELD_MAX);
  return { key, line: line.slice(0, end > 0 ? end : ADDRESS_FIELD_MAX) };
}

/** Drops header fields beyond the limits before mailsplit keeps them. Both limits span all parts. */
function limitHeads(splitter: Splitter, warnings: Set<string>): void {
  let fieldsLeft = HEADER_FIELDS_MAX;
  let bytesLeft = HEADER_BYTES_MAX;
  let dropping = false;
  const addChunk = (node: PartHead) => {
    const keep = node.addHeaderChunk.bind(node);
    node.addHeaderChunk = (line) => {
      if (!line) return;
      const isFolded = line[0] === SPACE || line[0] === TAB;
      if (!isFolded) {
        dropping = false;
        fieldsLeft -= 1;
      }
      if (dropping || fieldsLeft < 0 || line.length > bytesLeft) {
        // The line that ends the header is not a field, and not needed once the rest is known.
        if (line.length <= 2) return;
        dropping = true;
        warnings.add(
          `The header is read up to ${HEADER_FIELDS_MAX} fields and ${HEADER_BYTES_MAX} bytes only, all parts together.`,
        );
        return;
      }
      bytesLeft -= line.length;
      keep(withoutBareCr(line));
    };
  };
  addChunk(splitter.node);
  const newNode = splitter.newNode.bind(splitter);
  splitter.newNode = (parent) => {
    newNode(parent);
    addChunk(splitter.node);
  };
}

/** Replaces carriage returns inside a header line by spaces: mailsplit's search for trailing ones is quadratic in a run. */
function withoutBareCr(line: Buffer): Buffer {
  const end = line[line.length - 1] === LF ? line.length - (line[line.length - 2] === CR ? 2 : 1) : line.length;
  if (!line.subarray(0, end).includes(CR)) return line;
  const copy = Buffer.from(line);
  for (let at = copy.indexOf(CR); at >= 0 && at < end; at = copy.indexOf(CR, at + 1)) copy[at] = SPACE;
  return copy;
}

/** Stops searching for delimiters once the message has enough parts: what follows belongs to the last one. */
function limitParts(splitter: Splitter, warnings: Set<string>): void {
  const checkBoundary = splitter.checkBoundary.bind(splitter);
  let cut = false;
  splitter.checkBoundary = (line) => {
    if (cut) return false;
    if (splitter.nodeCounter < PARTS_MAX) return checkBoundary(line);
    // An attached message would be split without any delimiter.
    splitter.config.ignoreEmbedded = true;
    const found = checkBoundary(line);
    if (found !== 1 && found !== 3) return found;
    cut = true;
    warnings.add(`The message is split into ${PARTS_MAX} parts only; the rest is in the last one.`);
    return false;
  };
}
