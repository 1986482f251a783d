import type { MailCode } from '../../../core/model/search.js';
import { type Clause, clausesOf } from '../clauses.js';
import { announcedWords } from './announced.js';
import { type Candidate, candidatesIn } from './candidates.js';
import { isOtherSubject, judge } from './evidence.js';
import { type Evidence, Message, type Searched } from './message.js';
import { standOuts } from './stand-out.js';

/** Characters of a message that are searched for codes. */
const SEARCHED_MAX = 100_000;
/** Numbers of a message that are judged: a message with a code has few. */
const CANDIDATES_MAX = 400;
/** Codes of one message that are listed. */
const CODES_MAX = 50;
const CONFIDENCE_MIN = 0.5;
/** A code that is this much less certain than the best one is another number. */
const MARGIN = 0.22;
const CONTEXT_MAX = 160;

/**
 * Finds the one-time codes of a message, the most certain first. `bodies` are its HTML as lines, and its text as lines.
 * `hints` are searched if these have none.
 */
export function findCodes(
  subject: string,
  bodies: readonly (readonly string[])[],
  hints: readonly string[] = [],
): MailCode[] {
  const found = codesOfAll(subject, bodies);
  return found.length > 0 || hints.length === 0 ? found : codesOfAll(subject, [hints]);
}

function codesOfAll(subject: string, bodies: readonly (readonly string[])[]): MailCode[] {
  const best = new Map<string, MailCode>();
  for (const lines of bodies) {
    for (const code of codesIn([subject, '', ...limited(lines)])) {
      const known = best.get(code.value);
      if (!known || known.confidence < code.confidence) best.set(code.value, code);
    }
  }
  const found = [...best.values()].sort((a, b) => b.confidence - a.confidence);
  const least = Math.max(CONFIDENCE_MIN, (found[0]?.confidence ?? 0) - MARGIN);
  return found.filter(({ confidence }) => confidence >= least).slice(0, CODES_MAX);
}

function limited(lines: readonly string[]): string[] {
  const searched: string[] = [];
  let left = SEARCHED_MAX;
  for (const line of lines) {
    if (left <= 0) break;
    if (line !== '') searched.push(line.slice(0, left));
    left -= line.length;
  }
  return searched;
}

function codesIn(lines: readonly string[]): MailCode[] {
  if (!lines.some((line) => POSSIBLE.test(line))) return [];
  const clauses = clausesOf(lines);
  const message = new Message(clauses.map((clause) => withCandidates(clause)));
  let left = CANDIDATES_MAX;
  const found = message.clauses.flatMap((searched, index) => {
    left -= searched.candidates.length;
    return left < 0 ? [] : codesOf(message, searched, index);
  });
  const sure = found.filter(({ value, confidence }) => confidence >= SURE || !message.isReferred(value));
  const all = found.length > 0 ? sure : lessClear(message);
  return all.length === 0 || isOtherSubject(clauses) ? [] : withoutWords(all, clauses);
}

/** The confidence of a code that a sentence names. */
const SURE = 0.8;

/** Returns the codes that nothing names, or those that look like a word. */
function lessClear(message: Message): FoundCode[] {
  const clauseAt = (index: number) => (message.clauses[index] as Searched).clause;
  const found = standOuts(message);
  if (found.length > 0) {
    return found.map(({ index, candidate, evidence }) => codeOf(clauseAt(index), candidate, evidence));
  }
  return announcedWords(message).map(({ index, value, start }) =>
    codeOf(clauseAt(index), { value, start, end: start + value.length, shape: 'small' }, { confidence: ANNOUNCED }),
  );
}

const ANNOUNCED = 0.6;

/** What every code has: a digit, or a group of letters. */
const POSSIBLE =
  /^["'\u201c\u201e\u00ab]?[a-z]{5,12}\W?$|[:\uff1a] ?\W?[a-z]{5,12}(?:\W{0,2}$|[.!])|["\u201c\u201e\u00ab\u300c][a-z]{5,12}["\u201d\u201c\u00bb\u300d]|[\d\uff10-\uff19]|[A-Z]{3}|[A-Z][ -][A-Z]|[a-z]{3}-[a-z]{3}/;

interface FoundCode extends MailCode {
  isWord: boolean;
}

function codesOf(message: Message, { clause, candidates }: Searched, index: number): FoundCode[] {
  const found: FoundCode[] = [];
  let previous: Evidence | undefined;
  let end = 0;
  // The words before a code name that code only.
  let named = 0;
  for (const candidate of candidates) {
    const isListed = previous !== undefined && LIST.test(clause.text.slice(end, candidate.start));
    previous = isListed && previous ? previous : judge(message, index, candidate, named);
    end = candidate.end;
    if (previous.confidence === 0) continue;
    named = end;
    found.push(codeOf(clause, candidate, previous));
  }
  return found;
}

/** Leaves out words in capital letters that the message also has in small letters, and those of buttons. */
function withoutWords(found: readonly FoundCode[], clauses: readonly Clause[]): MailCode[] {
  const words = found.some(({ isWord }) => isWord) ? wordsOf(clauses) : new Set();
  return found
    .filter(({ isWord, value }) => !(isWord && words.has(value.toLowerCase())))
    .map(({ value, context, confidence }) => ({ value, context, confidence }));
}

/** What is between two codes of a list. */
const LIST = /^[\s,;/|]{1,6}$/;

function withCandidates(clause: Clause): Searched {
  const candidates = candidatesIn(clause.text);
  let rest = '';
  let at = 0;
  for (const { start, end } of candidates) {
    rest += clause.text.slice(at, start);
    at = end;
  }
  rest += clause.text.slice(at);
  return { clause, candidates, isBare: candidates.length > 0 && !/[\p{L}\d]/u.test(rest) };
}

/** Returns the words of a message in small letters, and words of buttons. */
function wordsOf(clauses: readonly Clause[]): ReadonlySet<string> {
  const words = new Set(BUTTONS);
  for (const { text } of clauses) {
    for (const [word] of text.matchAll(/[A-Za-z]?[a-z]{3,10}/g)) words.add(word.toLowerCase());
  }
  return words;
}

const BUTTONS = (
  'verify confirm continue login signin signup activate welcome hello click here open start next submit accept cancel ' +
  'copy code your please note important security alert support team help contact thanks regards warning attention ' +
  'bestatigen anmelden weiter hallo achtung hinweis valider confirmer continuer bonjour merci attention confirmar ' +
  'verificar continuar hola gracias obrigado aviso accedi conferma grazie ciao potwierdz zaloguj dalej'
).split(' ');

function codeOf(clause: Clause, { value, shape, start, end }: Candidate, { confidence, named }: Evidence): FoundCode {
  const around = clause.text.slice(Math.max(0, start - CONTEXT_MAX / 2), end + CONTEXT_MAX / 2);
  const context = named && named.line < clause.line ? `${named.text.slice(-CONTEXT_MAX)} ${around}` : around;
  const rounded = Math.round(confidence * 100) / 100;
  return { value, context: context.replace(/\s+/g, ' ').trim(), confidence: rounded, isWord: shape === 'word' };
}
