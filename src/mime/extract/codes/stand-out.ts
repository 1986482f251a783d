import type { Candidate } from './candidates.js';
import { isCoupon } from './evidence.js';
import { type Evidence, type Message, type Searched, SUBJECT_LINE } from './message.js';
import { CALL } from './neighbors.js';
import { CALLED, isLed, isQuantity } from './phrases.js';
import { hasWord, type Term } from './terms.js';

/**
 * Judges the numbers of a message that no name introduces. If the message asks to sign in, to confirm or to hand over
 * something, the only number that nothing else explains is its code.
 */

/** A candidate, the number of its clause, and its confidence. */
export interface StandOut {
  index: number;
  candidate: Candidate;
  evidence: Evidence;
}

interface Scored extends Omit<StandOut, 'evidence'> {
  score: number;
}

const SCORE_MIN = 3;
const CONFIDENCE = 0.52;
const CONFIDENCE_STEP = 0.03;
/** Above the confidence of a guess, below that of a number that a name introduces. */
const CONFIDENCE_MAX = 0.7;

/** Returns the candidate that stands out, and its repetitions; none if several values do. */
export function standOuts(message: Message): StandOut[] {
  const values = new Set(message.clauses.flatMap(({ candidates }) => candidates.map(({ value }) => value)));
  if (values.size === 0 || values.size > VALUES_MAX) return [];
  const scored = message.clauses.flatMap(({ candidates }, index) =>
    candidates.map((candidate) => scoredOf(message, index, candidate)),
  );
  const explained = new Set(scored.filter(({ score }) => score === EXPLAINED).map(codeValue));
  const open = scored.filter((each) => each.score > 0 && !explained.has(codeValue(each)));
  const onlyOne = values.size === 1 ? 1 + Number(message.hasAccessSubject) : 0;
  if (open.every(({ score }) => score + onlyOne < SCORE_MIN)) return [];
  const best = Math.max(SCORE_MIN, ...open.map(({ score }) => score + onlyOne));
  const found = open.filter(({ score }) => score + onlyOne === best);
  if (new Set(found.map(codeValue)).size !== 1) return [];
  const isSentence = found.every(({ index }) => !message.clauses[index]?.isBare);
  const isClear = best >= (isSentence ? CLEAR_SENTENCE : CLEAR);
  if ((!isClear && !message.hasIntentAt(found[0]?.index ?? 0)) || message.isOffer || message.isBooking) return [];
  const confidence = Math.min(CONFIDENCE_MAX, CONFIDENCE + CONFIDENCE_STEP * best);
  return found.map(({ index, candidate }) => ({ index, candidate, evidence: { confidence } }));
}

function codeValue({ candidate }: Scored): string {
  return candidate.value;
}

/** Different numbers of a message that can have a code that nothing names. */
const VALUES_MAX = 6;
/** The score of a number that another word explains. */
const EXPLAINED = -1;
/** The score of a number that needs no other sentence about signing in or confirming something. */
const CLEAR = 6;
const CLEAR_SENTENCE = 5;

function scoredOf(message: Message, index: number, candidate: Candidate): Scored {
  const { isBare } = message.clauses[index] as Searched;
  if (isCoupon(message, index, candidate)) return { index, candidate, score: EXPLAINED };
  const score = isBare ? scoreOfLine(message, index, candidate) : scoreInClause(message, index, candidate);
  return { index, candidate, score };
}

/** Clauses before a number on a line of its own that may ask for it. */
const BACK = 3;
/** Characters of a clause that is the heading of a number rather than a sentence. */
const HEADING_MAX = 40;

/** Scores a candidate on a line of its own by the clauses before it. */
function scoreOfLine(message: Message, index: number, { shape }: Candidate): number {
  let score = 0;
  let distance = 0;
  for (let at = index - 1; at >= 0 && distance < BACK; at -= 1) {
    const { clause, isBare } = message.clauses[at] as Searched;
    if (isBare) continue;
    distance += 1;
    const { folded, terms } = clause;
    if (terms.named.at(-1)?.kind === 'label' || (distance === 1 && CALL.test(folded))) return EXPLAINED;
    const isSentence = folded.length > HEADING_MAX || /[.!?:\uff1a\u3002]$/.test(folded);
    const asked = Number(terms.hasEnter) * 2 + Number(hasWord(folded, 'sign')) + Number(terms.hasPurpose);
    if (distance === 1 && asked === 0 && !isSentence && clause.line !== SUBJECT_LINE) return EXPLAINED;
    score = Math.max(score, asked + (distance === 1 ? 1 : 0) + (distance === 1 && /[:\uff1a]$/.test(folded) ? 1 : 0));
  }
  return score + (shape === 'digits' || shape === 'mixed' ? 1 : 0);
}

const QUOTED = /["'\u201c\u201d\u201e\u00ab\u300c\u3010[*]\s?$/;
const COLON = /(?:[:\uff1a\u2192>]|\s-)\s?$/;
/** The end of a clause behind a code. */
const ENDED = /^["'\u201d\u00bb\u300d\u3011\])*]{0,2}(?:[.!?,;\u3002\uff0c\u3001]|\s?$)/;

/** Scores a candidate in a sentence. Its neighbors must be words that explain nothing. */
function scoreInClause(message: Message, index: number, { start, end, shape }: Candidate): number {
  const { clause, candidates } = message.clauses[index] as Searched;
  const { folded: text, terms } = clause;
  const own = text.slice(0, start);
  const before = own.trimEnd();
  const isMarked = QUOTED.test(own) || COLON.test(own);
  if (isQuantity(text, end) && !VERB.test(clause.text)) return EXPLAINED;
  if (before !== '' && !isMarked && !MEANS.test(own) && !isLed(before, terms.hasEnter)) return EXPLAINED;
  const label = terms.named.filter((term) => term.end <= start).at(-1);
  if (label?.kind === 'label' || CALL.test(own)) return EXPLAINED;
  const asksFor = terms.hasEnter && hasWord(own, 'enter');
  if (isNumbered(own, terms.named) && !asksFor) return EXPLAINED;
  const isAsked = terms.hasEnter;
  const signs = hasWord(text, 'sign') || terms.named.some(({ kind }) => kind === 'code');
  if (isMarked && COLON.test(own) && !isAsked && !hasWord(own, 'sign') && isHeading(own, text.slice(end)))
    return EXPLAINED;
  const isUsual = shape === 'digits' || shape === 'mixed';
  const isAlone = candidates.length === 1 && (isMarked || before === '' || ENDED.test(text.slice(end)));
  if (!isUsual && !(isMarked && (isAsked || signs))) return 0;
  const isCalled = CALLED.test(text.slice(end)) && (before === '' || isMarked) && hasWord(text.slice(end), 'sign');
  const isMeans = MEANS.test(own) && hasWord(text.slice(end), 'purpose');
  return (
    Number(isCalled || isMeans) * 3 +
    Number(isAsked) * 2 +
    Number(signs) +
    Number(terms.hasPurpose) +
    Number(isAlone) +
    Number(isMarked)
  );
}

/** Begins a sentence that gives what a number is for, as in "With 482913 you can sign in". */
const MEANS = /(?:^|, )(?:with|mit|avec|con|com|met)(?: (?:the|der|le|la|el|o|il|lo|de))? $/;

/** The name of a number, with words that say which. */
const NUMBER =
  /(?:num(?:m?er|ber)[oia]?|\u043d\u043e\u043c\u0435\u0440|\u756a\u53f7|[\u53f7\u865f][\u7801\u78bc]|id)(?: [^:\d]{0,24})?[:\uff1a ]*$/;

/** Returns whether a text names another number in front of a candidate. */
function isNumbered(own: string, named: readonly Term[]): boolean {
  const number = own.search(NUMBER);
  return number >= 0 && !named.some(({ kind, end }) => kind === 'code' && end > number && end <= own.length);
}

/** Refers to what the message is about. */
const PRONOUN =
  /^(?:here|this|that|it|hier|das|dies|voici|voila|ceci|c'est|aqui|esto|este|isto|ecco|questo|dit|oto|to|\u0432\u043e\u0442|\u044d\u0442\u043e|\u3053\u3061\u3089|\u3053\u308c)(?!\p{L})/u;

/** Returns whether a text with a colon names another number, rather than the sender, as in "Alder: 4417 lets you in". */
function isHeading(own: string, after: string): boolean {
  return own.length < HEADING_MAX && !PRONOUN.test(own) && !hasWord(after, 'purpose');
}

/** A German verb behind a code: nouns, which numbers count, have capital letters. */
const VERB = /(?:mit|per|du|dort|hier) \d[\d -]*\d [a-z]/;
