import type { Clause } from '../clauses.js';
import type { Candidate } from './candidates.js';
import { headingOf } from './columns.js';
import { type Evidence, type Message, NONE, type Searched } from './message.js';
import { fromNeighbors } from './neighbors.js';
import {
  CALLED,
  endsWithRequest,
  INTRODUCED,
  isEntered,
  isLed,
  isQuantity,
  isReference,
  isSeparated,
  NEAR,
} from './phrases.js';
import { endsWithNoun, hasWord, mayNameCode, type Term } from './terms.js';

/** Judges a candidate by the words around it. Every judgement is a confidence from 0 to 1. */

/** Judges a candidate. `before` is the end of the code before it in its clause. */
export function judge(message: Message, index: number, candidate: Candidate, before: number): Evidence {
  const searched = message.clauses[index] as Searched;
  const found = searched.isBare
    ? fromNeighbors(message, index, candidate)
    : fromClause(message, index, candidate, before);
  if (found.confidence > 0 && searched.clause.terms.isOffer) return NONE;
  const confidence = found.confidence * weightOf(candidate, found.confidence);
  if (confidence === 0 || isCoupon(message, index, candidate)) return NONE;
  return { ...found, confidence };
}

/** The form that shops give to codes: a word and a number. */
const COUPON = /^[A-Z]{4,}\d{1,4}(?:X\d)?$/;
/** A word with a vowel, and a usual discount or a year. */
const USUAL_COUPON = /^(?=[A-Z]*[AEIOUY])[A-Z]{3,}(?:[1-9]?[05]|20\d\d)$/;
/** Clauses around a coupon that name a discount. */
const AROUND = 2;

/** Returns whether a candidate with letters is a code of a shop. */
export function isCoupon(message: Message, index: number, { value, shape }: Candidate): boolean {
  if (shape === 'digits') return false;
  if (USUAL_COUPON.test(value)) return true;
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
      return confidence >= DIRECT_AFTER ? 0.85 : 0;
    case 'word':
      return isDirect ? 0.8 : 0;
  }
}

const DIRECT = 0.9;
/** The confidence of a candidate that the sentence behind it names. */
const DIRECT_AFTER = 0.88;

/** Characters between a name and the code that it names. */
const REACH = 120;

function fromClause(message: Message, index: number, candidate: Candidate, before: number): Evidence {
  const { start, end, shape } = candidate;
  const { folded: text, terms } = (message.clauses[index] as Searched).clause;
  const own = text.slice(before, start);
  const counts = isQuantity(text, end);
  const isAsked = isEntered(text, start, end);
  if (!isAsked && !mayNameCode(text)) {
    if (before === 0 && isReference(own) && !counts) return fromNeighbors(message, index, candidate);
    return isHeaded(message, own, candidate) ? { confidence: 0.8 } : inColumn(message, index, candidate);
  }
  const named = terms.named.filter((term) => message.isSure(term));
  const left = named.filter((term) => term.start >= before && term.end <= start).at(-1);
  const between = left ? text.slice(left.end, start) : '';
  // A number between a label and the candidate is what the label names.
  if (left?.kind === 'label' && between.length <= NEAR && !/\d{3}/.test(between)) return NONE;
  const isRequest = terms.hasEnter || terms.hasPurpose;
  if (message.isCode(text, left) && between.length <= REACH && !REFERENCE_AFTER.test(text.slice(end, end + NEAR))) {
    const isCounted = counts && between.trim() === '' && isPlainName(text, left) && !isRequest;
    if (INTRODUCED.test(between) && !isCounted) return { confidence: 0.98 };
    if (isQualified(between) && !isCounted) return { confidence: 0.93 };
    const isUsual = shape === 'digits' || shape === 'mixed';
    const isOther = endsWithNoun(between) || counts || !isUsual || (ONE_WORD.test(between) && !isRequest);
    if (!isOther && message.hasPurpose) return { confidence: isRequest ? 0.75 : 0.55 };
  }
  if (endsWithNoun(own) && !endsWithRequest(own) && !isSeparated(text, start, end)) return NONE;
  const right = named.find((term) => term.start >= end);
  const isCalled = right && right.start - end <= REACH && CALLED.test(text.slice(end, end + NEAR));
  if (isCalled && message.isCode(text, right)) return { confidence: 0.97 };
  if (counts || !isAsked || isNamedByWord(own)) return NONE;
  if (terms.hasPurpose || message.namesCode) return { confidence: 0.72 };
  return message.hasPurpose && (shape === 'digits' || shape === 'mixed') ? { confidence: 0.6 } : NONE;
}

/** A word between a name and a number, as in "code enquête 44812", is a part of the name. */
const ONE_WORD = /^ [\p{L}'-]{3,20} $/u;
/** Returns whether a text behind a name gives the purpose of the code, as in "code de recuperation". */
function isQualified(between: string): boolean {
  return QUALIFIER.test(between) && hasWord(between, 'purpose') && !endsWithNoun(between);
}

const QUALIFIER =
  /^ (?:de|du|di|del|do|da|d'|of|for|to|voor|fur|zum|zur|per|para|pour|\u0434\u043b\u044f) ?[\p{L}' ]{3,24} $/u;
/** Returns whether the word directly in front of a number may name it, as in "use kiosk 2210". */
function isNamedByWord(own: string): boolean {
  const before = own.trimEnd();
  return /\p{Script=Latin}$/u.test(before) && !isLed(before, true);
}

/** What a payment is labelled with. */
const REFERENCE_AFTER =
  /^ (?:als (?:verwendungszweck|betreff|referenz)|as (?:the |your |a )?(?:payment )?reference|comme reference|como (?:concepto|referencia)|come (?:causale|riferimento)|als kenmerk)/;

/** Returns whether a heading in front of a number gives the reason to enter it, as in "Login: 482913". */
function isHeaded(message: Message, before: string, { shape }: Candidate): boolean {
  if (shape !== 'digits' || !HEADING.test(before) || !hasWord(before, 'purpose')) return false;
  return !endsWithNoun(before) && !message.isBooking;
}

/** Judges a number in a table by the heading of its column. */
function inColumn(message: Message, index: number, { start, shape }: Candidate): Evidence {
  if (
    !(message.clauses[index] as Searched).clause.text.includes('\t') ||
    !message.hasPurpose ||
    (shape !== 'digits' && shape !== 'mixed')
  )
    return NONE;
  const named = headingOf(message, index, start);
  return named ? { confidence: 0.85, named } : NONE;
}

/** A short text and a colon. */
const HEADING = /^[^\d]{1,30}(?::\s{1,3}|\uff1a\s{0,3})$/;

/** Returns whether a name says no more than that something is a code. */
function isPlainName(text: string, name: Term | undefined): boolean {
  return name !== undefined && /^[ck]od\p{L}{0,5}$/u.test(text.slice(name.start, name.end));
}

/** Returns whether a message is about a meeting, whose number and passcode are no one-time codes, or about software. */
export function isOtherSubject(clauses: readonly Clause[]): boolean {
  return clauses.some(({ folded }) => MEETING.test(folded) || DEVELOPMENT.test(folded));
}

const MEETING =
  /\b(?:meeting|webinar)[- ]?id\b|\bid (?:de (?:la )?)?(?:reunion|reuniao|riunione|spotkania)|\u30df\u30fc\u30c6\u30a3\u30f3\u30b0 ?id|\u4f1a\u8bae\u53f7/;
const DEVELOPMENT = /\b(?:pull|merge) request\b|\bpr #\d|\bstack ?trace\b|\bchangelog\b|\brelease notes\b/;
