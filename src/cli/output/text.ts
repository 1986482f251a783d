import { shortened } from '../../contract/vocabulary/text.js';
import { readHtml, type Tag } from '../../html/read-html.js';
import { ShownTextReader } from '../../html/shown-text.js';

/** Makes text safe to print on a terminal. */

const CONTROL = '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ufff9-\\ufffb]';
// Ignorable characters of Unicode, without joiners (200c, 200d) and variation selectors (fe00 to fe0f, e0100 to e01ef).
const IGNORABLE = '(?![\\u200c\\u200d\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}])\\p{Default_Ignorable_Code_Point}';
const LONE_JOINER =
  '(?<![^\\u0000-\\u007f\\p{Default_Ignorable_Code_Point}]|[^\\u0000-\\u007f]\\ufe0f)[\\u200c\\u200d]';
const LONE_SELECTOR =
  '(?<!\\P{Default_Ignorable_Code_Point})[\\ufe00-\\ufe0f]|(?<!\\p{Ideographic})[\\u{e0100}-\\u{e01ef}]';
/**
 * Characters that a terminal obeys or does not show, with which the text of emails and servers could deceive: control
 * characters, writing directions, separators, zero-width spaces, tags. Tabs and line feeds are allowed. Joiners and
 * variation selectors are allowed after a character that they apply to, because emoji, Arabic, Indic and Han text need
 * them.
 */
const UNSAFE = new RegExp(`${CONTROL}|${IGNORABLE}|${LONE_JOINER}|${LONE_SELECTOR}`, 'gu');
const SEPARATORS = /[\u2028\u2029]/g;

/** Returns text of several lines that is safe to print. Line and paragraph separators of Unicode become spaces. */
export function safeText(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(SEPARATORS, ' ').replace(UNSAFE, '');
}

/** Returns text as one line that is safe to print. */
export function oneLine(text: string): string {
  return safeText(text).replace(/[\n\t]+/g, ' ');
}

const QUOTED_CHARACTERS = 80;

/** Returns what the user typed, shortened to fit a message. */
export function excerpt(text: string): string {
  return shortened(text, QUOTED_CHARACTERS);
}

/** Returns what the user typed in quotation marks, shortened. */
export function quoted(text: string): string {
  return JSON.stringify(excerpt(text));
}

/** Returns JSON that is safe to print and has the same value: characters that `safeText` removes are escaped. */
export function safeJson(json: string): string {
  return json.replace(UNSAFE, (character) =>
    Array.from({ length: character.length }, (_, index) => escaped(character.charCodeAt(index))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

/**
 * Returns text for the log of a CI server. On GitHub Actions, the runner finds no workflow command in it, because an
 * email could contain one.
 */
export function logText(text: string, env: NodeJS.ProcessEnv): string {
  if (!env.GITHUB_ACTIONS) return text;
  return text.replace(/^([-+\t\v\f\p{Zs}]*):(?=:)/gmu, '$1: ').replaceAll('##[', '## [');
}

/** Converts HTML to text for a terminal: what a mail client shows, with items of lists and cells of tables apart. */
export function htmlText(html: string): string {
  const reader = new TerminalReader();
  readHtml(html, reader);
  return reader
    .end()
    .map((line) => line.replaceAll('\t', CELL_GAP))
    .join('\n');
}

const CELL_GAP = '   ';
const BULLET = '- ';
const LISTS = new Set(['ul', 'ol', 'li']);

class TerminalReader extends ShownTextReader {
  protected override shownStart({ tagName }: Tag): void {
    if (tagName === 'li') this.marker = BULLET;
  }

  protected override shownEnd(name: string): void {
    if (LISTS.has(name)) this.marker = '';
  }
}

/** Returns a value as one word of a POSIX shell, in single quotes. A single quote in the value is escaped. */
export function shellQuote(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}

/** Completes a command line for a server; undefined if only its address leads to it. */
export type CommandLine = (line: string) => string | undefined;
