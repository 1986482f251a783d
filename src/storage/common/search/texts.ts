import { inUnicode } from '../../../contract/recipient-pattern.js';
import type { Condition, Pattern } from '../../../contract/vocabulary/query/query.js';
import { atomsOf } from '../../../contract/vocabulary/query/regex.js';
import { searchForm } from '../../../contract/vocabulary/text.js';
import type { SearchDocument } from '../../../core/model/search.js';

/** Defines the texts of emails that are indexed for searches, and the texts that a condition looks for in them. */

/** The parts of an email that are indexed apart. */
export type IndexedPart = 'subject' | 'address' | 'content';

/** Characters of content above which an email is not indexed. Searches test it themselves. */
export const CONTENT_MAX = 100_000;

const HEAD: readonly IndexedPart[] = ['subject', 'address'];

/** The parts of the index with the texts that a field is compared with. */
const partsOfField: Partial<Record<Condition['field'], readonly IndexedPart[]>> = {
  any: [...HEAD, 'content'],
  subject: ['subject'],
  text: ['content'],
  from: ['address'],
  cc: ['address'],
  bcc: ['address'],
  recipient: ['address'],
  dropped: ['address'],
  attachment: ['address'],
  'message-id': ['address'],
};

/** The texts of a condition that an index can find, and the parts in which one of them must be. */
export interface IndexedTexts {
  parts: readonly IndexedPart[];
  /** Each of them is in every match. */
  texts: readonly string[];
}

/** Returns the texts of a condition; undefined if it compares others. */
export function textsOfCondition(condition: Condition): IndexedTexts | undefined {
  const parts = partsOfField[condition.field];
  if (!parts || !('pattern' in condition)) return undefined;
  return { parts, texts: textsOf(condition.pattern, condition.field === 'message-id') };
}

/** Returns texts that every match of a pattern contains. */
function textsOf(pattern: Pattern, isMessageId: boolean): readonly string[] {
  if (pattern.kind === 'regex') return literalsOf(pattern.source);
  if (pattern.kind === 'glob') return pattern.parts;
  return [isMessageId ? pattern.text.replace(/^<([\s\S]*)>$/, '$1') : pattern.text];
}

/** Returns the texts of an email by the part in which they are indexed. `content` is its text and its HTML as text. */
export function indexedTexts(document: SearchDocument, content: string): Record<IndexedPart, string> {
  const { subject, from, fromMailbox, replyTo, recipients, attachments, extracts } = document;
  const messageIds = (extracts?.headers ?? []).filter(([name]) => name.toLowerCase() === 'message-id');
  const addresses = [
    from,
    ...mailboxOf(from, fromMailbox),
    replyTo ?? '',
    ...recipients.flatMap(({ address, mailbox }) => [address, ...mailboxOf(address, mailbox)]),
    ...attachments,
    ...messageIds.map(([, value]) => value),
  ];
  return { subject, address: addresses.join('\n'), content };
}

/** Returns the mailbox if its address has another form, and its domain in Unicode, which searches compare too. */
function mailboxOf(address: string, mailbox: string): string[] {
  if (mailbox.includes('xn--')) return [mailbox, inUnicode(mailbox)];
  return address.includes(mailbox) ? [] : [mailbox];
}

/** Characters that only match themselves, and that are the same in the form in which searches compare texts. */
const PLAIN = /^[a-z0-9_@:"'=#%&,;!~<>/-]$/i;
const ESCAPED = /^\\[.\-/+*?()[\]{}|^$@:"'=#%&,;!~<>_]$/;

/**
 * Returns texts that every match of a regular expression contains, without case. Finds only simple ones, and none in
 * groups or alternatives.
 */
function literalsOf(source: string): string[] {
  if (source.includes('|') || source.includes('\\Q') || source.includes('(?')) return [];
  const literals: string[] = [];
  let depth = 0;
  let run = '';
  // The last character could combine with the one after it in the text, such as e and an accent.
  const end = (dropped: number) => {
    literals.push(run.slice(0, Math.max(0, run.length - dropped)));
    run = '';
  };
  for (const [atom] of atomsOf(source)) {
    const character = ESCAPED.test(atom) ? atom.slice(1) : atom;
    const isPlain = depth === 0 && (ESCAPED.test(atom) || PLAIN.test(atom));
    if (isPlain) run += character;
    // A quantifier makes the character before it optional.
    else end('*?{+'.includes(atom[0] ?? ' ') ? 2 : 1);
    if (atom === '(') depth += 1;
    else if (atom === ')') depth -= 1;
  }
  end(1);
  return literals.filter((literal) => literal.length >= 3);
}

/** Returns whether a value that matches a pattern is equal to it without white space around it. */
export function isTrimmed(pattern: Pattern): boolean {
  return pattern.kind !== 'contains' || searchForm(pattern.text) === tagForm(pattern.text);
}

/** Returns the form in which searches compare a tag. */
export function tagForm(tag: string): string {
  return searchForm(tag).trim();
}
