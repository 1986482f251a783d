/** Recognizes numbers by what is directly next to them. */

/** Returns whether a position is in a URL or in an address. */
export function isMasked(text: string): (position: number) => boolean {
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
export function isStandalone(text: string, start: number, end: number): boolean {
  const [farLeft = '', left = ''] = [text[start - 2], text[start - 1]];
  const [right = '', farRight = ''] = [text[end], text[end + 1]];
  if (WORD.test(left) || WORD.test(right) || NEVER_BEFORE.has(left) || NEVER_AFTER.has(right)) return false;
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
  /^\s?(?:[$\u20ac\u00a3\u00a5\u20bd\u20b9\u20a9\uffe5](?!\d)|%|(?:eur|euros?|usd|dollars?|gbp|pounds?|chf|jpy|yen|pln|zl|zlotych|brl|reais|mxn|pesos|cny|rmb|rub|sek|nok|dkk|kr|czk|huf|inr|mb|gb|kb|tb|mib|gib|bytes?|kwh|kw|km|kg|cm|mm|ml|mg|px|ms|sec|seconds?|minutes?|min|mins|hours?|days?|hrs?|sekunden|minuten|stunden|tage[n]?|heures|jours|horas|dias|minutos|minuti|giorni|ore|minut|godzin|dni|points?|pts|punkte|puntos|pontos|punti|punkt[oy]w?|miles|meilen|credits?|steps|calories|kcal|x)(?![\p{L}]))/iu;

/** Returns whether a number has a currency or a unit. */
export function isAmount(text: string, start: number, end: number): boolean {
  return MONEY_BEFORE.test(text.slice(Math.max(0, start - 6), start)) || MEASURE_AFTER.test(text.slice(end, end + 14));
}
