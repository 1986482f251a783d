import { type Difference, type Field, isRaised } from './differences.js';
import type { Mailbox, Part, SecondReading } from './second-parser.js';

/** Lists the accepted differences between svc's reading of a message and the second parser's, each with its reason. */

export interface Message {
  /** One character per byte. */
  raw: string;
  second: SecondReading;
}

export interface AcceptedDifference {
  reason: string;
  fields: readonly Field[];
  applies(difference: Difference, message: Message): boolean;
}

const BODIES = ['text', 'html'] as const;
const CONTENT = [...BODIES, 'attachments'] as const;

/** The SHA-256 of no bytes. */
const EMPTY_DIGEST = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export const acceptedDifferences: readonly AcceptedDifference[] = [
  {
    reason: 'a message that is one empty text with a file name: svc shows an empty body, the second parser a file',
    fields: ['attachments'],
    applies: ({ svc, second }, message) =>
      svc === '' && partsOf(message).length === 1 && second.includes(EMPTY_DIGEST) && !second.includes('\n'),
  },
  {
    reason: 'format=flowed: svc joins the lines that RFC 3676 says are one, the second parser leaves them',
    fields: ['text'],
    applies: ({ svc, second }, message) =>
      partsOf(message).some(({ flowed }) => flowed) && withoutBlanksAndQuotes(svc) === withoutBlanksAndQuotes(second),
  },
  {
    reason: 'a message inside that is to be shown inline: svc shows its text, the second parser keeps it whole',
    fields: CONTENT,
    applies: ({ field, svc, second }, message) => {
      const inside = partsOf(message).some(
        (part) => part.type === 'message/rfc822' && part.disposition !== 'attachment',
      );
      if (field === 'attachments') return inside;
      return inside && second.split('\n').every((line) => svc.includes(line));
    },
  },
  {
    reason: 'base64 or quoted-printable that is not what RFC 2045 allows: each parser goes on where it can',
    fields: CONTENT,
    applies: (_, message) => partsOf(message).some(({ well_encoded }) => !well_encoded),
  },
  {
    reason: 'text outside of its declared charset: svc reads windows-1252, the second parser drops the bytes',
    fields: ['subject', 'from', ...BODIES],
    applies: ({ svc, second }) =>
      second.includes('\ufffd') && ascii(svc).includes(ascii(second.slice(0, second.indexOf('\ufffd')))),
  },
  {
    reason: 'East Asian charsets: a few characters have another Unicode code point in browsers’ tables than in others',
    fields: BODIES,
    applies: ({ svc, second }, message) =>
      partsOf(message).some(({ charset }) => /^(big5|gb|euc-|ks_c|shift|iso-2022)/.test(charset)) &&
      ascii(svc) === ascii(second),
  },
  {
    reason: 'a Content-Type that is none: svc reads it as what it resembles, the second parser as text',
    fields: CONTENT,
    applies: (_, message) =>
      partsOf(message).some(
        ({ given_type }) => given_type !== null && !/^\s*[\w.+-]+\/[\w.+-]+\s*(;|$)/.test(given_type),
      ),
  },
  {
    reason:
      'a header section that does not end, or does not begin: each parser takes another line for the first of the body',
    fields: ['from', ...CONTENT],
    applies: (_, { second }) =>
      second.defects.some((defect) =>
        ['MissingHeaderBodySeparatorDefect', 'FirstHeaderLineIsContinuationDefect'].includes(defect),
      ),
  },
  {
    reason: 'a multipart whose boundaries are not there or are one another’s: each parser finds other parts',
    fields: CONTENT,
    applies: (_, { second }) =>
      second.defects.some((defect) => ['StartBoundaryNotFoundDefect', 'NoBoundaryInMultipartDefect'].includes(defect)),
  },
  {
    reason: 'a boundary on a part that is no multipart: svc reads the parts all the same',
    fields: CONTENT,
    applies: (_, message) => partsOf(message).some(({ boundary }) => boundary !== null),
  },
  {
    reason: 'application/octet-stream: svc gives the type that the file name stands for',
    fields: ['attachments'],
    applies: ({ svc, second }) =>
      second.includes('"application/octet-stream"') && withoutTypes(svc) === withoutTypes(second),
  },
  {
    reason: 'a file name with blanks that is not quoted: svc takes all of it, the second parser its first word',
    fields: ['attachments'],
    applies: (_, { raw }) => /name=[^"\s;]+[ ][^"\s;=]+/i.test(raw),
  },
  {
    reason: 'From: address (Name): svc takes the comment for the name, as mail of before RFC 2822 has it',
    fields: ['from', 'replyTo'],
    applies: ({ svc, second }) => svc.endsWith(`<${second}>`),
  },
  {
    reason: 'an address whose local part is quoted and holds an @: svc takes no address from it',
    fields: ['from'],
    applies: (_, { second }) => mailboxesOf(second.From).some(([, address]) => /^".*@.*"@/.test(address)),
  },
  {
    reason: 'an address field that RFC 5322 does not allow: the second parser finds no address in it, or only a part',
    fields: ['from', 'replyTo'],
    applies: ({ svc, second }) => second === '' || svc.includes(second.replace(/^.*</, '<')),
  },
];

/** Returns the first rule that allows a difference. */
export function explanationOf(difference: Difference, message: Message): AcceptedDifference | undefined {
  return acceptedDifferences.find(
    (accepted) => accepted.fields.includes(difference.field) && accepted.applies(difference, message),
  );
}

function partsOf({ second: { parts } }: Message): Part[] {
  return isRaised(parts) ? [] : parts;
}

function mailboxesOf(header: SecondReading['From']): Mailbox[] {
  return isRaised(header) ? [] : header.flat();
}

function withoutBlanksAndQuotes(text: string): string {
  return text.replace(/[\s>]+/g, '');
}

/** Returns the characters that every charset encodes alike. */
function ascii(text: string): string {
  return text.replace(/[^!-~]+/g, '');
}

function withoutTypes(attachments: string): string {
  return attachments
    .split('\n')
    .map((line) => JSON.stringify((JSON.parse(line) as string[]).filter((_, index) => index !== 1)))
    .join('\n');
}
