/**
 * Quotes texts for code that a user pastes. Emails choose them: no text may end its quotes, start a command, or hide
 * what it does.
 */

/** Control and other characters without a shape, such as a change of direction. */
const HIDDEN = /[\p{C}\u2028\u2029]/gu;
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

/** Returns a text as one word of a shell. One with hidden characters needs bash or zsh. */
export function shellWord(text: string): string {
  if (PLAIN_WORD.test(text)) return text;
  if (text.search(HIDDEN) === -1) return `'${text.replaceAll("'", `'\\''`)}'`;
  return `$'${text.replace(/['\\]/g, '\\$&').replace(HIDDEN, escapeByByte)}'`;
}

/** Returns a literal of JavaScript and JSON. */
function jsonString(text: string): string {
  return JSON.stringify(text).replace(HIDDEN, escapeByUnit);
}

/** Returns a literal of JavaScript in single quotes, unless the text has some. */
export function jsString(text: string): string {
  const json = jsonString(text);
  if (text.includes("'")) return json;
  return `'${json.slice(1, -1).replace(/\\[\s\S]/g, (found) => (found === '\\"' ? '"' : found))}'`;
}

/** Returns a literal of Python 3. */
export function pythonString(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&').replace(HIDDEN, escapeByCodePoint)}"`;
}

/** Returns a value as JSON with indentation, without hidden characters. */
export function json(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(HIDDEN, (found) => (found === '\n' ? found : escapeByUnit(found)));
}

function escapeByUnit(text: string): string {
  return text
    .split('')
    .map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`)
    .join('');
}

/** Shells know the bytes in every locale, but code points in some only. */
function escapeByByte(character: string): string {
  return Array.from(new TextEncoder().encode(character), (byte) => `\\x${hex(byte, 2)}`).join('');
}

function escapeByCodePoint(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
