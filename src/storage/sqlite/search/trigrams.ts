import { searchForm } from '../../../contract/vocabulary/helpers/search-form.js';

/**
 * Defines the texts of the search index. FTS5 splits them into trigrams, and an index without positions (`detail=none`)
 * is the smallest one. So that it can tell fields apart, the characters of heads are shifted to private code points:
 * a trigram of a subject is then another one than that of a body.
 */

/** The parts of an email that are indexed apart. */
export type IndexedPart = 'subject' | 'address' | 'content';

/** The first code point of each part. Subjects and addresses use planes that no text uses. */
const SHIFT: Record<IndexedPart, number> = { subject: 0xf0000, address: 0x100000, content: 0 };
/** Code points up to this one are shifted. Others are the same in all parts, which only makes a search less narrow. */
const SHIFTED_MAX = 0xfffd;

/** Maximum number of trigrams of a text whose frequency is compared. */
const COMPARED_MAX = 12;
/** Number of trigrams of a text that a search uses, the rarest. More make it slower: each reads all of its emails. */
const USED = 4;

/** Returns an estimate of the part of all emails that have a trigram. */
export type Frequency = (quotedTrigram: string) => number;

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

/**
 * Returns an FTS5 expression that finds every text of these parts that contains `text`, and perhaps others. Undefined
 * if the text is too short for a trigram.
 */
export function containing(text: string, parts: readonly IndexedPart[], frequency: Frequency): string | undefined {
  const expressions = parts.map((part) => rarestTrigrams(indexedText(text, part), frequency));
  if (expressions.some((expression) => expression === undefined)) return undefined;
  return expressions.length === 1 ? expressions[0] : `(${expressions.join(' OR ')})`;
}

function rarestTrigrams(text: string, frequency: Frequency): string | undefined {
  const characters = [...text];
  const trigrams = new Set<string>();
  for (let at = 0; at + 3 <= characters.length; at += 1) trigrams.add(quoted(characters.slice(at, at + 3).join('')));
  if (trigrams.size === 0) return undefined;
  const step = Math.max(1, trigrams.size / COMPARED_MAX);
  const all = [...trigrams];
  const compared = Array.from(
    { length: Math.min(all.length, COMPARED_MAX) },
    (_, n) => all[Math.floor(n * step)] ?? '',
  );
  const known = compared.map((trigram) => ({ trigram, frequency: frequency(trigram) }));
  known.sort((one, other) => one.frequency - other.frequency);
  return `(${known
    .slice(0, USED)
    .map(({ trigram }) => trigram)
    .join(' AND ')})`;
}

function quoted(trigram: string): string {
  return `"${trigram.replaceAll('"', '""')}"`;
}
