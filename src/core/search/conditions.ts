import { inUnicode } from '../../contract/recipient-pattern.js';
import { isWholeAddress, normalizeAddress } from '../../contract/vocabulary/addresses.js';
import type { Condition, Pattern, WordField } from '../../contract/vocabulary/query/query.js';
import { placeWithin, QueryError, quotedPart } from '../../contract/vocabulary/query/query-error.js';
import { REGEX_SIZE_MAX, regexSize, tooLarge } from '../../contract/vocabulary/query/regex.js';
import { matchesParts, searchForm } from '../../contract/vocabulary/text.js';
import type { SearchDocument } from '../model/search.js';
import type { SearchedAddress, SearchedEmail, SearchedText } from './searched-email.js';

/** Compiles conditions to tests of emails. */

/** Returns undefined if that depends on content that is not searched yet. */
export type EmailTest = (email: SearchedEmail) => boolean | undefined;

/** Returns a test of emails. `now` is the time from which durations count back. */
export async function conditionTest(
  condition: Condition,
  now: number,
  expressions: RegularExpressions,
): Promise<EmailTest> {
  switch (condition.field) {
    case 'before':
    case 'after': {
      const at = 'at' in condition.time ? condition.time.at : now - condition.time.ago;
      const isBefore = condition.field === 'before';
      return ({ document: { createdAt } }) => createdAt < at === isBefore;
    }
    case 'larger':
      return ({ document: { size } }) => size > condition.bytes;
    case 'smaller':
      return ({ document: { size } }) => size < condition.bytes;
    case 'status':
    case 'is':
    case 'has':
    case 'origin':
    case 'event': {
      const test = wordTest(condition.field, condition.word);
      return ({ document }) => test(document);
    }
    case 'header': {
      const { name } = condition;
      const matches = await textTest(condition, condition.pattern, expressions);
      return (email) => email.header(name)?.some(matches);
    }
    default:
      return patternTest(condition, condition.pattern, expressions);
  }
}

type PatternCondition = Extract<Condition, { pattern: Pattern }>;

async function patternTest(
  condition: PatternCondition,
  pattern: Pattern,
  expressions: RegularExpressions,
): Promise<EmailTest> {
  const addresses = addressesOf(condition.field);
  if (addresses) {
    const matches = await addressTest(condition, pattern, expressions);
    return (email) => addresses(email).some(matches);
  }
  if (condition.field === 'message-id') {
    const matches = await textTest(condition, withoutBrackets(pattern), expressions, 'whole');
    return (email) => email.messageIds?.some(matches);
  }
  const texts = textsOf(condition.field);
  const readsContent = condition.field === 'any' || condition.field === 'text';
  const isPart = readsContent || condition.field === 'subject' || condition.field === 'attachment';
  const matches = await textTest(condition, pattern, expressions, isPart ? 'part' : 'whole');
  if (!readsContent) return (email) => texts(email).some(matches);
  return (email) => {
    if (condition.field === 'any' && texts(email).some(matches)) return true;
    return email.content.some(matches) || (email.hasAllContent ? false : undefined);
  };
}

function addressesOf(field: PatternCondition['field']): ((email: SearchedEmail) => SearchedAddress[]) | undefined {
  if (field === 'from') return (email) => email.sender;
  if (field === 'cc' || field === 'bcc') return (email) => email.recipients(field);
  if (field === 'recipient') return (email) => email.allRecipients;
  return field === 'dropped' ? (email) => email.dropped : undefined;
}

/** Returns the texts of a field, without the content. */
function textsOf(field: PatternCondition['field']): (email: SearchedEmail) => SearchedText[] {
  switch (field) {
    case 'any':
      return (email) => email.heads;
    case 'subject':
      return (email) => email.subject;
    case 'attachment':
      return (email) => email.attachments;
    case 'tag':
      return (email) => email.tags;
    case 'id':
      return (email) => email.id;
    case 'template':
      return (email) => email.template;
    case 'workspace':
      return (email) => email.workspace;
    default:
      return () => [];
  }
}

/** A Message-ID is usually copied with its angle brackets. */
function withoutBrackets(pattern: Pattern): Pattern {
  if (pattern.kind !== 'contains') return pattern;
  return { kind: 'contains', text: pattern.text.replace(/^<([\s\S]*)>$/, '$1') };
}

type WordTest = (document: SearchDocument) => boolean | undefined;

const stateTests: Record<string, WordTest> = {
  unread: ({ read }) => !read,
  read: ({ read }) => read,
  scheduled: ({ status }) => status === 'scheduled',
  suppressed: ({ recipients }) => recipients.some(({ status }) => status === 'dropped'),
  injected: ({ recipients }) => recipients.some(({ status }) => status === 'bounced' || status === 'complained'),
};

const contentTests: Record<string, WordTest> = {
  attachment: ({ attachments }) => attachments.length > 0,
  html: ({ hasHtml }) => hasHtml,
  link: ({ extracts }) => extracts?.links && extracts.links.length > 0,
  code: ({ extracts }) => extracts?.codes && extracts.codes.length > 0,
  warning: ({ warnings }) => warnings.length > 0,
};

function wordTest(field: WordField, word: string): WordTest {
  if (field === 'status') return ({ status }) => status === word;
  if (field === 'origin') return ({ origin }) => origin === word;
  if (field === 'event') return ({ events }) => events.some((type) => type === word);
  return (field === 'is' ? stateTests : contentTests)[word] ?? (() => false);
}

/** Compiles patterns to tests of texts and addresses. */

type TextTest = (text: SearchedText) => boolean;
type AddressTest = (address: SearchedAddress) => boolean;

/** What a pattern without `*` matches: a part of a text, or all of it. */
type Extent = 'part' | 'whole';

/** Returns a test of texts. A glob matches a whole text; in free text, a part of one. */
async function textTest(
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
async function addressTest(
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

/** Compiles the regular expressions of a query with RE2, whose time grows with the length of the text only. */

type Regex = Extract<Pattern, { kind: 'regex' }>;

/** Characters of each text that a regular expression reads. With REGEX_SIZE_MAX, this limits the time for one email. */
const REGEX_TEXT_CHARACTERS = 200_000;

const LOOK_HINT =
  'Lookahead, lookbehind and backreferences are not supported. Use several conditions, and - to negate one.';

type Test = (text: string) => boolean;

export class RegularExpressions {
  #size = 0;

  /** Returns a function that tests a text for a match. @throws QueryError if the regular expression is invalid. */
  async compile(condition: Condition, { source, ignoreCase }: Regex): Promise<Test> {
    const start = condition.source.indexOf('/') + 1;
    this.#size += regexSize(source);
    if (this.#size > REGEX_SIZE_MAX) throw tooLarge(condition);
    const { RE2JS, RE2JSSyntaxException } = await import('re2js');
    try {
      const compiled = RE2JS.compile(RE2JS.translateRegExp(source), ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
      return (text) => compiled.test(text.length > REGEX_TEXT_CHARACTERS ? text.slice(0, REGEX_TEXT_CHARACTERS) : text);
    } catch (error) {
      if (!(error instanceof RE2JSSyntaxException)) throw error;
      throw syntaxError(condition, start, error.error, error.input ?? '');
    }
  }
}

function syntaxError(condition: Condition, start: number, problem: string, part: string): QueryError {
  const found = part === '' ? -1 : condition.source.indexOf(part.replaceAll('/', '\\/'), start);
  const place = placeWithin(condition, found === -1 ? start : found);
  const unsupported = /^\(\?<?[=!]|^\\[1-9k]/.exec(part);
  if (unsupported) {
    return new QueryError(
      place,
      `unsupported ${quotedPart(unsupported[0])} in a regular expression`,
      "RE2's syntax",
      LOOK_HINT,
    );
  }
  const quoted = part === '' ? '' : ` ${quotedPart(part)}`;
  return new QueryError(place, `invalid regular expression (${problem}${quoted})`, "RE2's syntax");
}
