import { chinese } from './chinese.js';
import { dutch } from './dutch.js';
import { english } from './english.js';
import { french } from './french.js';
import { german } from './german.js';
import { italian } from './italian.js';
import { japanese } from './japanese.js';
import type { Language } from './language.js';
import { others } from './others.js';
import { polish } from './polish.js';
import { portuguese } from './portuguese.js';
import { russian } from './russian.js';
import { spanish } from './spanish.js';

/** All languages: messages mix them, so that none is chosen. */
export const languages: readonly Language[] = [
  english,
  german,
  french,
  spanish,
  portuguese,
  italian,
  dutch,
  polish,
  russian,
  japanese,
  chinese,
  others,
];

const latin = languages.filter((language) => ![russian, japanese, chinese].includes(language));
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
const ASCII = /^[\u0000-\u007f]*$/;

/** Words that are looked for in all languages at once, which takes half the time of one after the other. */
export type Combined = (typeof kinds)[number];

const kinds = ['code', 'weak', 'label', 'noun', 'enter', 'sign', 'lead', 'purpose'] as const;

const wordsOfLatin = combined(latin);
const wordsOfAll = combined(languages);

function combined(some: readonly Language[]): Readonly<Record<Combined, RegExp>> {
  const all = (kind: Combined) => new RegExp(some.map((language) => language[kind].source).join('|'), 'g');
  return Object.fromEntries(kinds.map((kind) => [kind, all(kind)])) as Record<Combined, RegExp>;
}

/** Returns the words of a kind in the languages that a folded text can be in. */
export function wordsOf(text: string, kind: Combined): RegExp {
  return (ASCII.test(text) ? wordsOfLatin : wordsOfAll)[kind];
}

/** Returns the languages that a folded text can be in. Without letters of other scripts, it takes less time. */
export function languagesOf(text: string): readonly Language[] {
  return ASCII.test(text) ? latin : languages;
}
