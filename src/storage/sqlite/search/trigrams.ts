import { searchForm } from '../../../contract/vocabulary/text.js';
import type { IndexedPart } from '../../common/search/texts.js';

/**
 * Defines the texts of the search index. FTS5 splits them into trigrams, and an index without positions (`detail=none`)
 * is the smallest one. So that it can tell fields apart, the characters of heads are shifted to private code points:
 * a trigram of a subject is then another one than that of a body.
 */

/** The first code point of each part. Subjects and addresses use planes that no text uses. */
const SHIFT: Record<IndexedPart, number> = { subject: 0xf0000, address: 0x100000, content: 0 };
/** Code points up to this one are shifted. Others are the same in all parts, which only makes a search less narrow. */
const SHIFTED_MAX = 0xfffd;

/** Number of characters of a trigram. */
const TRIGRAM = 3;
/** Maximum number of trigrams of a text whose frequency is compared. */
const COMPARED_MAX = 24;
/** Maximum number of trigrams of a text that a search uses. */
const USED_MAX = 4;
/** The rest is not compared if three are at most this frequent. */
const RARE = 1 / 64;
const RARE_ENOUGH = 3;
/** Testing an email takes as long as reading this many from the list of a trigram. */
const TEST_COST = 2_000;
/** Estimates of rarer trigrams are not relied on: they may be frequent between the newest and the oldest emails. */
const FREQUENCY_MIN = 1 / 1_000;

/** Looks up trigrams in the index. */
export interface Terms {
  /** Returns an estimate of the part of all emails that have a trigram, from 0 (exactly none) to 1. */
  frequency(quotedTrigram: string): number;
  /** Returns the trigrams that begin with a text; undefined if that is unknown, or too many. */
  beginningWith(text: string): readonly string[] | undefined;
}

/** Returns a text as it is indexed, or searched for, in a part. */
export function indexedText(text: string, part: IndexedPart): string {
  // FTS5 ends a text at a zero byte.
  const folded = searchForm(text).replaceAll('\0', '\ufffd');
  const shift = SHIFT[part];
  if (shift === 0) return folded;
  let shifted = '';
  for (const character of folded) {
    const code = character.codePointAt(0) ?? 0;
    shifted += code <= SHIFTED_MAX ? String.fromCodePoint(code + shift) : character;
  }
  return shifted;
}

/** Returns whether a text has a trigram. */
export function hasTrigram(text: string): boolean {
  return [...searchForm(text)].length >= TRIGRAM;
}

/**
 * Returns an FTS5 expression that finds every text of these parts that contains `text`, and perhaps others. Undefined
 * if it cannot narrow the search.
 */
export function containing(text: string, parts: readonly IndexedPart[], terms: Terms): string | undefined {
  const expressions: string[] = [];
  let absent: string | undefined;
  for (const part of parts) {
    const found = partExpression(indexedText(text, part), terms);
    if (found === undefined) return undefined;
    if (found.isAbsent) absent = found.expression;
    else expressions.push(found.expression);
  }
  if (expressions.length === 0) return absent;
  return expressions.length === 1 ? expressions[0] : `(${expressions.join(' OR ')})`;
}

/** An expression for the emails with a text in one part; `isAbsent` if the index has none. */
interface PartExpression {
  expression: string;
  isAbsent: boolean;
}

function partExpression(text: string, terms: Terms): PartExpression | undefined {
  const characters = [...text];
  if (characters.length >= TRIGRAM) return rarestTrigrams(characters, terms);
  const found = characters.length === 0 ? undefined : terms.beginningWith(text);
  if (found === undefined) return undefined;
  // Every email whose content contains the text has one of these trigrams, because two line breaks follow each content.
  if (found.length === 0)
    return { expression: quoted([...characters, '\u0001', '\u0001'].slice(0, TRIGRAM).join('')), isAbsent: true };
  return { expression: `(${found.map(quoted).join(' OR ')})`, isAbsent: false };
}

interface Trigram {
  quoted: string;
  position: number;
  frequency: number;
}

/** Selects trigrams that together are the rarest. Each one more makes the search read all emails that have it. */
function rarestTrigrams(characters: readonly string[], terms: Terms): PartExpression {
  const known: Trigram[] = [];
  let rare = 0;
  for (const position of positionsToCompare(characters.length - TRIGRAM + 1)) {
    const trigram = quoted(characters.slice(position, position + TRIGRAM).join(''));
    if (known.some((other) => other.quoted === trigram)) continue;
    const frequency = terms.frequency(trigram);
    if (frequency === 0) return { expression: trigram, isAbsent: true };
    known.push({ quoted: trigram, position, frequency: Math.max(frequency, FREQUENCY_MIN) });
    if (frequency <= RARE) rare += 1;
    if (rare === RARE_ENOUGH) break;
  }
  return { expression: `(${useful(known).join(' AND ')})`, isAbsent: false };
}

/** Returns positions all over a text: first every other one. */
function positionsToCompare(count: number): number[] {
  const step = Math.max(1, count / COMPARED_MAX);
  const positions = Array.from({ length: Math.min(count, COMPARED_MAX) }, (_, n) => Math.floor(n * step));
  return [...positions.filter((_, n) => n % 2 === 0), ...positions.filter((_, n) => n % 2 === 1)];
}

/** Returns the trigrams to use: the rarest one, then those that exclude most of the remaining emails. */
function useful(known: readonly Trigram[]): string[] {
  const used: Trigram[] = [];
  let remaining = 1;
  // Trigrams that overlap occur together, so one excludes fewer emails the more characters it shares with others.
  const partOf = ({ position, frequency }: Trigram) => {
    const shared = used.map((other) => TRIGRAM - Math.abs(other.position - position));
    return frequency ** (1 - Math.max(0, ...shared) / TRIGRAM);
  };
  while (used.length < USED_MAX) {
    const [best] = known
      .filter((trigram) => !used.includes(trigram))
      .map((trigram) => ({ trigram, part: partOf(trigram) }))
      .sort((one, other) => one.part - other.part);
    if (!best) break;
    const isWorthReading = best.trigram.frequency < remaining * (1 - best.part) * TEST_COST;
    if (used.length > 0 && !isWorthReading) break;
    used.push(best.trigram);
    remaining *= best.part;
  }
  return used.map(({ quoted }) => quoted);
}

function quoted(trigram: string): string {
  return `"${trigram.replaceAll('"', '""')}"`;
}
