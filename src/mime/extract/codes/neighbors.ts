import type { Clause } from '../clauses.js';
import type { Candidate } from './candidates.js';
import { type Evidence, type Message, NONE, type Searched, SUBJECT_LINE } from './message.js';
import { endsWithRequest } from './phrases.js';
import { endsWithNoun } from './terms.js';

/** Clauses and lines before a code that may name it. */
const BACK = 4;
const BACK_LINES = 9;
const FORWARD = 2;

/** Judges a candidate on a line of its own: the closest clause that names a number decides. */
export function fromNeighbors(message: Message, index: number, candidate: Candidate): Evidence {
  const { clauses } = message;
  const own = (clauses[index] as Searched).clause;
  let distance = 0;
  let isAsked = false;
  let isRequested = false;
  for (let at = index - 1; at >= 0 && distance < BACK; at -= 1) {
    const { clause, isBare } = clauses[at] as Searched;
    if (isBare || isMark(clause)) continue;
    if (own.line - clause.line > BACK_LINES) break;
    distance += 1;
    const terms = clause.terms;
    const last = terms.named.filter((term) => message.isSure(term)).at(-1);
    if (last && terms.isOffer) return NONE;
    if (last?.kind === 'label' && (distance === 1 || clause.folded.length < SHORT)) return NONE;
    if (last?.kind === 'label') break;
    if (last) {
      if (message.isBookingCode(clause.folded)) return NONE;
      return {
        confidence:
          candidate.shape === 'word' ? wordAfter(clause, distance) : ([0.97, 0.93, 0.9, 0.86][distance - 1] ?? 0.8),
        named: clause,
      };
    }
    const isNoun = distance === 1 && clause.line > SUBJECT_LINE && isLabel(clause.folded);
    if (isNoun && endsWithNoun(clause.folded)) return NONE;
    isAsked ||= distance <= 2 && (terms.hasEnter || terms.hasPurpose);
    isRequested ||= distance === 1 && (isRequest(clause) || (endsWithRequest(clause.folded) && message.hasPurpose));
  }
  const next = fromNext(message, index);
  if (next) return next;
  if (isAsked && message.namesCode) return { confidence: 0.7 };
  const isLone = distance <= 1 && clauses.length <= LONE_CLAUSES && message.hasPurpose;
  return (isRequested || isLone) && candidate.shape === 'digits' && message.hasOneNumber ? { confidence: 0.6 } : NONE;
}

/** Clauses of a message that has nothing but a subject and a code, in its text or repeated. */
const LONE_CLAUSES = 3;

/** Returns whether a clause is the number of a list's item, or a line. */
function isMark({ text }: Clause): boolean {
  return text.length <= MARK_MAX && !/\p{L}{2}/u.test(text);
}

const MARK_MAX = 8;

/** Characters of a clause that is a label rather than a sentence. */
const SHORT = 40;

/** Returns whether a clause is short, and not a sentence. */
function isLabel(text: string): boolean {
  return text.length < SHORT && !/[.!?]$/.test(text);
}

/** Returns whether a clause asks to sign in or to confirm something, and not to call. */
function isRequest({ folded, terms }: Clause): boolean {
  return terms.hasPurpose && (terms.hasEnter || isSentence(folded)) && !CALL.test(folded);
}

export const CALL =
  /\b(?:call|phone|ring|dial|text|anruf\w*|rufen|telefon\w*|appele[rz]|llam[ae]\w*|ligue|chiam\w+|bel(?:len)?|zadzwon|ara)\b|позвон|звоните|電話|致电|拨打|전화/;

/** Returns whether a clause is a sentence rather than a heading. */
function isSentence(text: string): boolean {
  return text.length >= SENTENCE_MIN || /[.!?:]$/.test(text);
}

const SENTENCE_MIN = 24;

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
    const first = terms.named.find((term) => message.isSure(term));
    if (first?.kind === 'label' || (first && terms.isOffer)) return undefined;
    if (first && !message.isBookingCode(clause.folded)) return { confidence: 0.88, named: clause };
  }
  return undefined;
}
