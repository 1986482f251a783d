import type { Clause } from '../clauses.js';
import { languages } from '../languages/languages.js';
import { spansOf } from '../spans.js';
import type { Candidate } from './candidates.js';
import { endsWithNoun, matches, mayNameCode, type Term, type Terms } from './terms.js';

/** Judges a candidate by the words around it. Every judgement is a confidence from 0 to 1. */

/** A clause with its candidates. */
export interface Searched {
  clause: Clause;
  candidates: Candidate[];
  /** Whether it has nothing but candidates. */
  isBare: boolean;
}

/** A message, with facts that are found when they are needed. */
export class Message {
  #namesCode: boolean | undefined;
  #isBooking: boolean | undefined;

  constructor(readonly clauses: readonly Searched[]) {}

  /** Whether the subject or a sentence names a one-time code. */
  get namesCode(): boolean {
    this.#namesCode ??= this.#some((terms) => terms.namesCode);
    return this.#namesCode;
  }

  /** Whether it is about a booking, which has a code of its own. */
  get isBooking(): boolean {
    this.#isBooking ??= isAboutBooking(this.clauses.map(({ clause }) => clause));
    return this.#isBooking;
  }

  /** Whether a sentence is about a discount. */
  get isOffer(): boolean {
    return this.#some((terms) => terms.isOffer);
  }

  /** Whether a sentence is about signing in or confirming something. */
  get hasPurpose(): boolean {
    return this.#some((terms) => terms.hasPurpose);
  }

  #some(test: (terms: Terms) => boolean): boolean {
    return this.clauses.some(({ clause }) => test(clause.terms));
  }
}

export interface Evidence {
  confidence: number;
  /** The clause that names the code, if it is another one. */
  named?: Clause;
}

const NONE: Evidence = { confidence: 0 };

/** Ends a text that introduces a code: a colon, a verb, or nothing but marks. */
const INTRODUCED =
  /^[\s"'\u201c\u201d\u201e\u00ab\u00bb()[\]\u3010\u3011\u300c\u300d:\uff1a=>*_.|,-]{0,12}$|[:\uff1a]\s?["'\u201c\u201d\u201e\u00ab\u300c\u3010(*\s]{0,4}$|(?:\b(?:is|are|be|ist|lautet|est|es|e|sera|to|brzmi|jest|as|als|ei|ar|now)|\u306f|\u304c|\u3092|\ub294|\uc740|\u662f|\u4e3a|\u70ba|-|=|\u2192)\s?["'\u201c\u201d\u201e\u00ab\u300c\u3010(*:\s]{0,4}$/;
/** Begins a text that calls the number before it a code. */
const CALLED =
  /^["'\u201d\u00bb)*\]\u300d\u3011]{0,3}(?: (?:is|are|ist|lautet|est|es|e|to|jest|als|as|como|come|comme|jako|som|sera|\u044d\u0442\u043e|\u044f\u0432\u043b\u044f\u0435\u0442\u0441\u044f)\b| ?[-:|] | ?(?:\u306f|\u304c|\u662f|\u4e3a|\u70ba|\u044d\u0442\u043e|\u044f\u0432\u043b\u044f\u0435\u0442\u0441\u044f)|,? ?\()/;
/** Words that can follow a code; another one is what a number counts. */
const FUNCTION_WORD =
  /^(?:is|to|as|in|into|on|for|at|when|within|and|or|if|expires?|will|ist|um|als|zum|zur|fur|ein|bei|und|oder|auf|lauft|est|pour|dans|sur|comme|et|afin|para|como|en|es|al|y|por|per|come|su|e|nella|nel|aby|jako|w|na|i|zeby|do|om|op|voor|\u0434\u043b\u044f|\u0447\u0442\u043e\u0431\u044b|\u043d\u0430|\u0432|\u043a\u0430\u043a|em|no|na|ao|eingeben|ein|\uc785\ub2c8\ub2e4|\uc744|\ub97c)(?![\p{L}])/u;
const CONFIRMATION =
  /confirm|bestatig|conferm|potwierd|\u78ba\u8a8d|\u786e\u8ba4|\u043f\u043e\u0434\u0442\u0432\u0435\u0440|bevestig/;

const REACH = 80;
/** Characters between a code and the sentence that it is part of. */
const NEAR = 24;

/** Judges a candidate. `before` is the end of the code before it in its clause. */
export function judge(message: Message, index: number, candidate: Candidate, before: number): Evidence {
  const searched = message.clauses[index] as Searched;
  const found = searched.isBare
    ? fromNeighbors(message, index, candidate)
    : fromClause(message, searched.clause, candidate, before);
  if (found.confidence > 0 && searched.clause.terms.isOffer) return NONE;
  const confidence = found.confidence * weightOf(candidate, found.confidence);
  if (confidence === 0 || isCoupon(message, index, candidate)) return NONE;
  return { ...found, confidence };
}

/** The form that shops give to codes: a word and a number. */
const COUPON = /^[A-Z]{4,}\d{1,4}(?:X\d)?$/;
/** Clauses around a coupon that name a discount. */
const AROUND = 2;

/** Returns whether a candidate with letters is a code of a shop. */
function isCoupon(message: Message, index: number, { value, shape }: Candidate): boolean {
  if (shape === 'digits') return false;
  if (COUPON.test(value) && (message.isOffer || !message.hasPurpose)) return true;
  return message.clauses
    .slice(Math.max(0, index - AROUND), index + AROUND + 1)
    .some(({ clause }) => clause.terms.isOffer);
}

/** Lowers the confidence for unusual forms. Those need a sentence that names the code directly. */
function weightOf({ shape, value }: Candidate, confidence: number): number {
  const isDirect = confidence >= DIRECT;
  switch (shape) {
    case 'digits':
      return value.length > 8 ? 0.85 : 1;
    case 'mixed':
      return 0.98;
    case 'year':
    case 'range':
      return isDirect ? 0.8 : 0;
    case 'reference':
      return isDirect ? 0.85 : 0;
    case 'small':
      return isDirect ? 0.85 : 0;
    case 'word':
      return isDirect ? 0.8 : 0;
  }
}

const DIRECT = 0.9;

function fromClause(message: Message, clause: Clause, candidate: Candidate, before: number): Evidence {
  const { start, end, shape } = candidate;
  const text = clause.folded;
  const isAsked = isEntered(text, start, end);
  if (!isAsked && !mayNameCode(text)) return NONE;
  const terms = clause.terms;
  const left = terms.named.filter((term) => term.start >= before && term.end <= start).at(-1);
  const between = left ? text.slice(left.end, start) : '';
  if (left?.kind === 'label' && between.length <= NEAR) return NONE;
  const isUsual = shape === 'digits' || shape === 'mixed';
  if (isCode(message, text, left) && between.length <= REACH) {
    const isPlain = between.trim() === '' && isQuantity(text, end) && !(terms.hasEnter || terms.hasPurpose);
    if (INTRODUCED.test(between) && !isPlain) return { confidence: 0.98 };
    const isOther = endsWithNoun(between) || isQuantity(text, end) || !isUsual;
    if (!isOther) return { confidence: terms.hasEnter || terms.hasPurpose ? 0.75 : 0.55 };
  }
  const isOther = endsWithNoun(text.slice(before, start));
  const right = terms.named.find((term) => term.start >= end);
  const isCalled = right && right.start - end <= REACH && CALLED.test(text.slice(end, end + NEAR));
  if (isCalled && !isOther && isCode(message, text, right)) return { confidence: 0.97 };
  if (isOther || isQuantity(text, end) || !isAsked) return NONE;
  return terms.hasPurpose || message.namesCode ? { confidence: 0.72 } : NONE;
}

/** Returns whether a term names a one-time code, and not the number of a booking. */
function isCode(message: Message, text: string, term: Term | undefined): boolean {
  if (term?.kind !== 'code') return false;
  return !(CONFIRMATION.test(text.slice(Math.max(0, term.start - NEAR), term.end + NEAR)) && message.isBooking);
}

/** Returns whether the text asks to enter what is between two positions. */
function isEntered(text: string, start: number, end: number): boolean {
  const left = text.slice(Math.max(0, start - NEAR), start);
  const right = text.slice(end, end + NEAR);
  return languages.some(({ enter }) => {
    const last = spansOf(left, enter).at(-1);
    if (last && left.length - last.end <= ENTER_BEFORE) return true;
    const at = right.search(enter);
    return at >= 0 && at <= ENTER_AFTER;
  });
}

/** Characters between a request to enter something and the code, before and after it. */
const ENTER_BEFORE = 12;
const ENTER_AFTER = 6;

function isQuantity(text: string, end: number): boolean {
  const next = /^[ -]([\p{L}]+)/u.exec(text.slice(end, end + NEAR))?.[1];
  return next !== undefined && !FUNCTION_WORD.test(next);
}

/** Clauses and lines before a code that may name it. */
const BACK = 4;
const BACK_LINES = 9;
const FORWARD = 2;

/** Judges a candidate on a line of its own: the closest clause that names a number decides. */
function fromNeighbors(message: Message, index: number, candidate: Candidate): Evidence {
  const { clauses } = message;
  const own = (clauses[index] as Searched).clause;
  let distance = 0;
  let isAsked = false;
  for (let at = index - 1; at >= 0 && distance < BACK; at -= 1) {
    const { clause, isBare } = clauses[at] as Searched;
    if (isBare) continue;
    if (own.line - clause.line > BACK_LINES) break;
    distance += 1;
    const terms = clause.terms;
    const last = terms.named.at(-1);
    if (last && terms.isOffer) return NONE;
    if (last?.kind === 'label' && (distance === 1 || clause.folded.length < SHORT)) return NONE;
    if (last?.kind === 'label') break;
    if (last) {
      if (CONFIRMATION.test(clause.folded) && message.isBooking) return NONE;
      return {
        confidence:
          candidate.shape === 'word' ? wordAfter(clause, distance) : ([0.97, 0.93, 0.9, 0.86][distance - 1] ?? 0.8),
        named: clause,
      };
    }
    const isNoun = distance === 1 && clause.line > SUBJECT_LINE && clause.folded.length < SHORT;
    if (isNoun && endsWithNoun(clause.folded)) return NONE;
    isAsked ||= distance <= 2 && (terms.hasEnter || terms.hasPurpose);
  }
  return fromNext(message, index) ?? (isAsked && message.namesCode ? { confidence: 0.7 } : NONE);
}

/** The line of the subject, which names what the message is about, not the number below it. */
const SUBJECT_LINE = 0;
/** Characters of a clause that is a label rather than a sentence. */
const SHORT = 40;

/** A word is a code only if the sentence in front of it introduces one. */
function wordAfter({ folded }: Clause, distance: number): number {
  return distance === 1 || /[:\uff1a]$/.test(folded) ? 0.93 : 0;
}

function fromNext(message: Message, index: number): Evidence | undefined {
  let distance = 0;
  for (let at = index + 1; at < message.clauses.length && distance < FORWARD; at += 1) {
    const { clause, isBare } = message.clauses[at] as Searched;
    if (isBare) continue;
    distance += 1;
    const terms = clause.terms;
    const [first] = terms.named;
    if (first?.kind === 'label' || (first && terms.isOffer)) return undefined;
    if (first && !(CONFIRMATION.test(clause.folded) && message.isBooking)) return { confidence: 0.88, named: clause };
  }
  return undefined;
}

/** Returns whether a message has the words of bookings. */
function isAboutBooking(clauses: readonly Clause[]): boolean {
  let count = 0;
  return clauses.some(({ folded }) => {
    if (matches(folded, 'booking')) count += 1;
    return count > 1;
  });
}

/** Returns whether a message invites to a meeting, whose number and passcode are no one-time codes. */
export function isMeeting(clauses: readonly Clause[]): boolean {
  return clauses.some(({ folded }) => MEETING.test(folded));
}

const MEETING =
  /\b(?:meeting|webinar)[- ]?id\b|\bid (?:de (?:la )?)?(?:reunion|reuniao|riunione|spotkania)|\u30df\u30fc\u30c6\u30a3\u30f3\u30b0 ?id|\u4f1a\u8bae\u53f7/;
