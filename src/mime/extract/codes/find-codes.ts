import type { MailCode } from '../../../core/model/search.js';
import { type Clause, clausesOf } from '../clauses.js';
import { type Candidate, candidatesIn } from './candidates.js';
import { confidenceOf, messageOf } from './score.js';

/** Characters of a message that are searched for codes. */
const SEARCHED_MAX = 100_000;
/** Numbers of a message that are judged: a message with a code has few. */
const CANDIDATES_MAX = 400;
/** Numbers of one sentence that are judged, each by the words of the whole sentence. */
const CANDIDATES_OF_CLAUSE_MAX = 25;
/** Codes of one message that are listed. */
const CODES_MAX = 50;
const CONFIDENCE_MIN = 0.48;
/** Of two values, the one with less than this share of the other's odds is another number, unless it is certain. */
const ODDS_MIN = 0.05;
const CERTAIN = 0.95;
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
  const least = oddsOf(found[0]?.confidence ?? 0) * ODDS_MIN;
  return found
    .filter(({ confidence }) => confidence >= CERTAIN || oddsOf(confidence) >= least)
    .slice(0, CODES_MAX)
    .map((code) => ({ ...code, confidence: Math.round(code.confidence * 100) / 100 }));
}

function oddsOf(confidence: number): number {
  return confidence / (1 - confidence);
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

/** What every code has: a digit, or a group of letters. */
const POSSIBLE = /\p{Nd}|[A-Z]{3}|[A-Z][\s-]{1,3}[A-Z]|[a-z]{3}-[a-z]{3}/u;

function codesIn(lines: readonly string[]): MailCode[] {
  if (!lines.some((line) => POSSIBLE.test(line))) return [];
  const clauses = clausesOf(lines);
  let left = CANDIDATES_MAX;
  const searched = clauses.map((clause) => {
    const candidates = left > 0 ? candidatesIn(clause.text).slice(0, Math.min(left, CANDIDATES_OF_CLAUSE_MAX)) : [];
    left -= candidates.length;
    return { clause, candidates };
  });
  if (left === CANDIDATES_MAX) return [];
  const message = messageOf(searched);
  const found: MailCode[] = [];
  let words: ReadonlySet<string> | undefined;
  searched.forEach(({ clause, candidates }, index) => {
    candidates.forEach((candidate, order) => {
      const confidence = confidenceOf(message, index, order);
      if (confidence < CONFIDENCE_MIN) return;
      if (candidate.shape === 'word') {
        words ??= smallWordsOf(clauses);
        if (words.has(candidate.value.toLowerCase())) return;
      }
      found.push(codeOf(clause, clauses[index - 1], candidate, confidence));
    });
  });
  return found;
}

/** Returns the words of a message that are in small letters somewhere, so that they are not codes in capital letters. */
function smallWordsOf(clauses: readonly Clause[]): ReadonlySet<string> {
  const words = clauses.flatMap(({ text }) => text.match(/[A-Za-z]?[a-z]{3,10}/g) ?? []);
  return new Set(words.map((word) => word.toLowerCase()));
}

function codeOf(
  clause: Clause,
  above: Clause | undefined,
  { value, start, end }: Candidate,
  confidence: number,
): MailCode {
  const around = clause.text.slice(Math.max(0, start - CONTEXT_MAX / 2), end + CONTEXT_MAX / 2);
  const context = end - start === clause.text.length && above ? `${above.text.slice(-CONTEXT_MAX)} ${around}` : around;
  return { value, context: context.replace(/\s+/g, ' ').trim(), confidence };
}
