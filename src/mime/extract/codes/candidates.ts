import { spansOf } from '../clauses.js';

/** A text that has the form of a code. */
export interface Candidate {
  start: number;
  end: number;
  /** Without spaces and hyphens. */
  value: string;
  shape: Shape;
}

/**
 * `digits`, or capital letters `mixed` with digits. The others need more evidence: a `reference` has letters in front
 * of its number, a `year` or a `range` is more often one, `small` has small letters and digits, `word` has letters only.
 */
type Shape = 'digits' | 'mixed' | 'reference' | 'year' | 'range' | 'small' | 'word';

const LENGTH_MIN = 4;
const LENGTH_MAX = 10;
/** Characters of a code in groups of the same length, such as a key to recover an account. */
const GROUPED_MAX = 24;
const SAME_GROUPS =
  /^(?:[A-Za-z\d]{3}(?:-[A-Za-z\d]{3}){3,7}|[A-Za-z\d]{4}(?:-[A-Za-z\d]{4}){2,5}|[A-Za-z\d]{5}(?:-[A-Za-z\d]{5}){2,3})$/;

const TOKEN = /[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*/g;

interface Token {
  start: number;
  end: number;
  text: string;
}

/** What every candidate has: a digit, two capital letters close to each other, or small letters around a hyphen. */
const POSSIBLE = /\d|[A-Z][^A-Za-z]{0,7}[A-Z]|[a-z]-[a-z]/;

/** Returns the candidates of a clause in order. */
export function candidatesIn(text: string): Candidate[] {
  if (!POSSIBLE.test(text)) return [];
  const isHidden = isMasked(text);
  const found: Candidate[] = [];
  for (const { start, end, text: groups } of joined(text)) {
    if (isHidden(start) || !isStandalone(text, start, end)) continue;
    const value = groups.replace(/[ -]/g, '');
    if (value.length < LENGTH_MIN || value.length > longestOf(groups)) continue;
    const shape = shapeOf(groups);
    if (shape && !isAmount(text, start, end)) found.push({ start, end, value, shape });
  }
  return found;
}

/** Long codes have letters: a long number is the number of an account or a card. */
function longestOf(groups: string): number {
  return SAME_GROUPS.test(groups) && /[A-Za-z]/.test(groups) ? GROUPED_MAX : LENGTH_MAX;
}

/** Two groups of capital letters and digits, and nothing else. */
const TWO_GROUPS = /^[A-Z\d]{3,5} [A-Z\d]{3,5}$/;

/** Returns whether a text has letters and digits, or groups of letters without a vowel, which are not words. */
function isRandom(text: string): boolean {
  return /\d/.test(text) ? /[A-Z]/.test(text) : !/[AEIOUY]/.test(text);
}

/** Returns the tokens of a text. Groups of a code that are separated by one space or tab are one token. */
function joined(text: string): Token[] {
  if (TWO_GROUPS.test(text) && isRandom(text)) {
    return [{ start: 0, end: text.length, text }];
  }
  const tokens: Token[] = [];
  let run: Token[] = [];
  const flush = () => {
    const [first] = run;
    const last = run.at(-1);
    if (first && last && isSplitCode(run.map((token) => token.text))) {
      tokens.push({ start: first.start, end: last.end, text: run.map((token) => token.text).join(' ') });
    } else tokens.push(...run);
    run = [];
  };
  for (const { start, end } of spansOf(text, TOKEN)) {
    const found = text.slice(start, end);
    const token = { start, end, text: found };
    const last = run.at(-1);
    const isNext = last && isGap(text.slice(last.end, start), last.text, found) && isGroup(found);
    if (!isNext) flush();
    if (isGroup(found)) run.push(token);
    else tokens.push(token);
  }
  flush();
  return tokens;
}

const GAP = /^(?:[ \t]{1,3}|[ \t]{0,3}[-\u00b7\u2022][ \t]{0,3})$/;
const GROUP_MAX = 5;

/** Returns whether a text separates groups of a code. Those in cells of a table have the same length. */
function isGap(text: string, before: string, after: string): boolean {
  return GAP.test(text) && (!text.includes('\t') || before.length === after.length);
}

/** Returns whether a text can be one of several groups of a code. */
function isGroup(text: string): boolean {
  return text.length <= GROUP_MAX && /^[A-Z\d]+$/.test(text) && (text.length === 1 || /\d/.test(text));
}

function isSplitCode(groups: readonly string[]): boolean {
  if (groups.length < 2) return false;
  const lengths = groups.map(({ length }) => length);
  const shortest = Math.min(...lengths);
  const longest = Math.max(...lengths);
  if (longest === 1) return groups.length >= LENGTH_MIN;
  // Numbers of more than ten digits, such as those of a card, are not candidates then, and neither are their groups.
  if (shortest < 2 || longest - shortest > 1) return groups.length > 2 && groups.every((group) => /^\d+$/.test(group));
  return shortest > 2 || groups.length > 2;
}

const YEAR = /^(?:19|20)\d\d$/;
const DATE = /^(?:(?:19|20)\d\d-\d{1,2}-\d{1,2}|\d{1,2}-\d{1,2}-(?:19|20)\d\d|(?:19|20)\d\d-(?:19|20)\d\d)$/;
/** Postal codes, telephone numbers and numbers of accounts. */
const GROUPED_NUMBER =
  /^(?:\d\d-\d{3}|\d{3,5}-\d{4}|\d{3}[ -]\d{3}[ -]\d{3,4}|\d{2,5}-\d{2}|\d{1,2}-\d{1,6}|\d{4} \d{3} \d{3})$/;
const REFERENCE = /^(?:[A-Z]{2,6}-?\d{4,}|[A-Z]-?\d{7,})$/;
/** Measures, versions and times such as `17h30`. */
const UNIT = /^(?:\d+-?[a-z]{1,3}|\d-?[A-Za-z][a-z]{3,}|v\d+|[a-z]{1,3}\d{1,2}|\d{1,2}[hu]\d\d)$/i;

/** Names of companies and users such as `Bank24`. */
const BRAND = /^[A-Z][a-z]{3,}\d{1,4}$/;

function shapeOf(groups: string): Shape | undefined {
  if (/^[\d -]+$/.test(groups)) return DATE.test(groups) || isUneven(groups) ? undefined : shapeOfDigits(groups);
  if (/\d/.test(groups)) {
    if (/[a-z]/.test(groups)) return UNIT.test(groups) || BRAND.test(groups) ? undefined : 'small';
    if (groups.includes('-') && UNEVEN.test(groups)) return undefined;
    return REFERENCE.test(groups) ? 'reference' : 'mixed';
  }
  return /^[A-Z -]+$/.test(groups) || EVEN_WORDS.test(groups) ? 'word' : undefined;
}

/** Returns whether groups of digits have different lengths, as those of a telephone number do. */
function isUneven(groups: string): boolean {
  const lengths = groups.split(/[ -]/).map(({ length }) => length);
  return lengths.length > 2 && new Set(lengths).size > 1;
}

function shapeOfDigits(groups: string): Shape {
  if (YEAR.test(groups)) return 'year';
  return GROUPED_NUMBER.test(groups) ? 'range' : 'digits';
}

/** Long references such as `A-2024-0012`, and groups of very different lengths. */
const UNEVEN = /-(?:19|20)\d\d(?:-|$)|^[A-Z]{4,6}-\d{1,3}$/;
/** Small letters in groups, as in `abc-def`. */
const EVEN_WORDS = /^(?:[a-z]{3}(?:-[a-z]{3}){1,2}|[a-z]{4}-[a-z]{4}|[a-z]{5}-[a-z]{5})$/;

/** Returns whether a position is in a URL or in an address. */
function isMasked(text: string): (position: number) => boolean {
  if (!text.includes('://') && !text.includes('@') && !text.includes('www.')) return () => false;
  const ranges = Array.from(text.matchAll(/\S+/g))
    .filter(({ 0: run }) => run.includes('://') || run.includes('www.') || /[^\s@]@[a-z\d]/i.test(run))
    .map(({ index, 0: run }) => ({ start: index, end: index + run.length }));
  return (position) => ranges.some(({ start, end }) => start <= position && position < end);
}

const WORD = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\d]/u;
const NEVER_BEFORE = new Set(
  '#@/\\&+$\u20ac\u00a3\u00a5\u20bd\u20b9\u20a9\u00a7\u2116\u3012~%^\u00b1<\u2022\u25cf\u00b7',
);
const NEVER_AFTER = new Set(
  '#@/\\=&+$\u20ac\u00a3\u00a5\u20bd\u20b9\u20a9%\u2030\u00b0\u00d7\u5186\u5143\u5757\u5e74\u6708\u65e5\u6642\u65f6\u70b9\u70b9\u500b\u4e2a\u4ef6\u540d\u4eba\u53f7\u865f\u679a\u56de\u6b21\u7968\u6b65\u7c73\u4f4d\u6761\u5f20\u5f35\u5929\u6b73\u5c81\u518c\u672c\u53f0\u30dd\u30ad\u4e07\u5343',
);

/** Returns whether a token is a text of its own, and not a part of a number, a path, a price or a date. */
function isStandalone(text: string, start: number, end: number): boolean {
  const [farLeft = '', left = ''] = [text[start - 2], text[start - 1]];
  const [right = '', farRight = ''] = [text[end], text[end + 1]];
  if (WORD.test(left) || WORD.test(right) || NEVER_BEFORE.has(left) || NEVER_AFTER.has(right)) return false;
  if (left === ' ' && /[#\u2116]/.test(farLeft)) return false;
  if (MASKED.test(text.slice(Math.max(0, start - 3), start)) && !/^ ?\*/.test(text.slice(end, end + 2))) return false;
  if (left === '=' && !SETTING.test(text.slice(Math.max(0, start - SETTING_MAX), start))) return false;
  if (/[.,:'\u2019]/.test(left) && /\d/.test(farLeft)) return false;
  if (left === ':' && farLeft === ':') return false;
  if (right === ',' && (IDEOGRAPH.test(left) || TIME_AFTER.test(text.slice(end, end + 5)))) return true;
  if (right === '.' && /^\p{Lu}\p{Ll}*\s/u.test(text.slice(end + 1, end + 12))) return true;
  if (/[.,:'\u2019-]/.test(right) && /[\p{L}\d]/u.test(farRight) && right !== ':' && !isSentence(right, farRight))
    return false;
  if (right === ':' && /\d/.test(farRight)) return false;
  if (left === '*' || left === '_') return right === left && text[start - 3] !== left;
  return right !== '*' && right !== '_' && !(left === '.' && /[a-z\d]/i.test(farLeft));
}

/** Characters in place of the digits of a card whose last ones follow. */
const MASKED = /\*\* $/;

/** The name in front of a value, as in "otp=482913", and not in the query of a URL. */
const SETTING = /(?:^|[\s,;])[\w.-]{1,24}=$/;
const SETTING_MAX = 26;

/** A letter of a language without spaces, in which a comma next to a number separates parts of a sentence. */
const IDEOGRAPH = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff1a\u300c\u3010]/;

/** A comma without a space, and a number of minutes or the like. */
const TIME_AFTER = /^,\d{1,2}\s?[\u3400-\u9fff]/;

/** Returns whether a mark ends a sentence although no space follows it. */
function isSentence(mark: string, next: string): boolean {
  return mark !== "'" && mark !== '\u2019' && /[^a-z\d]/i.test(next);
}

const MONEY_BEFORE =
  /(?:[$\u20ac\u00a3\u00a5\u20bd\u20b9\u20a9\uffe5]|(?<!\p{L})(?:eur|usd|gbp|chf|jpy|pln|brl|mxn|cny|rmb|rub|sek|nok|dkk|czk|huf|inr|aud|cad|r|rs|zl|kr|ntd|hkd)\.?)\s?$/iu;
const MEASURE_AFTER =
  /^\s?(?:[$\u20ac\u00a3\u00a5\u20bd\u20b9\u20a9\uffe5](?!\d)|%|(?:eur|euros?|usd|dollars?|gbp|pounds?|chf|jpy|yen|pln|zl|zlotych|brl|reais|mxn|pesos|cny|rmb|rub|sek|nok|dkk|kr|czk|huf|inr|mb|gb|kb|tb|mib|gib|bytes?|kwh|kw|km|kg|cm|mm|ml|mg|px|ms|sec|seconds?|minutes?|min|mins|hours?|days?|hrs?|sekunden|minuten|stunden|tage[n]?|heures|jours|horas|dias|minutos|minuti|giorni|ore|minut|godzin|dni|points?|pts|punkte|puntos|pontos|punti|punkt[oy]w?|miles|meilen|credits?|steps|calories|kcal|people|users|members|subscribers|readers|personen|personnes|personas|pessoas|persone|osob|x)(?![\p{L}]))/iu;

/** Returns whether a number has a currency or a unit. */
function isAmount(text: string, start: number, end: number): boolean {
  return MONEY_BEFORE.test(text.slice(Math.max(0, start - 6), start)) || MEASURE_AFTER.test(text.slice(end, end + 14));
}
