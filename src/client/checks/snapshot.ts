import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { URL_ATTRIBUTES, VOID } from '../../html/implied-ends.js';
import { type Attribute, type HtmlReader, readHtml, type Tag } from '../../html/read-html.js';
import type { CheckedEmail } from './check.js';
import { stableUrl, withoutVolatile } from './volatile.js';

/** Compares the content of an email with an earlier one of the same template. */

/**
 * Returns the HTML of an email, or its text if it has none, in a form that is equal for equal content: attributes in
 * order, white space normalized, IDs, codes and tokens replaced. It ends with a line break.
 */
export function snapshotOf(email: Pick<CheckedEmail, 'html' | 'text' | 'codes'>): string {
  const codes = email.codes.map(({ value }) => value);
  if (email.html === '') return normalizedText(email.text, codes);
  const writer = new SnapshotWriter(codes);
  readHtml(email.html, writer);
  return writer.end();
}

function normalizedText(text: string, codes: readonly string[]): string {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/[ \t]+/g, ' ').trim());
  const paragraphs = lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return `${withoutVolatile(paragraphs, codes)}\n`;
}

/** Maximum number of edits to compare. Texts with more share almost nothing, and take long to compare. */
const EDITS_MAX = 4_000;

/**
 * Returns a unified diff from one snapshot to another; undefined if they are equal. Line breaks at the end, and their
 * form, do not count.
 */
export function snapshotDiff(expected: string, found: string, name: string): string | undefined {
  const [before, after] = [expected, found].map((text) => `${text.replace(/\r\n/g, '\n').trimEnd()}\n`) as [
    string,
    string,
  ];
  if (before === after) return undefined;
  const options = { headerOptions: FILE_HEADERS_ONLY, maxEditLength: EDITS_MAX };
  const patch = createTwoFilesPatch(name, name, before, after, 'snapshot', 'email', options);
  return patch ?? `More than ${EDITS_MAX} lines differ.\n`;
}

/** Elements within a line of text. All others begin a line. */
const INLINE = new Set([
  'a',
  'abbr',
  'b',
  'bdi',
  'bdo',
  'big',
  'br',
  'cite',
  'code',
  'del',
  'em',
  'font',
  'i',
  'img',
  'ins',
  'kbd',
  'mark',
  'q',
  's',
  'samp',
  'small',
  'span',
  'strike',
  'strong',
  'sub',
  'sup',
  'time',
  'tt',
  'u',
  'var',
  'wbr',
]);
const DEPTH_SHOWN = 30;

/** Writes HTML with one block element per line, indented. */
class SnapshotWriter implements HtmlReader {
  readonly #lines: string[] = [];
  #line = '';
  /** The names of the open block elements, and the number of each. */
  readonly #open: string[] = [];
  readonly #counts = new Map<string, number>();

  constructor(private readonly codes: readonly string[]) {}

  end(): string {
    this.#endLine();
    return `${this.#lines.join('\n')}\n`;
  }

  startTag({ tagName: name, attrs }: Tag): void {
    const tag = `<${name}${[...attrs]
      .sort(byName)
      .map((each) => this.#attribute(each))
      .join('')}>`;
    if (INLINE.has(name)) {
      this.#line += tag;
      if (name === 'br') this.#endLine();
      return;
    }
    this.#endLine();
    this.#push(tag);
    if (VOID.has(name)) return;
    this.#open.push(name);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  endTag({ tagName: name }: Tag): void {
    if (INLINE.has(name)) {
      this.#line += `</${name}>`;
      return;
    }
    this.#endLine();
    // An end tag also ends the elements in it that have none.
    if ((this.#counts.get(name) ?? 0) > 0) {
      for (let last = this.#open.pop(); last !== undefined; last = this.#open.pop()) {
        this.#counts.set(last, (this.#counts.get(last) ?? 0) - 1);
        if (last === name) break;
      }
    }
    this.#push(`</${name}>`);
  }

  text(text: string): void {
    this.#line += escapeText(text.replace(/[ \t\r\n\f]+/g, ' '));
  }

  /** Keeps the conditional comments of Outlook, which are content. */
  comment(text: string): void {
    if (!/^\[if\b/i.test(text.trim())) return;
    this.#endLine();
    this.#push(withoutVolatile(`<!--${text.replace(/\s+/g, ' ')}-->`, this.codes));
  }

  doctype(name: string): void {
    this.#push(`<!doctype ${name}>`);
  }

  #attribute({ name, value }: Attribute): string {
    const words = value.replace(/\s+/g, ' ').trim();
    const stable = URL_ATTRIBUTES.has(name)
      ? stableUrl(value.trim())
      : withoutVolatile(name === 'style' ? words.replace(/ ?([:;]) ?/g, '$1').replace(/;$/, '') : words, this.codes);
    return ` ${name}="${stable.replace(/&/g, '&amp;').replace(/"/g, '&quot;')}"`;
  }

  #endLine(): void {
    const line = this.#line.replace(/ {2,}/g, ' ').trim();
    this.#line = '';
    if (line !== '') this.#push(withoutVolatile(line, this.codes));
  }

  #push(line: string): void {
    this.#lines.push('  '.repeat(Math.min(this.#open.length, DEPTH_SHOWN)) + line);
  }
}

function byName(a: Attribute, b: Attribute): number {
  return a.name < b.name ? -1 : 1;
}

function escapeText(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/\u00a0/g, '&nbsp;');
}
