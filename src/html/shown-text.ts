import { CELLS, LINES, PARAGRAPHS } from './elements.js';
import type { HtmlReader, Tag } from './read-html.js';
import { Visibility } from './visibility.js';

/** Characters that take no space; templates fill the preview line of inboxes with them. */
export const INVISIBLE = /\u034f|[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g;

/** Whitespace other than a single space. */
const UNEVEN_SPACE = /\s{2}|[^\S ]/;

/** Types of input fields whose value is shown as text. */
const SHOWN_INPUT = /^(?:text|number|tel)?$/i;

/** Separates the cells of a table's row. */
const CELL_GAP = '\t';

/**
 * Reads what a mail client shows of HTML as lines. Cells of a table are separated by tabs, paragraphs by an empty line.
 * Subclasses add what else they need.
 */
export class ShownTextReader implements HtmlReader {
  readonly #lines: string[] = [];
  #line = '';
  /** Line breaks, or else the space, between the last text and the next one. */
  #breaks = 0;
  #space = '';
  /** Put in front of the next text. */
  protected marker = '';
  readonly #visibility = new Visibility();

  /** Returns all lines, after the end of the HTML. */
  end(): string[] {
    if (this.#line !== '') this.#lines.push(this.#line);
    this.#line = '';
    return this.#lines;
  }

  startTag(tag: Tag): void {
    if (!this.#visibility.start(tag)) return;
    this.#separate(tag.tagName);
    this.shownStart(tag);
    if (tag.tagName === 'img') this.#words(attributeOf(tag, 'alt'));
    else if (tag.tagName === 'input' && SHOWN_INPUT.test(attributeOf(tag, 'type')))
      this.#words(attributeOf(tag, 'value'));
  }

  endTag({ tagName }: Tag): void {
    if (!this.#visibility.end(tagName)) return;
    this.#separate(tagName);
    this.shownEnd(tagName);
  }

  text(text: string): void {
    if (!this.#visibility.isHidden) this.#words(text);
    else if (!this.#visibility.isUnshown) this.hiddenText(text);
  }

  /** Called at the start of a shown element. */
  protected shownStart(_tag: Tag): void {}

  /** Called with the text of a hidden element, such as the preview of the message. */
  protected hiddenText(_text: string): void {}

  /** Called at the end of a shown element. */
  protected shownEnd(_name: string): void {}

  /**
   * Called before a text is added, with what separates it from the text so far: a line break, white space or nothing.
   * Returns what to put on the line between them.
   */
  protected beforeText(_words: string, gap: string): string {
    return gap;
  }

  /** The number of the line of the next text, from 0. */
  protected get nextLine(): number {
    return this.#line === '' ? this.#lines.length : this.#lines.length + this.#breaks;
  }

  #separate(tagName: string): void {
    if (PARAGRAPHS.has(tagName)) this.#breaks = 2;
    else if (tagName === 'br') this.#breaks = Math.min(2, this.#breaks + 1);
    else if (LINES.has(tagName)) this.#breaks = Math.max(1, this.#breaks);
    else if (CELLS.has(tagName)) this.#space = CELL_GAP;
  }

  #words(text: string): void {
    const visible = text.replace(INVISIBLE, '');
    const words = visible.trim();
    if (words === '') {
      if (visible !== '') this.#space ||= ' ';
      return;
    }
    // Comparing lengths takes no time for the text itself.
    const lengthFromStart = visible.trimStart().length;
    if (lengthFromStart < visible.length) this.#space ||= ' ';
    this.#append(UNEVEN_SPACE.test(words) ? words.replace(/\s+/g, ' ') : words);
    this.#space = words.length < lengthFromStart ? ' ' : '';
  }

  #append(words: string): void {
    const gap = this.beforeText(words, this.#breaks > 0 ? '\n' : this.#space);
    if (this.#line !== '' && this.#breaks > 0) {
      this.#lines.push(this.#line);
      if (this.#breaks > 1) this.#lines.push('');
      this.#line = '';
    }
    this.#line += (this.#line === '' ? '' : gap) + this.marker + words;
    this.marker = '';
    this.#breaks = 0;
    this.#space = '';
  }
}

/** Returns the value of an attribute; empty if the tag does not have it. */
export function attributeOf({ attrs }: Tag, wanted: string): string {
  return attrs.find(({ name }) => name === wanted)?.value ?? '';
}
