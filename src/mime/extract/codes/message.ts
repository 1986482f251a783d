import type { Clause } from '../clauses.js';
import type { Candidate } from './candidates.js';
import { NEAR } from './phrases.js';
import { countOf, endsWithNoun, type Term, type Terms } from './terms.js';

/** A clause with its candidates. */
export interface Searched {
  clause: Clause;
  candidates: Candidate[];
  /** Whether it has nothing but candidates. */
  isBare: boolean;
}

export interface Evidence {
  confidence: number;
  /** The clause that names the code, if it is another one. */
  named?: Clause;
}

export const NONE: Evidence = { confidence: 0 };

/** The line of the subject, which names what the message is about, not the number below it. */
export const SUBJECT_LINE = 0;

/** Clauses before a number that may ask to enter it. */
const INTENT_BACK = 3;

const CONFIRMATION =
  /confirm|bestatig|conferm|potwierd|\u78ba\u8a8d|\u786e\u8ba4|\u043f\u043e\u0434\u0442\u0432\u0435\u0440|bevestig/;

/** A message, with facts that are found when they are needed. */
export class Message {
  #namesCode: boolean | undefined;
  #isBooking: boolean | undefined;
  #isOffer: boolean | undefined;
  #hasPurpose: boolean | undefined;
  #hasOneNumber: boolean | undefined;

  constructor(readonly clauses: readonly Searched[]) {}

  /** Whether the subject or a sentence names a one-time code. */
  get namesCode(): boolean {
    this.#namesCode ??= this.#some((terms) => terms.namesCode);
    return this.#namesCode;
  }

  /** Returns whether a value is the number of a case, an order or the like anywhere in the message. */
  isReferred(value: string): boolean {
    return this.clauses.some(({ clause, candidates }) =>
      candidates.some((each) => each.value === value && isReferenceAt(clause, each.start)),
    );
  }

  /** Whether it is about a booking, which has a code of its own. */
  get isBooking(): boolean {
    this.#isBooking ??= isAboutBooking(this.clauses.map(({ clause }) => clause));
    return this.#isBooking;
  }

  /** Returns whether a term is what it seems to be: a weak name needs a message about signing in or confirming. */
  isSure({ isWeak }: Term): boolean {
    return !isWeak || this.hasPurpose;
  }

  /** Returns whether a term names a one-time code, and not the number of a booking. */
  isCode(text: string, term: Term | undefined): boolean {
    return term?.kind === 'code' && !this.isBookingCode(text.slice(Math.max(0, term.start - NEAR), term.end + NEAR));
  }

  /** Returns whether a text is about the confirmation of a booking. */
  isBookingCode(text: string): boolean {
    return CONFIRMATION.test(text) && this.isBooking;
  }

  /** Whether there is only one number on a line of its own. */
  get hasOneNumber(): boolean {
    this.#hasOneNumber ??= new Set(numbersOnLines(this.clauses)).size === 1;
    return this.#hasOneNumber;
  }

  /** Whether a sentence is about a discount. */
  get isOffer(): boolean {
    this.#isOffer ??= this.#some((terms) => terms.isOffer);
    return this.#isOffer;
  }

  /** Whether a sentence is about signing in or confirming something, or the subject, which is often one word. */
  get hasPurpose(): boolean {
    this.#hasPurpose ??= this.#some((terms) => terms.hasPurpose) || this.hasAccessSubject;
    return this.#hasPurpose;
  }

  /** Returns whether it has a purpose, or asks to enter digits, characters or a key near a clause. */
  hasIntentAt(index: number): boolean {
    const near = this.clauses.slice(Math.max(0, index - INTENT_BACK), index + 1);
    return this.hasPurpose || near.some(({ clause }) => clause.terms.asksForSign);
  }

  /** Whether the subject is about signing in, confirming something or a password. */
  get hasAccessSubject(): boolean {
    return this.clauses.some(({ clause }) => clause.line === SUBJECT_LINE && clause.terms.isAboutAccess);
  }

  #some(test: (terms: Terms) => boolean): boolean {
    return this.clauses.some(({ clause }) => test(clause.terms));
  }
}

/** Returns whether a word of some length names the number at a position, which "in" and "the" do not. */
function isReferenceAt({ folded, terms }: Clause, start: number): boolean {
  const before = folded.slice(0, start);
  const label = terms.named.filter((term) => term.end <= start).at(-1);
  return (
    (label?.kind === 'label' && start - label.end <= NEAR && !/\d/.test(folded.slice(label.end, start))) ||
    (/\p{L}{4}[\s#(:]*$/u.test(before) && endsWithNoun(before))
  );
}

/** Returns whether a message has the words of bookings. */
function isAboutBooking(clauses: readonly Clause[]): boolean {
  let count = 0;
  return clauses.some(({ folded }) => {
    count += countOf(folded, 'booking');
    return count > 1;
  });
}

function numbersOnLines(clauses: readonly Searched[]): string[] {
  return clauses.filter(({ isBare }) => isBare).flatMap(({ candidates }) => candidates.map(({ value }) => value));
}
