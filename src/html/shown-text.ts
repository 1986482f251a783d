import { CELLS, IMPLIED_ENDS, LINES, PARAGRAPHS, UNSHOWN, VOID } from './implied-ends.js';
import type { HtmlReader, Tag } from './read-html.js';

/**
 * Follows which elements of an email are hidden: by their name, the attribute `hidden` or their own style. It takes
 * linear time for any nesting.
 */
class Visibility {
  readonly #open = new OpenElements();
  /** The element whose content is hidden, and the elements in it. */
  #hidden: { name: string; inside: OpenElements } | undefined;

  get isHidden(): boolean {
    return this.#hidden !== undefined;
  }

  /** Whether a script or a style is open, or another element whose content is never shown. */
  get isUnshown(): boolean {
    const hidden = this.#hidden;
    if (hidden === undefined) return false;
    return UNSHOWN.has(hidden.name) || [...UNSHOWN].some((name) => hidden.inside.has(name));
  }

  /** Takes a start tag, and returns whether the element is shown. */
  start(tag: Tag): boolean {
    const { tagName } = tag;
    if (this.#hidden && endsBefore(this.#hidden, tagName)) this.#hidden = undefined;
    if (this.#hidden) {
      this.#hidden.inside.open(tagName);
      return false;
    }
    if (isHiding(tag)) {
      this.#hidden = { name: tagName, inside: new OpenElements() };
      return false;
    }
    this.#open.open(tagName);
    return true;
  }

  /** Takes an end tag, and returns whether it ends a shown element. */
  end(tagName: string): boolean {
    if (this.#hidden?.inside.has(tagName)) {
      this.#hidden.inside.close(tagName);
      return false;
    }
    if (this.#hidden?.name === tagName) {
      this.#hidden = undefined;
      return false;
    }
    // The end of an element ends the hidden one in it.
    if (this.#open.has(tagName)) this.#hidden = undefined;
    if (this.#hidden) return false;
    this.#open.close(tagName);
    return true;
  }
}

/** Counts the open elements of each name. */
class OpenElements {
  readonly #counts = new Map<string, number>();

  has(name: string): boolean {
    return (this.#counts.get(name) ?? 0) > 0;
  }

  open(name: string): void {
    if (!VOID.has(name)) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  close(name: string): void {
    if (this.has(name)) this.#counts.set(name, (this.#counts.get(name) ?? 0) - 1);
  }
}

const HIDING_STYLE = /display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden/i;

function isHiding({ tagName, attrs, selfClosing }: Tag): boolean {
  if (UNSHOWN.has(tagName)) return true;
  if (selfClosing || VOID.has(tagName)) return false;
  return attrs.some(({ name, value }) => name === 'hidden' || (name === 'style' && HIDING_STYLE.test(value)));
}

/** Returns whether a start tag ends the hidden element, which then has no end tag. */
function endsBefore(hidden: { name: string; inside: OpenElements }, tagName: string): boolean {
  const implied = IMPLIED_ENDS.get(hidden.name);
  if (!implied?.before.has(tagName)) return false;
  return !implied.except.some((name) => hidden.inside.has(name));
}

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
