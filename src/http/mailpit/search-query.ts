import { INSTANT_MAX } from '../../contract/vocabulary/instants.js';

/** Translates searches of Mailpit to svc's query language. */

/** A translated search. SQL cannot tell attachments from inline parts, so the caller tests what it found. */
export interface TranslatedSearch {
  text: string;
  parts: readonly { disposition: 'attachment' | 'inline'; wanted: boolean }[];
}

/** Returns the query for a search. `zone` is where times without a zone are; an unknown one is ignored. */
export function translateSearch(search: string, zone: string): TranslatedSearch {
  const terms: string[] = [];
  const parts: TranslatedSearch['parts'][number][] = [];
  for (const written of wordsOf(search)) {
    const isExcluded = written.length > 1 && /^[-!]/.test(written);
    const word = isExcluded ? written.slice(1) : written;
    const disposition = HAS.exec(word)?.[1]?.toLowerCase() as 'attachment' | 'inline' | undefined;
    if (disposition !== undefined) parts.push({ disposition, wanted: !isExcluded });
    const term = disposition === undefined ? termOf(word, zone) : isExcluded ? undefined : 'has:attachment';
    if (term !== undefined) terms.push(isExcluded ? `-(${term})` : `(${term})`);
  }
  return { text: terms.join(' '), parts };
}

const HAS = /^has:(attachment|inline)s?$/i;

/** Returns the words, and texts in quotes as one word. */
function wordsOf(search: string): string[] {
  const words = search.match(/(?:"[^"]*"?|[^" ])+/g) ?? [];
  return words.map((word) => word.replaceAll('"', '').trim()).filter((word) => cleaned(word) !== '');
}

/** Returns a text as Mailpit compares it. */
function cleaned(text: string): string {
  return text.replace(/[\ufeff\s<>",;()]+/g, ' ').trim();
}

const inHeader =
  (...names: string[]) =>
  (text: string) =>
    names.map((name) => (name === 'Bcc' ? `bcc:${quoted(text)}` : `header:${name}=${quoted(text)}`)).join(' OR ');

/** The words with a value. A value that cannot be read is ignored, except a size: then the word is text. */
const FIELDS: Record<string, (text: string, zone: string) => string | undefined> = {
  to: inHeader('To'),
  from: inHeader('From'),
  cc: inHeader('Cc'),
  bcc: inHeader('Bcc'),
  'reply-to': inHeader('Reply-To'),
  addressed: inHeader('To', 'From', 'Cc', 'Bcc', 'Reply-To'),
  'message-id': inHeader('Message-ID'),
  subject: (text) => `subject:${quoted(text)}`,
  tag: (text) => `tag:${quoted(text)}`,
  after: (text, zone) => timeTerm('after', text, zone),
  before: (text, zone) => timeTerm('before', text, zone),
  // Mailpit includes the size itself.
  larger: (text) => (bytesOf(text) > 1 ? `larger:${bytesOf(text) - 1}` : undefined),
  smaller: (text) => `smaller:${bytesOf(text)}`,
};

const STATES: Record<string, string> = { 'is:read': 'is:read', 'is:unread': 'is:unread', 'is:tagged': 'tag:*' };

function termOf(word: string, zone: string): string | undefined {
  const state = STATES[word.toLowerCase()];
  if (state !== undefined) return state;
  const [, name = '', rest = ''] = /^([a-z-]+):(.*)$/is.exec(word) ?? [];
  const field = Object.hasOwn(FIELDS, name.toLowerCase()) ? name.toLowerCase() : undefined;
  const value = field === 'subject' ? rest.trim() : cleaned(rest);
  if (field === undefined || ((field === 'larger' || field === 'smaller') && bytesOf(value) === 0)) {
    const text = quoted(cleaned(word));
    return [text, ...['To', 'Cc', 'Reply-To'].map((header) => `header:${header}=${text}`)].join(' OR ');
  }
  return value === '' ? undefined : FIELDS[field]?.(value, zone);
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** The largest size of the query language, and larger than any email. */
const BYTES_MAX = 999_999_999;

/** Returns a size in bytes; 0 for an invalid one. */
function bytesOf(text: string): number {
  const [, number, unit = ''] = /^(\d{1,15}(?:\.\d+)?)\s?([a-z]{1,2})?$/i.exec(text) ?? [];
  const factor = { '': 1, k: 1_024, kb: 1_024, m: 1_048_576, mb: 1_048_576 }[unit.toLowerCase()] ?? 0;
  return number === undefined ? 0 : Math.min(BYTES_MAX, Math.floor(Number(number) * factor));
}

function timeTerm(field: 'after' | 'before', text: string, zone: string): string | undefined {
  const instant = readMailpitTime(text, zone);
  return instant === undefined ? undefined : `${field}:${new Date(instant).toISOString()}`;
}

const HAS_ZONE = /(?:z|utc|gmt|[+-]\d{2}:?\d{2})$/i;

/** Returns the instant that a text names, in milliseconds since 1970; undefined for an invalid one. */
export function readMailpitTime(text: string, zone: string): number | undefined {
  const form = text.trim().toUpperCase();
  const isSeconds = /^\d{10}$/.test(form);
  if (isSeconds || /^\d{13}$/.test(form)) return Number(form) * (isSeconds ? 1_000 : 1);
  const hasZone = form.includes(':') && HAS_ZONE.test(form);
  const utc = Date.parse(hasZone ? form : `${form.replace('T', ' ')} UTC`);
  const instant = hasZone ? utc : utc - offsetIn(zone, utc);
  return instant >= 0 && instant <= INSTANT_MAX ? instant : undefined;
}

/** Returns how far the time of a zone is ahead of UTC, in milliseconds; that of this machine for an unknown zone. */
function offsetIn(zone: string, instant: number): number {
  if (Number.isNaN(instant)) return 0;
  try {
    const format = new Intl.DateTimeFormat('en', { timeZone: zone || undefined, timeZoneName: 'longOffset' });
    const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = 0, minutes = 0] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  } catch {
    return zone === '' ? 0 : offsetIn('', instant);
  }
}
