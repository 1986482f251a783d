import { inUnicode } from '../../contract/recipient-pattern.js';
import { matchesParts } from '../../contract/vocabulary/helpers/glob.js';
import { searchForm } from '../../contract/vocabulary/helpers/search-form.js';
import { isWholeAddress, normalizeAddress } from '../../contract/vocabulary/parsers/address.js';
import type { Condition, Pattern } from '../../contract/vocabulary/query/query.js';
import type { RegularExpressions } from './regular-expressions.js';
import type { SearchedAddress, SearchedText } from './searched-email.js';

/** Compiles patterns to tests of texts and addresses. */

export type TextTest = (text: SearchedText) => boolean;
export type AddressTest = (address: SearchedAddress) => boolean;

/** What a pattern without `*` matches: a part of a text, or all of it. */
type Extent = 'part' | 'whole';

/** Returns a test of texts. A glob matches a whole text; in free text, a part of one. */
export async function textTest(
  condition: Condition,
  pattern: Pattern,
  expressions: RegularExpressions,
  extent: Extent = 'part',
): Promise<TextTest> {
  if (pattern.kind === 'regex') {
    const matches = await expressions.compile(condition, pattern);
    return ({ raw }) => matches(raw);
  }
  if (pattern.kind === 'glob') {
    const parts = pattern.parts.map(searchForm);
    const within = condition.field === 'any' ? ['', ...parts, ''] : parts;
    return ({ folded }) => matchesParts(within, folded);
  }
  const text = searchForm(pattern.text);
  return extent === 'whole' ? ({ folded }) => folded === text : ({ folded }) => folded.includes(text);
}

/**
 * Returns a test of addresses. A whole address is compared with the mailbox, a glob with all of the mailbox, and any
 * other text or a regular expression with a part of the address and its name.
 */
export async function addressTest(
  condition: Condition,
  pattern: Pattern,
  expressions: RegularExpressions,
): Promise<AddressTest> {
  if (pattern.kind === 'contains' && isWholeAddress(pattern.text)) {
    const wanted = normalizeAddress(pattern.text);
    return ({ mailbox }) => mailbox.raw === wanted || normalizeAddress(mailbox.raw) === wanted;
  }
  const matches = await textTest(condition, pattern, expressions);
  if (pattern.kind === 'glob') return ({ mailbox }) => matches(mailbox) || matchesInUnicode(matches, mailbox);
  return ({ text, mailbox }) => matches(text) || (pattern.kind === 'regex' && matches(mailbox));
}

function matchesInUnicode(matches: TextTest, mailbox: SearchedText): boolean {
  if (!mailbox.folded.includes('xn--')) return false;
  const folded = searchForm(inUnicode(mailbox.folded));
  return matches({ raw: folded, folded } as SearchedText);
}
