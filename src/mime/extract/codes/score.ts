import type { Clause, Name } from '../clauses.js';
import type { Candidate } from './candidates.js';

/**
 * Judges candidates by the words around them. Everything that is observed about a candidate has a weight; the
 * confidence is the logistic function of their sum.
 */

/** A clause with its candidates. */
export interface Searched {
  clause: Clause;
  candidates: readonly Candidate[];
}

/** A message, with what is observed about all of its candidates. */
export interface Message {
  clauses: readonly Searched[];
  observed: readonly string[];
  /** The weights of these. */
  sum: number;
  /** Values that a sentence of the message names as another number. */
  others: ReadonlySet<string>;
}

/** A logistic regression over test/fixtures/codes without the eleventh set, rounded. Decision 109. */
const WEIGHTS: Readonly<Record<string, number>> = {
  'after: asked sign directly': 0.7,
  'after: code closely': 1.7,
  'after: code directly': 1.8,
  'after: code far': 0.9,
  'after: other directly': -1.6,
  'before: also code': 2.2,
  'before: also sign': 2.5,
  'before: asked sign directly': -1.1,
  'before: code closely': 2.8,
  'before: code colon': 4.3,
  'before: code directly': 3.4,
  'before: code far': 1.4,
  'before: other closely': -2.7,
  'before: other colon': -3.7,
  'before: other directly': -4.8,
  'before: other far': -3.2,
  'before: sign closely': -0.3,
  'before: sign colon': -1.8,
  'before: sign directly': -2,
  'before: sign far': -0.4,
  'colon before': 1.4,
  'confirms a booking': -5.9,
  'in subject': 1.3,
  'line after: asked sign next': 2.3,
  'line after: code and other next': 0.6,
  'line after: code further': 2.8,
  'line after: code next': 2.2,
  'line after: colon': 1.2,
  'line after: enter': 2.6,
  'line after: heading': -0.9,
  'line after: other further': -0.5,
  'line after: other next': -2.6,
  'line after: purpose': 2.1,
  'line before: asked sign': 0.6,
  'line before: code': 1,
  'line before: offer': -2.1,
  'line before: purpose': 0.6,
  'line before: sign': 0.7,
  'message: booking': -1.3,
  'message: meeting or software': -6.3,
  'message: name in subject': 1.3,
  'message: offer': -2.1,
  'message: purpose in subject': 0.5,
  'message: several values': -1.3,
  'only value in sentence': 2.2,
  'only value on line': 1.1,
  'other elsewhere': -2.8,
  'own line': 2.3,
  quoted: 0.9,
  'sentence after: code and other next': 1.3,
  'sentence after: code further': -1.1,
  'sentence after: colon': 0.6,
  'sentence after: enter': 0.4,
  'sentence after: heading': -0.5,
  'sentence after: other further': -0.5,
  'sentence after: other next': -1.7,
  'sentence after: purpose': -0.7,
  'sentence before: asked sign': 1.1,
  'sentence before: code': -0.4,
  'sentence before: other': -1.3,
  'sentence before: purpose': 1.9,
  'sentence: enter': 1.6,
  'sentence: enter directly': 2,
  'sentence: offer': -3.9,
  'sentence: purpose': 2.1,
  'shape: 4 digits': -0.6,
  'shape: 6 digits': 1,
  'shape: 7 digits': -2,
  'shape: coupon': -5.2,
  'shape: long': -2.1,
  'shape: mixed': 1.4,
  'shape: range': -1.9,
  'shape: reference': -1,
  'shape: word': -4.4,
  'shape: year': -2.7,
  'word after': -3,
  'word before': -1.8,
};
const BASE = -3.3;

/** Returns the confidence that a candidate is a one-time code, from 0 to 1. */
export function confidenceOf(message: Message, index: number, order: number): number {
  return 1 / (1 + Math.exp(-message.sum - sumOf(observe(message, index, order))));
}

function sumOf(observed: readonly string[]): number {
  return observed.reduce((sum, each) => sum + (WEIGHTS[each] ?? 0), 0);
}

/** The line of the subject, which names what the message is about. */
const SUBJECT_LINE = 0;
/** A discount has no decimals, unlike the interest of a loan. */
const PERCENT = /(?<![\d.,])\d{1,2} ?[%\uff05\u066a]/;
/** With this many values in a message, most of them are not codes. */
const SEVERAL = 4;
/** Meetings, whose numbers and passcodes are not one-time codes, and reports about software. */
const MEETING_OR_SOFTWARE =
  /\b(?:meeting|webinar)[- ]?id\b|\bid (?:de (?:la )?)?(?:reunion|reuniao|riunione|spotkania)|\u30df\u30fc\u30c6\u30a3\u30f3\u30b0 ?id|\u4f1a\u8bae\u53f7|\b(?:pull|merge) request\b|\bpr #\d|\bstack ?trace\b|\bchangelog\b|\brelease notes\b/;

/** Observes what a message says as a whole. */
export function messageOf(clauses: readonly Searched[]): Message {
  const texts = clauses.map(({ clause }) => clause);
  const subject = texts.filter(({ line }) => line === SUBJECT_LINE);
  const values = new Set(clauses.flatMap(({ candidates }) => candidates.map(({ value }) => value)));
  const bookings = texts.flatMap(({ words }) => words.filter(({ kind }) => kind === 'booking'));
  const facts = {
    purpose: texts.some(hasPurpose),
    'purpose in subject': subject.some((clause) => hasPurpose(clause) || clause.has('password')),
    'name in subject': subject.some(({ names }) => names.some(({ kind }) => kind === 'code')),
    offer: texts.some((clause) => clause.has('offer') || PERCENT.test(clause.folded)),
    booking: bookings.length > 1,
    'meeting or software': texts.some(({ folded }) => MEETING_OR_SOFTWARE.test(folded)),
    'one value': values.size === 1,
    'several values': values.size >= SEVERAL,
  };
  const observed = present(facts).map((fact) => `message: ${fact}`);
  return { clauses, observed, sum: BASE + sumOf(observed), others: othersOf(clauses) };
}

/** Returns the values that occur more than once, and that a name of another number precedes somewhere. */
function othersOf(clauses: readonly Searched[]): Set<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { candidates } of clauses)
    for (const { value } of candidates) (seen.has(value) ? repeated : seen).add(value);
  const others = new Set<string>();
  if (repeated.size === 0) return others;
  for (const { clause, candidates } of clauses) {
    candidates.forEach(({ value, start }, order) => {
      if (!repeated.has(value) || others.has(value)) return;
      const name = nameBefore(clause, candidates, order);
      if (name?.kind === 'other' && /^(?:directly|colon)$/.test(gapOf(clause, name.end, start))) others.add(value);
    });
  }
  return others;
}

/** Returns the last name between the previous candidate of a clause and this one. */
function nameBefore({ names }: Clause, candidates: readonly Candidate[], order: number): Name | undefined {
  const from = candidates[order - 1]?.end ?? 0;
  const { start } = candidates[order] as Candidate;
  return names.filter((name) => name.start >= from && name.end <= start).at(-1);
}

function present(facts: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(facts).filter((fact) => facts[fact]);
}

function hasPurpose(clause: Clause): boolean {
  return clause.has('purpose') || clause.has('verify') || clause.has('login');
}

/** Characters between a candidate and a request to enter it, before and behind it. */
const ENTER_BEFORE = 60;
const ENTER_AFTER = 12;
/** Characters in front of a candidate that are searched for a word. */
const WORD_MAX = 32;
/** Characters of a text in front of a code that can refer to the sentence before, as "here it is:". */
const SHORT = 24;
const CONFIRMATION =
  /confirm|bestatig|conferm|potwierd|\u78ba\u8a8d|\u786e\u8ba4|\u043f\u043e\u0434\u0442\u0432\u0435\u0440|bevestig/;

/** Returns what is observed about a candidate. */
export function observe(message: Message, index: number, order: number): string[] {
  const { clause, candidates } = message.clauses[index] as Searched;
  const candidate = candidates[order] as Candidate;
  const { start, end } = candidate;
  const from = candidates[order - 1]?.end ?? 0;
  const before = clause.folded.slice(from, start);
  const tail = before.slice(-WORD_MAX);
  const after = clause.folded.slice(end, candidates[order + 1]?.start);
  const earlier = clause.names.filter((name) => name.end <= start);
  const left = nameBefore(clause, candidates, order);
  const right = clause.names.find((name) => name.start >= end && name.end <= end + after.length);
  const enter = clause.words.filter(({ kind }) => kind === 'enter');
  const isBare = isBareAt(clause, candidates, candidate);
  const isOnly = message.observed.includes('message: one value') && message.observed.includes('message: purpose');
  const seen = [`shape: ${shapeOf(candidate)}`];
  if (left) seen.push(`before: ${kindIn(clause, left)} ${gapOf(clause, left.end, start)}`);
  if (right && (right.kind !== 'other' || right.start - end < 3))
    seen.push(`after: ${kindIn(clause, right)} ${gapOf(clause, end, right.start)}`);
  const others = new Set(earlier.filter((name) => name !== left).map(({ kind }) => kind));
  const facts = {
    'before: also code': left?.kind !== 'code' && others.has('code'),
    'before: also sign': left?.kind === 'other' && !others.has('code') && others.has('sign'),
    'sentence: enter': enter.some((word) =>
      word.end <= start ? start - word.end < ENTER_BEFORE : word.start - end < ENTER_AFTER && word.start >= end,
    ),
    'sentence: enter directly': enter.some(
      (word) => word.end <= start && gapOf(clause, word.end, start) === 'directly',
    ),
    'sentence: purpose': hasPurpose(clause),
    'sentence: offer': clause.has('offer'),
    'confirms a booking': message.observed.includes('message: booking') && CONFIRMATION.test(clause.folded),
    'in subject': clause.line === SUBJECT_LINE,
    'other elsewhere': left?.kind !== 'other' && message.others.has(candidate.value),
    'own line': isBare,
    'only value on line': isOnly && isBare,
    'only value in sentence': isOnly && !isBare,
    'word before': !isBare && hasUnknown(clause, /([\p{L}\p{M}']+)[\s(#.:]{0,3}$/u.exec(tail), start - tail.length),
    'word after': !isBare && hasUnknown(clause, /^[ -]([\p{sc=Latin}\p{sc=Cyrillic}']+)/u.exec(after), end),
    'colon before': !isBare && /[:\uff1a]\s?["'*([]?\s?$/.test(tail),
    quoted: !isBare && /["'\u201c\u201e\u00ab\u300c\u3010*[]\s?$/.test(tail),
  };
  seen.push(...present(facts));
  if (!left && !right && (isBare || before.trim().length < SHORT))
    seen.push(...observeNeighbors(message, index, isBare ? 'line' : 'sentence'));
  return seen;
}

/** Returns whether a line, or the cell of a table with a candidate, has nothing but candidates. */
function isBareAt({ folded }: Clause, candidates: readonly Candidate[], { start, end }: Candidate): boolean {
  const from = folded.lastIndexOf('\t', start) + 1;
  const to = folded.indexOf('\t', end);
  const isRow = from > 0 || to >= 0;
  if (
    isRow &&
    !WORDS.test(folded.slice(from, start)) &&
    !WORDS.test(to < 0 ? folded.slice(end) : folded.slice(end, to))
  )
    return true;
  const ends = [0, ...candidates.map((each) => each.end)];
  return ends.every((each, index) => !WORDS.test(folded.slice(each, candidates[index]?.start)));
}

const WORDS = /[\p{L}\p{N}]/u;

/** Returns whether a matched word, with its letters in the first group, belongs to no list of words. */
function hasUnknown(clause: Clause, match: RegExpExecArray | null, from: number): boolean {
  return match !== null && !isKnown(clause, from + match.index + match[0].indexOf(match[1] ?? ''));
}

function isKnown({ words }: Clause, at: number): boolean {
  return words.some(({ start, end }) => start <= at && at < end);
}

/** Names a sign that the sentence asks for, or for which it gives a purpose. */
function kindIn(clause: Clause, { kind }: Name): string {
  return kind === 'sign' && (clause.has('enter') || hasPurpose(clause)) ? 'asked sign' : kind;
}

/** Characters between a name and a candidate that are read. */
const REACH = 120;

/** Describes the text between a name and a candidate by its number of unknown words. */
function gapOf(clause: Clause, from: number, to: number): string {
  const gap = clause.folded.slice(from, to);
  if (gap.length > REACH) return 'far';
  if (/[:\uff1a]\s?\W?\s?$/.test(gap)) return 'colon';
  const words = Array.from(gap.matchAll(/[\p{L}\p{M}\p{N}']+/gu));
  const unknown = words.filter(({ index }) => !isKnown(clause, from + index)).length;
  return ['directly', 'closely'][unknown] ?? 'far';
}

/** Clauses and lines before a code that may name it, and clauses behind it. */
const BACK = 4;
const BACK_LINES = 9;
const FORWARD = 2;
/** Characters of a clause that is a heading rather than a sentence. */
const HEADING_MAX = 40;

/** Observes the clauses around one without names: they may name the code on the line, or in the sentence. */
function observeNeighbors({ clauses }: Message, index: number, at: string): string[] {
  const seen: string[] = [];
  const own = (clauses[index] as Searched).clause;
  const above: Clause[] = [];
  for (let each = index - 1; each >= 0 && above.length < BACK; each -= 1) {
    const { clause } = clauses[each] as Searched;
    if (own.line - clause.line > BACK_LINES) break;
    const isRow = clause.text.includes('\t') && clause.names.length === 0;
    if (!isRow && /\p{L}{2}/u.test(clause.folded)) above.push(clause);
  }
  const named = above.findIndex(({ names }) => names.length > 0);
  const last = above[named]?.names.at(-1);
  if (last) {
    const clause = above[named] as Clause;
    const sameLine = above.filter(({ line }) => line === clause.line);
    const hasCode = sameLine.some(({ names }) => names.some(({ kind }) => kind === 'code'));
    const also = last.kind !== 'code' && hasCode ? 'code and ' : '';
    seen.push(`${at} after: ${also}${kindIn(clause, last)} ${named === 0 ? 'next' : 'further'}`);
  }
  const [next] = above;
  if (next) {
    const facts = {
      colon: /[:\uff1a]$/.test(next.folded),
      heading: next.folded.length < HEADING_MAX && !/[.!?:]$/.test(next.folded) && next.line > SUBJECT_LINE,
      enter: next.has('enter'),
      purpose: hasPurpose(next),
    };
    seen.push(...present(facts).map((fact) => `${at} after: ${fact}`));
  }
  const below: Searched[] = [];
  for (let each = index + 1; each < clauses.length && below.length < FORWARD; each += 1) {
    const searched = clauses[each] as Searched;
    if (/\p{L}{2}/u.test(searched.clause.folded)) below.push(searched);
  }
  const naming = below.find(({ clause, candidates }) => clause.names.length > 0 && candidates.length === 0)?.clause;
  if (naming?.names[0]) seen.push(`${at} before: ${kindIn(naming, naming.names[0])}`);
  if (below[0] && hasPurpose(below[0].clause)) seen.push(`${at} before: purpose`);
  if (below.some(({ clause }) => clause.has('offer') || PERCENT.test(clause.folded))) seen.push(`${at} before: offer`);
  return seen;
}

/** The form that shops give to codes: a word and a number. */
const COUPON = /^(?=[A-Z]*[AEIOUY])[A-Z]{3,}\d{1,4}(?:X\d|[A-Z]{2,4})?$/;
const LONG = 9;

function shapeOf({ shape, value }: Candidate): string {
  if (COUPON.test(value)) return 'coupon';
  if (shape !== 'digits') return shape;
  return value.length >= LONG ? 'long' : `${value.length} digits`;
}
