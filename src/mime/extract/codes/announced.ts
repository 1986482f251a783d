import type { Message, Searched } from './message.js';
import { endsWithWord, hasWord } from './terms.js';

/** Finds codes of small letters, which look like a word: the text in front of one has to announce it. */

export interface Announced {
  index: number;
  value: string;
  start: number;
}

/** A word at the end of a clause, behind a colon or alone. */
const WORD =
  /(?:^|[:\uff1a]\s{0,3})["'\u201c\u201d\u201e\u00ab\u300c]?([a-z]{5,12})["'\u201d\u201c\u00bb\u300d]?[.!\u3002]?$/;
/** What happened to a password, or where it is. */
const STATE =
  /^(?:changed|hidden|unchanged|required|optional|expired|invalid|incorrect|missing|enabled|disabled|unknown|attached|below|here|none|abgelaufen|ungultig|vergessen|unten|hier|expire|modifie|oublie|caducada|olvidada|expirado|scaduta|verlopen|vergeten|zapomniane)$/;

/** A word in quotation marks. */
const QUOTED = /["\u201c\u201e\u00ab\u300c]([a-z]{5,12})["\u201d\u201c\u00bb\u300d]/;

/** Announced words of a message that can have a code. */
const WORDS_MAX = 6;

/** Returns the announced words, one of each clause at most; none if a message has many. */
export function announcedWords(message: Message): Announced[] {
  const announced = message.clauses.flatMap(({ clause }, index) => {
    const quoted = QUOTED.exec(clause.text);
    const isQuoted = quoted !== null && isNamed(clause.folded.slice(0, quoted.index).trimEnd());
    const value = isQuoted ? quoted[1] : WORD.exec(clause.text)?.[1];
    if (value === undefined || STATE.test(value) || isWord(value)) return [];
    const start = clause.text.lastIndexOf(value);
    const isSaid = isQuoted || isAnnounced(message, index, clause.folded.slice(0, start));
    return isSaid ? [{ index, value, start }] : [];
  });
  return announced.length > WORDS_MAX ? [] : announced.filter(({ value }) => isOnce(message, value));
}

/** Returns whether a text ends with what a code is called. */
function isNamed(before: string): boolean {
  return endsWithWord(before, 'sign') || endsWithWord(before, 'code');
}

function isWord(value: string): boolean {
  return hasWord(value, 'enter') || hasWord(value, 'sign') || hasWord(value, 'purpose') || hasWord(value, 'noun');
}

function isAnnounced(message: Message, index: number, before: string): boolean {
  const own = (message.clauses[index] as Searched).clause.terms;
  if (own.namesCode || (own.asksForSign && before !== '')) return true;
  const previous = message.clauses[index - 1]?.clause;
  if (!previous || before.length > SHORT) return false;
  const { namesCode, asksForSign } = previous.terms;
  return namesCode || asksForSign || (/[:\uff1a]$/.test(previous.folded) && hasWord(previous.folded, 'sign'));
}

/** Characters of a text in front of a word that refers to the sentence before, as "here it is:". */
const SHORT = 40;

const BETWEEN_WORDS = /[^\p{L}\d]/u;

function isOnce(message: Message, value: string): boolean {
  return message.clauses.every(({ clause }) => {
    const isIn = clause.folded.split(BETWEEN_WORDS).includes(value);
    return !isIn || [WORD, QUOTED].some((form) => form.exec(clause.text)?.[1] === value);
  });
}
