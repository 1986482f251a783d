import { html as markup, type Token, type TokenHandler } from 'parse5';
import { BoundedTokenizer, textModes } from '../bounded-tokenizer.js';
import { webUrl } from '../html-links.js';
import { LINKS_MAX } from '../limits.js';
import { INVISIBLE } from './fold.js';

/** A link as it is in the HTML. */
interface ShownLink {
  href: string;
  text: string;
  /** The number of the line in which it begins, from 0. */
  line: number;
}

export interface HtmlDocument {
  /** What a mail client shows. Cells of a table are separated by tabs. A paragraph is followed by an empty line. */
  lines: string[];
  links: ShownLink[];
  /** Whether links are missing because the HTML has more than the limit. */
  cut: boolean;
}

/** Reads what a mail client shows of HTML, in linear time: tokens only, because building the tree takes longer. */
export function readHtml(html: string): HtmlDocument {
  const reader = new DocumentReader();
  reader.tokenizer.write(html, true);
  return reader.end();
}

const { TAG_NAMES: TAG } = markup;

const HIDDEN = new Set<string>([...textModes.keys(), TAG.TEMPLATE].filter((name) => name !== TAG.PLAINTEXT));
const PARAGRAPHS = new Set<string>('p h1 h2 h3 h4 h5 h6 ul ol table blockquote pre hr'.split(' '));
const LINES = new Set<string>(
  'div tr li br section article header footer main nav aside center form fieldset dd dt address figure body'.split(' '),
);
const CELLS = new Set<string>([TAG.TD, TAG.TH]);
const VOID = new Set<string>('img br hr input meta link area col wbr base source'.split(' '));
/** Elements without an end tag end at the start of these. */
const IMPLIED_ENDS = new Map<string, ReadonlySet<string>>([
  [TAG.P, new Set([...PARAGRAPHS, ...LINES])],
  [TAG.LI, new Set([TAG.LI])],
  [TAG.TD, new Set([TAG.TD, TAG.TH, TAG.TR])],
  [TAG.TR, new Set([TAG.TR])],
]);
const HIDING_STYLE = /display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden/i;

class DocumentReader implements TokenHandler {
  readonly tokenizer = new BoundedTokenizer({}, this);
  readonly #lines: string[] = [];
  readonly #links: ShownLink[] = [];
  #line = '';
  /** The end of the line. Reading it from the line would take time for all of it. */
  #tail = '';
  /** What is between the last text and the next one. */
  #breaks = 0;
  #space = '';
  /** Whether a tag was between the last text and the next one. */
  #crossed = false;
  #link: ShownLink | undefined;
  #cut = false;
  #hidden: { name: string; depth: number } | undefined;

  end(): HtmlDocument {
    this.#breaks = 0;
    if (this.#line !== '') this.#lines.push(this.#line);
    return { lines: this.#lines, links: this.#links, cut: this.#cut };
  }

  onStartTag({ tagName, attrs, selfClosing }: Token.TagToken): void {
    this.tokenizer.state = textModes.get(tagName) ?? this.tokenizer.state;
    if (this.#hidden && IMPLIED_ENDS.get(this.#hidden.name)?.has(tagName)) this.#hidden = undefined;
    if (this.#hidden) {
      if (tagName === this.#hidden.name && !selfClosing) this.#hidden.depth += 1;
      return;
    }
    const isHiding = attrs.some(
      ({ name, value }) => name === 'hidden' || (name === 'style' && HIDING_STYLE.test(value)),
    );
    if (HIDDEN.has(tagName) || (isHiding && !VOID.has(tagName))) {
      this.#hidden = { name: tagName, depth: 1 };
      return;
    }
    this.#separate(tagName);
    const attribute = (wanted: string) => attrs.find(({ name }) => name === wanted)?.value ?? '';
    if (tagName === TAG.A || tagName === TAG.AREA) this.#startLink(tagName, attribute);
    if (tagName === TAG.IMG) this.#words(attribute('alt'));
  }

  onEndTag({ tagName }: Token.TagToken): void {
    if (this.#hidden) {
      if (tagName !== this.#hidden.name) return;
      this.#hidden.depth -= 1;
      if (this.#hidden.depth === 0) this.#hidden = undefined;
      return;
    }
    if (tagName === TAG.A) this.#link = undefined;
    this.#separate(tagName);
  }

  onCharacter({ chars }: Token.CharacterToken): void {
    if (!this.#hidden) this.#words(chars);
  }

  onWhitespaceCharacter(): void {
    this.#space ||= ' ';
  }

  onNullCharacter(): void {}
  onComment(): void {}
  onDoctype(): void {}
  onEof(): void {}

  #startLink(tagName: string, attribute: (name: string) => string): void {
    this.#link = undefined;
    const href = webUrl(attribute('href'));
    if (href === undefined) return;
    this.#cut = this.#links.length === LINKS_MAX;
    if (this.#cut) return;
    const title = attribute('title') || attribute('aria-label');
    const isArea = tagName === TAG.AREA;
    const line = this.#breaks > 0 ? this.#lines.length + this.#breaks : this.#lines.length;
    const link = { href, text: isArea ? attribute('alt') || title : '', line };
    this.#links.push(link);
    if (!isArea) this.#link = link;
  }

  #separate(tagName: string): void {
    this.#crossed = true;
    if (PARAGRAPHS.has(tagName)) this.#breaks = 2;
    else if (tagName === TAG.BR) this.#breaks = Math.min(2, this.#breaks + 1);
    else if (LINES.has(tagName)) this.#breaks = Math.max(1, this.#breaks);
    else if (CELLS.has(tagName)) this.#space = '\t';
  }

  #words(text: string): void {
    const visible = text.replace(INVISIBLE, '');
    const words = visible.trim();
    if (words === '') {
      if (visible !== '') this.#space ||= ' ';
      return;
    }
    if (!visible.startsWith(words)) this.#space ||= ' ';
    const shown = words.replace(/\s+/g, ' ');
    this.#appendToLink(shown);
    this.#append(shown);
    this.#space = visible.endsWith(words) ? '' : ' ';
  }

  #appendToLink(words: string): void {
    if (!this.#link) return;
    const isFirst = this.#link.text === '';
    if (this.#link.text.length > LINK_TEXT_MAX) return;
    this.#link.text += (isFirst || (this.#space === '' && this.#breaks === 0) ? '' : ' ') + words;
  }

  #append(words: string): void {
    if (this.#line !== '' && this.#breaks > 0) {
      this.#lines.push(this.#line);
      if (this.#breaks > 1) this.#lines.push('');
      this.#line = '';
    }
    if (this.#line !== '') this.#line += this.#gapBefore(words);
    this.#line += words;
    this.#tail = words.slice(-LABEL_LETTERS);
    this.#breaks = 0;
    this.#space = '';
    this.#crossed = false;
  }

  /** Returns what is between the text so far and the next: a space if a style puts a label and a number side by side. */
  #gapBefore(words: string): string {
    if (this.#space !== '' || !this.#crossed) return this.#space;
    const isLabel = /\p{L}{3}$/u.test(this.#tail) && /^\d{3}/.test(words);
    return isLabel || (/\d{3}$/.test(this.#tail) && /^\p{L}{3}/u.test(words)) ? ' ' : '';
  }
}

/** Letters or digits of a label or number that get a space between them. */
const LABEL_LETTERS = 3;
/** Characters of a link's text. */
const LINK_TEXT_MAX = 500;
