import type { MailCode } from '../../../core/model/search.js';
import { type Clause, clausesOf } from '../clauses.js';
import { type Candidate, candidatesIn } from './candidates.js';
import { type Evidence, isAboutBooking, isMeeting, judge, type Message, type Searched } from './evidence.js';
import { termsOf } from './terms.js';

/** Characters of a message that are searched for codes. */
const SEARCHED_MAX = 100_000;
/** Codes of one message that are listed. */
const CODES_MAX = 50;
const CONFIDENCE_MIN = 0.5;
/** A code that is this much less certain than the best one is another number. */
const MARGIN = 0.22;
const CONTEXT_MAX = 160;

/** Finds the one-time codes of a message, the most certain first. `bodies` are its HTML as lines, and its text as lines. */
export function findCodes(subject: string, bodies: readonly (readonly string[])[]): MailCode[] {
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
  let left = SEARCHED_MAX;
  return lines.flatMap((line) => {
    const text = line.slice(0, Math.max(0, left));
    left -= line.length;
    return text === '' ? [] : [text];
  });
}

function codesIn(lines: readonly string[]): MailCode[] {
  const clauses = clausesOf(lines);
  const searched = clauses.map((clause) => withCandidates(clause));
  if (!searched.some(({ candidates }) => candidates.length > 0) || isMeeting(clauses)) return [];
  const message: Message = {
    clauses: searched,
    namesCode: clauses.some((clause) => termsOf(clause).named.some(({ kind }) => kind === 'code')),
    isBooking: isAboutBooking(clauses),
    isOffer: clauses.some((clause) => termsOf(clause).isOffer),
    hasPurpose: clauses.some((clause) => termsOf(clause).hasPurpose),
  };
  const words = wordsOf(clauses);
  return searched.flatMap((each, index) => {
    let previous: Evidence | undefined;
    let end = 0;
    return each.candidates.flatMap((candidate) => {
      const isListed = previous !== undefined && LIST.test(each.clause.folded.slice(end, candidate.start));
      const evidence = isListed && previous ? previous : judge(message, index, candidate, end);
      previous = evidence;
      end = candidate.end;
      if (candidate.shape === 'word' && words.has(candidate.value.toLowerCase())) return [];
      return evidence.confidence === 0 ? [] : [codeOf(each.clause, candidate, evidence)];
    });
  });
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

/** Returns the words of a message in small letters, and words of buttons: in capital letters, they are no codes. */
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

function codeOf(clause: Clause, { value, start, end }: Candidate, { confidence, named }: Evidence): MailCode {
  const around = clause.text.slice(Math.max(0, start - CONTEXT_MAX / 2), end + CONTEXT_MAX / 2);
  const context = named && named.line < clause.line ? `${named.text.slice(-CONTEXT_MAX)} ${around}` : around;
  return { value, context: context.replace(/\s+/g, ' ').trim(), confidence: Math.round(confidence * 100) / 100 };
}
